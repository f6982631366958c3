package grader;

import java.nio.charset.StandardCharsets;
import java.util.*;

/** JSON, as far as requests and records have it: what is read is our own, and what is written is ASCII. */
final class Json {

    private final String text;
    private int place;

    private Json(String text) {
        this.text = text;
    }

    static Object read(String text) {
        return new Json(text).value();
    }

    static Map<String, Object> object(Object... pairs) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            object.put((String) pairs[i], pairs[i + 1]);
        }
        return object;
    }

    static String write(Object value) {
        boolean isMap = value instanceof Map;
        if (!isMap && !(value instanceof List)) {
            return value instanceof String ? quote((String) value) : String.valueOf(value);
        }
        StringJoiner parts = isMap ? new StringJoiner(", ", "{", "}") : new StringJoiner(", ", "[", "]");
        for (Object each : isMap ? ((Map<?, ?>) value).entrySet() : (List<?>) value) {
            Map.Entry<?, ?> pair = isMap ? (Map.Entry<?, ?>) each : null;
            parts.add(isMap ? quote((String) pair.getKey()) + ": " + write(pair.getValue()) : write(each));
        }
        return parts.toString();
    }

    private static String quote(String text) {
        // Half a character is no text anywhere else; encoding puts a question mark in its place.
        String whole = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        StringBuilder json = new StringBuilder("\"");
        for (char c : whole.toCharArray()) {
            if (c >= ' ' && c < 127 && c != '"' && c != '\\') {
                json.append(c);
            } else {
                json.append("\\u").append(Integer.toHexString(c | 0x10000), 1, 5);
            }
        }
        return json.append('"').toString();
    }

    private char peek() {
        while (" ,:".indexOf(text.charAt(place)) >= 0) {
            place++;
        }
        return text.charAt(place);
    }

    private Object value() {
        char first = peek();
        if (first == '"') {
            return string();
        }
        if (first == '{' || first == '[') {
            List<Object> items = new ArrayList<>();
            for (place++; peek() != first + 2; ) { // the closing one is two behind it in ASCII
                items.add(value());
            }
            place++;
            return first == '{' ? object(items.toArray()) : items;
        }
        int start = place;
        while (",]} ".indexOf(text.charAt(place)) < 0) {
            place++;
        }
        String word = text.substring(start, place);
        if (word.matches("null|true|false")) {
            return word.equals("null") ? null : (Object) word.equals("true");
        }
        return word.matches("-?[0-9]+") ? (Object) Long.valueOf(word) : (Object) Double.valueOf(word);
    }

    private String string() {
        StringBuilder string = new StringBuilder();
        for (char c = text.charAt(++place); c != '"'; c = text.charAt(++place)) {
            if (c == '\\') {
                c = text.charAt(++place);
                int letter = "bfnrt".indexOf(c);
                if (c == 'u') {
                    c = (char) Integer.parseInt(text.substring(place + 1, place + 5), 16);
                    place += 4;
                } else if (letter >= 0) {
                    c = "\b\f\n\r\t".charAt(letter);
                }
            }
            string.append(c);
        }
        place++;
        return string.toString();
    }
}
