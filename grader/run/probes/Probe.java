package grader;

import java.io.DataInputStream;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Calls methods of a class and tells what happened. It runs alone, in the sandbox, on the class path's first place.
 *
 * <p>Standard input begins with ten digits, the length of a request in JSON, and the request; it is read before any code
 * of the student's is loaded, and what follows is the student's input. What happened is told in a file that the request
 * names, a line for each step, at once: whatever ends the machine, what came before is known. Standard output is the
 * student's own; a mark before each call tells which call printed what.
 */
public final class Probe {

    private static final int MOST_VALUES = 100_000;
    private static final int MOST_CHARACTERS = 1_000_000;
    private static final int LONGEST_ESCAPE = 6;
    private static final int MOST_BITS = 10_000;
    private static final int DEEPEST = 30;
    private static final int MOST_SHOWN = 200;

    private final Map<?, ?> request;
    private final String token;
    private final OutputStream told;
    private final OutputStream out = new FileOutputStream(FileDescriptor.out);

    private Probe(Map<?, ?> request) throws IOException {
        this.request = request;
        token = (String) request.get("token");
        told = new FileOutputStream((String) request.get("file"));
    }

    public static void main(String[] args) throws IOException {
        String length = read(10);
        Probe probe = new Probe((Map<?, ?>) new Reader(read(Integer.parseInt(length))).value());
        probe.mark();
        try {
            probe.run();
        } catch (Throwable fault) { // of the student's doing, who is only limited by what Java allows
            probe.tell("fault", "\"message\": " + Writer.text(fault.toString()));
        } finally {
            flush();
            Runtime.getRuntime().halt(0); // whatever still runs, and whatever wants to run at the end
        }
    }

