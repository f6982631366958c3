package grader;

import java.io.*;
import java.lang.reflect.*;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.*;
import java.util.jar.JarFile;
import java.util.zip.*;

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
    private static final int LONGEST_MESSAGE = 1000;

    private final Map<?, ?> request;
    private final String token;
    private final OutputStream told;
    private final OutputStream out = new FileOutputStream(FileDescriptor.out);
    /** What makes objects, if a call does; and the object that the methods are called of. */
    private Constructor<?> maker;
    private Object instance;

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
        try {
            Class<?> type = Class.forName(name);
            if (!findMembers(type, members)) {
                return;
            }
            if (maker == null && members.stream().anyMatch(member -> member != null && !Modifier.isStatic(member.getModifiers()))) {
                Constructor<?> constructor = type.getDeclaredConstructor();
                constructor.setAccessible(true);
                instance = constructor.newInstance();
            }
        } catch (Throwable error) {
            tell("unloaded", "\"error\": " + raised(cause(error)));
            return;
        }
        tell("loaded", "\"error\": null");
        callEach(members);
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
        String built = request.get("archives") == null ? null : builtClass(names);
        if (built != null) {
            return built;
        }
        tell("absent", "\"found\": " + Writer.texts(names));
        return null;
    }

    /** Returns the class that is started, or is alone: that it has another name is charged elsewhere. */
    private String builtClass(List<String> names) {
        for (Object archive : (List<?>) request.get("archives")) {
            try (JarFile jar = new JarFile((String) archive)) {
                String main = jar.getManifest().getMainAttributes().getValue("Main-Class");
                if (main != null && names.contains(main.trim())) {
                    return main.trim();
                }
            } catch (IOException | RuntimeException noProgram) {
                continue;
            }
        }
        return names.size() == 1 ? names.get(0) : null;
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
        int main = ((Number) request.get("main")).intValue();
        String missing = null;
        for (int number = 0; number < calls.size(); number++) {
            Map<?, ?> call = (Map<?, ?>) calls.get(number);
            List<String> sameName = new ArrayList<>();
            List<String> others = new ArrayList<>();
            Member member = null;
            for (Object wanted : (List<?>) call.get("names")) {
                List<String> left = new ArrayList<>();
                if (call.get("makes").equals(true)) {
                    maker = findConstructor(type, call, sameName);
                    member = maker;
                } else if (member == null) {
                    member = call.get("sets").equals(true)
                            ? findField(type, (String) wanted, call, sameName, left)
                            : findMethod(type, (String) wanted, call, sameName, left);
                    others = left;
                }
            }
            if (member == null && call.get("optional").equals(true)) {
                members.add(null); // nothing is set
                continue;
            }
            if (member == null) {
                List<String> found = sameName.isEmpty() ? others : sameName;
                tell("missing", "\"call\": " + number + ", \"same_name\": " + !sameName.isEmpty()
                        + ", \"found\": " + Writer.texts(found));
                if (call.get("makes").equals(true)) {
                    return false; // and its methods are those of an object
                }
                continue;
            }
            ((AccessibleObject) member).setAccessible(true);
            members.add(member);
        }
        return members.size() == calls.size();
    }

    private Constructor<?> findConstructor(Class<?> type, Map<?, ?> call, List<String> sameName) {
        sameName.clear();
        Constructor<?> best = null;
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            sameName.add(heading(constructor));
            boolean canBeMade = !Modifier.isAbstract(type.getModifiers()) && takes(constructor, call);
            best = canBeMade && !constructor.isSynthetic() ? constructor : best;
        }
        Collections.sort(sameName);
        return best;
    }

    private static String heading(Member member) {
        boolean isField = member instanceof Field;
        int kept = member instanceof Constructor ? Modifier.constructorModifiers()
                : isField ? Modifier.fieldModifiers() : Modifier.methodModifiers();
        String modifiers = Modifier.toString(member.getModifiers() & kept);
        String name = member.getName();
        if (member instanceof Constructor) {
            name = member.getDeclaringClass().getSimpleName();
        } else {
            Class<?> type = isField ? ((Field) member).getType() : ((Method) member).getReturnType();
            name = type.getSimpleName() + " " + name;
        }
        StringBuilder text = new StringBuilder(modifiers).append(modifiers.isEmpty() ? "" : " ").append(name);
        if (!isField) {
            String before = "(";
            for (Class<?> parameter : ((Executable) member).getParameterTypes()) {
                text.append(before).append(parameter.getSimpleName());
                before = ", ";
            }
            text.append(before.equals("(") ? "()" : ")");
        }
        return text.toString();
    }

    private Method findMethod(
            Class<?> type, String wanted, Map<?, ?> call, List<String> sameName, List<String> others) {
        boolean anyCase = !request.get("match").equals("exact");
        Method best = null;
        for (Class<?> owner : owners(type)) {
            for (Method method : owner.getDeclaredMethods()) {
                boolean isInherited = !owner.isInterface() || owner == type || !Modifier.isStatic(method.getModifiers());
                if (method.isSynthetic() || !isInherited) {
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

    /** The class, those that it extends, and then all interfaces, whose methods may have a body. */
    private static List<Class<?>> owners(Class<?> type) {
        List<Class<?>> owners = new ArrayList<>();
        for (Class<?> owner = type; owner != null && owner != Object.class; owner = owner.getSuperclass()) {
            owners.add(owner);
        }
        for (int i = 0; i < owners.size(); i++) {
            for (Class<?> one : owners.get(i).getInterfaces()) {
                if (!owners.contains(one)) {
                    owners.add(one);
                }
            }
        }
        return owners;
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

    /** Whether others may call it, with parameters of the types that are asked for. */
    private boolean takes(Executable executable, Map<?, ?> call) {
        List<?> types = (List<?>) call.get("types");
        Class<?>[] own = executable.getParameterTypes();
        boolean isHidden = Modifier.isPrivate(executable.getModifiers()) && !request.get("access").equals("any");
        if (isHidden || own.length != types.size()) {
            return false;
        }
        for (int i = 0; i < own.length; i++) {
            if (!unboxed(own[i].getSimpleName()).equals(unboxed((String) types.get(i)))) {
                return false;
            }
        }
        return true;
    }

    private boolean fits(Method method, Map<?, ?> call) {
        if (Modifier.isAbstract(method.getModifiers()) || !takes(method, call)) {
            return false;
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

    // ------------------------------------------------------------ calling them

    private void callEach(List<Member> members) throws IOException {
        List<?> calls = (List<?>) request.get("calls");
        int main = ((Number) request.get("main")).intValue();
        Object[] args = null;
        for (int number = 0; number < members.size(); number++) {
            Member member = members.get(number);
            Map<?, ?> call = (Map<?, ?>) calls.get(number);
            flush();
            mark();
            Object value;
            try {
                if (args == null && (number == main || isGivenOfMain(call))) {
                    args = arguments(members.get(main), (Map<?, ?>) calls.get(main), null);
                }
                value = used(member, number == main ? args : arguments(member, call, args));
            } catch (InvocationTargetException | Error error) {
                flush();
                boolean goesOn = request.get("goes_on").equals(true) && !(member instanceof Constructor);
                tell("raised", "\"error\": " + raised(cause(error)) + ", \"goes_on\": " + goesOn);
                if (goesOn) {
                    continue;
                }
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

    private static boolean isGivenOfMain(Map<?, ?> call) {
        for (Object arg : (List<?>) call.get("args")) {
            if (arg instanceof Map && ((Map<?, ?>) arg).containsKey("argument")) {
                return true;
            }
        }
        return false;
    }

    /** Makes an object, calls a method or sets a field; an array that is final gets what the other one holds. */
    private Object used(Member member, Object[] args) throws InvocationTargetException {
        try {
            if (member == null) {
                return null;
            }
            if (member instanceof Constructor) {
                instance = ((Constructor<?>) member).newInstance(args);
                return instance;
            }
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
        } catch (ReflectiveOperationException impossible) {
            if (impossible instanceof InvocationTargetException) {
                throw (InvocationTargetException) impossible;
            }
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
    private Object[] arguments(Member member, Map<?, ?> call, Object[] main) throws InvocationTargetException {
        if (member == null) {
            return new Object[0];
        }
        Class<?>[] types = member instanceof Executable
                ? ((Executable) member).getParameterTypes()
                : new Class<?>[] {((Field) member).getType()};
        return arguments(types, (List<?>) call.get("args"), main);
    }

    private Object[] arguments(Class<?>[] types, List<?> given, Object[] main) throws InvocationTargetException {
        Object[] args = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            Map<?, ?> special = given.get(i) instanceof Map ? (Map<?, ?>) given.get(i) : null;
            if (special == null) {
                args[i] = converted(given.get(i), types[i]);
            } else if (special.containsKey("argument")) {
                args[i] = main[((Number) special.get("argument")).intValue()];
            } else {
                args[i] = another((List<?>) special.get("new"));
            }
        }
        return args;
    }

    /** Makes another object of the class. */
    private Object another(List<?> given) throws InvocationTargetException {
        try {
            return maker.newInstance(arguments(maker.getParameterTypes(), given, null));
        } catch (InstantiationException | IllegalAccessException impossible) {
            throw new IllegalStateException(impossible); // it has been made accessible, and is not abstract
        }
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
        message = message == null ? "" : message.substring(0, Math.min(message.length(), LONGEST_MESSAGE));
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
            } else if (isRecord(value.getClass())) {
                putMap(fields(value), depth);
            } else if (value.getClass().getName().startsWith("java.")) {
                putOfLibrary(value, depth);
            } else {
                putObject(value);
            }
        }

        /** Whether it is a record, which Java has only since its version 16. */
        private static boolean isRecord(Class<?> type) {
            return type.getSuperclass() != null && type.getSuperclass().getName().equals("java.lang.Record");
        }

        private void putOfLibrary(Object value, int depth) {
            if (value instanceof Optional) {
                put(((Optional<?>) value).orElse(null), depth + 1);
            } else if (value instanceof Map) {
                putMap((Map<?, ?>) value, depth);
            } else if (value instanceof Collection) {
                Object[] items = ((Collection<?>) value).toArray();
                json.append(value instanceof Set ? "{\"set\": " : "");
                putAll(items, items.length, depth + (value instanceof Set ? 1 : 0));
                json.append(value instanceof Set ? "}" : "");
            } else {
                putObject(value);
            }
        }

        private void putMap(Map<?, ?> map, int depth) {
            List<Object[]> pairs = new ArrayList<>();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                pairs.add(new Object[] {entry.getKey(), entry.getValue()});
            }
            json.append("{\"map\": ");
            putAll(pairs.toArray(), pairs.size(), depth + 1);
            json.append('}');
        }

        /** Returns the components of a record as they are: none of the student's code has a say in it. */
        private static Map<String, Object> fields(Object record) {
            Map<String, Object> fields = new LinkedHashMap<>();
            for (Field field : record.getClass().getDeclaredFields()) {
                try {
                    if (!Modifier.isStatic(field.getModifiers())) {
                        field.setAccessible(true);
                        fields.put(field.getName(), field.get(record));
                    }
                } catch (IllegalAccessException impossible) {
                    throw new IllegalStateException(impossible); // it has been made accessible
                }
            }
            return fields;
        }

        /** Tells the type of an object, and what that says of it, if it does. */
        private void putObject(Object value) {
            String text = said(value);
            json.append("{\"opaque\": ").append(text(value.getClass().getSimpleName()));
            if (text != null && text.length() <= characters) {
                json.append(", \"text\": ");
                quote(text);
            }
            json.append('}');
        }

        private static String said(Object value) {
            try {
                boolean says = value.getClass().getMethod("toString").getDeclaringClass() != Object.class;
                return says ? value.toString() : null;
            } catch (Throwable ofTheStudent) {
                return null;
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
