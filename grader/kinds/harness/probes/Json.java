package grader;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

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
        if (value instanceof Map) {
            StringJoiner members = new StringJoiner(", ", "{", "}");
            for (Map.Entry<?, ?> each : ((Map<?, ?>) value).entrySet()) {
                members.add(quote((String) each.getKey()) + ": " + write(each.getValue()));
            }
            return members.toString();
        }
        if (value instanceof List) {
            StringJoiner items = new StringJoiner(", ", "[", "]");
            for (Object each : (List<?>) value) {
                items.add(write(each));
            }
            return items.toString();
        }
        return value instanceof String ? quote((String) value) : String.valueOf(value);
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

    private Object value() {
        switch (peek()) {
            case '{': return members();
            case '[': return items();
            case '"': return string();
            default: return word();
        }
    }

    private char peek() {
        while (" ,:".indexOf(text.charAt(place)) >= 0) {
            place++;
        }
        return text.charAt(place);
    }

    private Map<String, Object> members() {
        Map<String, Object> members = new LinkedHashMap<>();
        for (place++; peek() != '}'; ) {
            String key = string();
            members.put(key, value());
        }
        place++;
        return members;
    }

    private List<Object> items() {
        List<Object> items = new ArrayList<>();
        for (place++; peek() != ']'; ) {
            items.add(value());
        }
        place++;
        return items;
    }

    private String string() {
        peek();
        StringBuilder string = new StringBuilder();
        while (text.charAt(++place) != '"') {
            char c = text.charAt(place);
            string.append(c == '\\' ? escaped() : c);
        }
        place++;
        return string.toString();
    }

    private char escaped() {
        char c = text.charAt(++place);
        if (c != 'u') {
            int letter = "bfnrt".indexOf(c);
            return letter < 0 ? c : "\b\f\n\r\t".charAt(letter);
        }
        place += 4;
        return (char) Integer.parseInt(text.substring(place - 3, place + 1), 16);
    }

    private Object word() {
        int start = place;
        while (place < text.length() && ",]} ".indexOf(text.charAt(place)) < 0) {
            place++;
        }
        String word = text.substring(start, place);
        if (word.matches("null|true|false")) {
            return word.equals("null") ? null : (Object) word.equals("true");
        }
        return word.matches("-?[0-9]+") ? (Object) Long.valueOf(word) : (Object) Double.valueOf(word);
    }
}