    /** Reads exactly so much, and nothing of what belongs to the student. */
    private static String read(int length) throws IOException {
        byte[] bytes = new byte[length];
        new DataInputStream(new FileInputStream(FileDescriptor.in)).readFully(bytes);
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    private void run() throws IOException {
        String name = findClass((List<?>) request.get("in"));
        if (name == null) {
            return;
        }
        List<Member> members = new ArrayList<>();
        Object instance = null;
        try {
            Class<?> type = Class.forName(name);
            if (!findMembers(type, members)) {
                return;
            }
            if (members.stream().anyMatch(member -> !Modifier.isStatic(member.getModifiers()))) {
                Constructor<?> constructor = type.getDeclaredConstructor();
                constructor.setAccessible(true);
                instance = constructor.newInstance();
            }
        } catch (Throwable error) {
            tell("unloaded", "\"error\": " + raised(cause(error)));
            return;
        }
        tell("loaded", "\"error\": null");
        callEach(members, instance);
    }

    // ------------------------------------------------------------ finding the class

    private String findClass(List<?> wanted) throws IOException {
        List<String> names = classNames();
        for (Object one : wanted) {
            String found = findClass((String) one, names);
            if (found != null) {
                return found;
            }
        }
        tell("absent", "\"found\": " + Writer.texts(names));
        return null;
    }

    /** Returns the full name: the class may be in a package, as long as there is one of that name. */
    private String findClass(String wanted, List<String> names) {
        if (names.contains(wanted)) {
            return wanted;
        }
        boolean anyCase = !request.get("match").equals("exact");
        for (int round = 0; round < (anyCase ? 2 : 1); round++) {
            for (String name : names) {
                String simple = name.substring(name.lastIndexOf('.') + 1);
                if (round == 0 ? simple.equals(wanted) : simple.equalsIgnoreCase(wanted)) {
                    return name;
                }
            }
        }
        return null;
    }

    private static List<String> classNames() throws IOException {
        List<String> files = new ArrayList<>();
        String[] path = System.getProperty("java.class.path").split(File.pathSeparator);
        for (String entry : path) {
            if (entry.equals(path[0])) {
                continue; // our own
            }
            if (new File(entry).isDirectory()) {
                listFiles(new File(entry), "", files, 0);
                continue;
            }
            try (ZipFile zip = new ZipFile(entry)) {
                for (Enumeration<? extends ZipEntry> all = zip.entries(); all.hasMoreElements(); ) {
                    files.add(all.nextElement().getName());
                }
            } catch (IOException noArchive) {
                continue;
            }
        }
        List<String> names = new ArrayList<>();
        for (String file : files) {
            if (file.endsWith(".class") && file.indexOf('$') < 0 && names.size() < MOST_VALUES) {
                names.add(file.substring(0, file.length() - ".class".length()).replace('/', '.'));
            }
        }
        return names;
    }

    private static void listFiles(File folder, String prefix, List<String> files, int depth) {
        File[] found = folder.listFiles();
        if (found == null || depth > DEEPEST || files.size() > MOST_VALUES) {
            return;
        }
        Arrays.sort(found);
        for (File file : found) {
            if (file.isDirectory() && !Files.isSymbolicLink(file.toPath())) {
                listFiles(file, prefix + file.getName() + "/", files, depth + 1);
            } else {
                files.add(prefix + file.getName());
            }
        }
    }

    // ------------------------------------------------------------ finding methods and fields

    private boolean findMembers(Class<?> type, List<Member> members) throws IOException {
        List<?> calls = (List<?>) request.get("calls");
        for (int number = 0; number < calls.size(); number++) {
            Map<?, ?> call = (Map<?, ?>) calls.get(number);
            List<String> sameName = new ArrayList<>();
            List<String> others = new ArrayList<>();
            Member member = null;
            for (Object wanted : (List<?>) call.get("names")) {
                List<String> left = new ArrayList<>();
                if (member == null) {
                    member = call.get("sets").equals(true)
                            ? findField(type, (String) wanted, call, sameName, left)
                            : findMethod(type, (String) wanted, call, sameName, left);
                    others = left;
                }
            }
            if (member == null) {
                List<String> found = sameName.isEmpty() ? others : sameName;
                tell("missing", "\"call\": " + number + ", \"same_name\": " + !sameName.isEmpty()
                        + ", \"found\": " + Writer.texts(found));
                return false;
            }
            ((AccessibleObject) member).setAccessible(true);
            members.add(member);
        }
        return true;
    }

    private Method findMethod(
            Class<?> type, String wanted, Map<?, ?> call, List<String> sameName, List<String> others) {
        boolean anyCase = !request.get("match").equals("exact");
        Method best = null;
        for (Class<?> owner = type; owner != null && owner != Object.class; owner = owner.getSuperclass()) {
            for (Method method : owner.getDeclaredMethods()) {
                if (method.isSynthetic()) {
                    continue;
                }
                boolean isExact = method.getName().equals(wanted);
                if (!isExact && !(anyCase && method.getName().equalsIgnoreCase(wanted))) {
                    others.add(heading(method));
                    continue;
                }
                sameName.add(heading(method));
                if (fits(method, call) && (best == null || (isExact && !best.getName().equals(wanted)))) {
                    best = method;
                }
            }
        }
        Collections.sort(others);
        Collections.sort(sameName);
        return best;
    }

    private Field findField(
            Class<?> type, String wanted, Map<?, ?> call, List<String> sameName, List<String> others) {
        boolean anyCase = !request.get("match").equals("exact");
        Field best = null;
        for (Class<?> owner = type; owner != null && owner != Object.class; owner = owner.getSuperclass()) {
            for (Field field : owner.getDeclaredFields()) {
                String name = field.getName();
                boolean isExact = name.equals(wanted);
                boolean isNamed = isExact || (anyCase && name.equalsIgnoreCase(wanted));
                (isNamed ? sameName : others).add(heading(field));
                if (isNamed && fits(field, call) && (best == null || (isExact && !best.getName().equals(wanted)))) {
                    best = field;
                }
            }
        }
        return best;
    }

    /** A private field is as good as any: it is the methods that are called from elsewhere. */
    private static boolean fits(Field field, Map<?, ?> call) {
        String type = (String) ((List<?>) call.get("types")).get(0);
        boolean isStatic = Modifier.isStatic(field.getModifiers());
        boolean canBeSet = field.getType().isArray() || !Modifier.isFinal(field.getModifiers());
        return field.getType().getSimpleName().equals(type) && canBeSet
                && (isStatic || !call.get("static").equals(true));
    }

    private static String heading(Field field) {
        String modifiers = Modifier.toString(field.getModifiers() & Modifier.fieldModifiers());
        String space = modifiers.isEmpty() ? "" : " ";
        return modifiers + space + field.getType().getSimpleName() + " " + field.getName();
    }

    private boolean fits(Method method, Map<?, ?> call) {
        List<?> types = (List<?>) call.get("types");
        Class<?>[] own = method.getParameterTypes();
        boolean isHidden = Modifier.isPrivate(method.getModifiers()) && !request.get("access").equals("any");
        if (isHidden || Modifier.isAbstract(method.getModifiers())
                || own.length != types.size()) {
            return false;
        }
        for (int i = 0; i < own.length; i++) {
            if (!unboxed(own[i].getSimpleName()).equals(unboxed((String) types.get(i)))) {
                return false;
            }
        }
        String returns = ((String) call.get("returns")).replaceAll("<.*>", "");
        String simple = returns.substring(returns.lastIndexOf('.') + 1);
        boolean isStatic = Modifier.isStatic(method.getModifiers());
        return (isStatic || !call.get("static").equals(true))
                && (returns.equals("void") || unboxed(method.getReturnType().getSimpleName()).equals(unboxed(simple)));
    }

    private static String unboxed(String type) {
        switch (type.replace("[]", "")) {
            case "Integer": return type.replace("Integer", "int");
            case "Character": return type.replace("Character", "char");
            case "Long":
            case "Double":
            case "Float":
            case "Short":
            case "Byte":
            case "Boolean": return type.substring(0, 1).toLowerCase() + type.substring(1);
            default: return type;
        }
    }

    private static String heading(Method method) {
        StringBuilder text = new StringBuilder(Modifier.toString(method.getModifiers() & Modifier.methodModifiers()));
        text.append(text.length() == 0 ? "" : " ").append(method.getReturnType().getSimpleName());
        text.append(' ').append(method.getName()).append('(');
        String comma = "";
        for (Class<?> parameter : method.getParameterTypes()) {
            text.append(comma).append(parameter.getSimpleName());
            comma = ", ";
        }
        return text.append(')').toString();
    }

    // ------------------------------------------------------------ calling them

    private void callEach(List<Member> members, Object instance) throws IOException {
        List<?> calls = (List<?>) request.get("calls");
        int main = ((Number) request.get("main")).intValue();
        Object[] args = arguments(members.get(main), (Map<?, ?>) calls.get(main), null);
        for (int number = 0; number < members.size(); number++) {
            Member member = members.get(number);
            Object[] own = number == main ? args : arguments(member, (Map<?, ?>) calls.get(number), args);
            flush();
            mark();
            Object value;
            try {
                value = used(member, instance, own);
            } catch (InvocationTargetException | Error error) {
                flush();
                tell("raised", "\"error\": " + raised(cause(error)));
                return;
            }
            flush();
            tell("returned", "\"value\": " + Writer.value(value));
            if (number >= main) {
                List<String> after = new ArrayList<>();
                for (Object arg : args) {
                    after.add(Writer.value(arg));
                }
                tell("args", "\"value\": " + after);
            }
        }
    }

    /** Calls a method or sets a field; an array that is final gets what the other one holds. */
    private static Object used(Member member, Object instance, Object[] args) throws InvocationTargetException {
        try {
            if (member instanceof Method) {
                return ((Method) member).invoke(instance, args);
            }
            Field field = (Field) member;
            if (!Modifier.isFinal(field.getModifiers())) {
                field.set(instance, args[0]);
                return null;
            }
            Object own = field.get(instance);
            int length = own == null ? 0 : Math.min(Array.getLength(args[0]), Array.getLength(own));
            if (length > 0) {
                System.arraycopy(args[0], 0, own, 0, length);
            }
            return null;
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(impossible); // all has been made accessible
        }
    }

    private static void flush() {
        try {
            System.out.flush();
        } catch (RuntimeException | Error ofTheStudent) {
            return; // who put something else in its place
        }
    }

    private void mark() {
        try {
            out.write(("\u001e" + token + "\n").getBytes(StandardCharsets.US_ASCII));
        } catch (IOException closed) {
            return; // by the student
        }
    }

    private static Throwable cause(Throwable error) {
        boolean isOurs = error instanceof InvocationTargetException || error instanceof ExceptionInInitializerError;
        return isOurs && error.getCause() != null ? error.getCause() : error;
    }

    /** Makes the arguments; {@code main} has those of the main call, which further calls may be given as they are. */
    private static Object[] arguments(Member member, Map<?, ?> call, Object[] main) {
        Class<?>[] types = member instanceof Method
                ? ((Method) member).getParameterTypes()
                : new Class<?>[] {((Field) member).getType()};
        List<?> given = (List<?>) call.get("args");
        Object[] args = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            Object value = given.get(i);
            args[i] = value instanceof Map
                    ? main[((Number) ((Map<?, ?>) value).get("argument")).intValue()]
                    : converted(value, types[i]);
        }
        return args;
    }

    private static Object converted(Object value, Class<?> type) {
        if (value == null) {
            return null;
        }
        if (type.isArray()) {
            List<?> items = (List<?>) value;
            Object array = Array.newInstance(type.getComponentType(), items.size());
            for (int i = 0; i < items.size(); i++) {
                Array.set(array, i, converted(items.get(i), type.getComponentType()));
            }
            return array;
        }
        switch (unboxed(type.getSimpleName())) {
            case "int": return ((Number) value).intValue();
            case "long": return ((Number) value).longValue();
            case "short": return ((Number) value).shortValue();
            case "byte": return ((Number) value).byteValue();
            case "double": return ((Number) value).doubleValue();
            case "float": return ((Number) value).floatValue();
            case "char": return ((String) value).charAt(0);
            default: return value;
        }
    }

    // ------------------------------------------------------------ telling

    private void tell(String event, String rest) throws IOException {
        String line = token + "{\"event\": \"" + event + "\", " + rest + "}\n";
        told.write(line.getBytes(StandardCharsets.US_ASCII));
        told.flush();
    }

    private static String raised(Throwable error) {
        List<String> kinds = new ArrayList<>();
        for (Class<?> kind = error.getClass(); kind != null && kind != Object.class; kind = kind.getSuperclass()) {
            kinds.add(kind.getName());
        }
        String message = null;
        try {
            message = error.getMessage();
        } catch (Throwable ofTheStudent) {
            message = null;
        }
        message = message == null ? "" : message.substring(0, Math.min(message.length(), MOST_SHOWN));
        return "{\"type\": " + Writer.text(error.getClass().getName()) + ", \"kinds\": " + Writer.texts(kinds)
                + ", \"message\": " + Writer.text(message) + ", \"place\": " + Writer.text(place(error)) + "}";
    }

    private static String place(Throwable error) {
        StackTraceElement[] frames = null;
        try {
            frames = error.getStackTrace();
        } catch (Throwable ofTheStudent) {
            frames = null;
        }
        for (StackTraceElement frame : frames == null ? new StackTraceElement[0] : frames) {
            boolean isSystem = frame.getClassName().matches("(java|javax|jdk|sun|grader)\\..*");
            if (!isSystem && frame.getFileName() != null) {
                return frame.getFileName() + ":" + frame.getLineNumber();
            }
        }
        return "";
    }

    /** Writes JSON in ASCII. */
    private static final class Writer {
        private final StringBuilder json = new StringBuilder();
        private int values = MOST_VALUES;
        private int characters = MOST_CHARACTERS;

        static String value(Object value) {
            Writer writer = new Writer();
            try {
                writer.put(value, 0);
                return writer.json.toString();
            } catch (IllegalStateException | StackOverflowError | OutOfMemoryError tooMuch) {
                return opaque(value);
            }
        }

        static String text(String text) {
            Writer writer = new Writer();
            writer.quote(text);
            return writer.json.toString();
        }

        static String texts(List<String> texts) {
            StringBuilder all = new StringBuilder("[");
            for (String text : texts.subList(0, Math.min(texts.size(), MOST_SHOWN))) {
                all.append(all.length() == 1 ? "" : ", ").append(text(text));
            }
            return all.append(']').toString();
        }

        private static String opaque(Object value) {
            return "{\"opaque\": " + text(value.getClass().getSimpleName()) + "}";
        }

        private void put(Object value, int depth) {
            if (--values < 0 || depth > DEEPEST) {
                throw new IllegalStateException();
            }
            if (value == null || value instanceof Boolean || value instanceof Integer || value instanceof Long
                    || value instanceof Short || value instanceof Byte) {
                json.append(value);
            } else if (value instanceof BigInteger) {
                if (((BigInteger) value).bitLength() > MOST_BITS) {
                    throw new IllegalStateException();
                }
                json.append(value);
            } else if (value instanceof Double || value instanceof Float) {
                boolean isFinite = Double.isFinite(((Number) value).doubleValue());
                json.append(isFinite ? value.toString() : "{\"float\": \"" + value + "\"}");
            } else if (value instanceof String || value instanceof Character) {
                quote(value.toString());
            } else if (value.getClass().isArray()) {
                putAll(value, Array.getLength(value), depth);
            } else if (value instanceof List && value.getClass().getName().startsWith("java.")) {
                Object[] items = ((List<?>) value).toArray();
                putAll(items, items.length, depth);
            } else {
                json.append(opaque(value));
            }
        }

        private void putAll(Object array, int length, int depth) {
            if (length > values) {
                throw new IllegalStateException();
            }
            json.append('[');
            for (int i = 0; i < length; i++) {
                json.append(i == 0 ? "" : ", ");
                put(Array.get(array, i), depth + 1);
            }
            json.append(']');
        }

        private void quote(String text) {
            boolean isAscii = text.chars().allMatch(c -> c < 128);
            characters -= Math.min(text.length(), MOST_CHARACTERS + 1) * (isAscii ? 1 : LONGEST_ESCAPE);
            if (characters < 0) {
                throw new IllegalStateException();
            }
            // Half a character is no text anywhere else; encoding puts a question mark in its place.
            String whole = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
            json.append('"');
            for (char c : whole.toCharArray()) {
                boolean isPlain = c >= ' ' && c < 127 && c != '"' && c != '\\';
                json.append(isPlain ? String.valueOf(c) : String.format("\\u%04x", (int) c));
            }
            json.append('"');
        }
    }

    /** Reads the JSON that we are sent: our own, so nothing is checked. */
    private static final class Reader {
        private final String text;
        private int place;

        Reader(String text) {
            this.text = text;
        }

        Object value() {
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
            place++;
            while (peek() != '}') {
                String key = string();
                members.put(key, value());
            }
            place++;
            return members;
        }

        private List<Object> items() {
            List<Object> items = new ArrayList<>();
            place++;
            while (peek() != ']') {
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
            switch (word) {
                case "null": return null;
                case "true": return true;
                case "false": return false;
                default: return word.matches("-?[0-9]+") ? (Number) Long.valueOf(word) : (Number) Double.valueOf(word);
            }
        }
    }
}
