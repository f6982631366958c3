package grader;

import java.io.*;
import java.lang.reflect.*;
import java.math.BigInteger;
import java.nio.file.*;
import java.util.*;
import java.util.jar.JarFile;

/** Calls methods of a class. It is in the first place of the class path, which has nothing else but what was built. */
public final class Calls extends Harness {

    private static final int MOST_VALUES = 100_000, MOST_CHARACTERS = 1_000_000, MOST_BITS = 10_000, DEEPEST = 30;
    private static final int LONGEST_ESCAPE = 6, MOST_SHOWN = 200;
    private static final Map<String, String> UNBOXED = Map.of("Integer", "int", "Character", "char", "Long", "long",
            "Double", "double", "Float", "float", "Short", "short", "Byte", "byte", "Boolean", "boolean");
    private static final Set<Class<?>> PLAIN = Set.of(
            Boolean.class, Byte.class, Short.class, Integer.class, Long.class, BigInteger.class);

    private final List<?> calls = list(request, "calls");
    private final int main = ((Number) request.get("main")).intValue();
    private final boolean isAnyCase = !request.get("match").equals("exact");
    /** What makes objects, if a call does; and the object that the methods are called of. */
    private Constructor<?> maker;
    private Object instance;
    /** The arguments of the main call, once they are made. */
    private Object[] args;
    /** How many values, and characters of them, may still be told. */
    private int values, characters;
    /** What each call makes, calls or sets; null for a field that need not be there. */
    private final List<Member> members = new ArrayList<>();

    private Calls() throws IOException {
    }

    public static void main(String[] args) throws Exception {
        new Calls().serve("main");
    }

    @Override
    void work() throws Exception {
        String name = findClass();
        if (name == null) {
            return;
        }
        try {
            Class<?> type = Class.forName(name);
            if (!findMembers(type)) {
                return;
            }
            for (Member member : members) {
                if (member != null && !Modifier.isStatic(member.getModifiers()) && maker == null && instance == null) {
                    Constructor<?> constructor = type.getDeclaredConstructor();
                    constructor.setAccessible(true);
                    instance = constructor.newInstance();
                }
            }
        } catch (Throwable error) {
            tell("event", "unloaded", "error", raised(error));
            return;
        }
        tell("event", "loaded");
        for (int number = 0; number < calls.size() && makeCall(number); ) {
            number++;
        }
    }

    private String findClass() throws IOException {
        List<String> names = classNames();
        for (Object wanted : list(request, "in")) {
            for (int round = 0; round < (isAnyCase ? 3 : 2); round++) {
                for (String name : names) { // it may be in a package, as long as there is one of that name
                    String own = round == 0 ? name : name.substring(name.lastIndexOf('.') + 1);
                    if (round < 2 ? own.equals(wanted) : own.equalsIgnoreCase((String) wanted)) {
                        return name;
                    }
                }
            }
        }
        // Else the class that is started, or is alone: that it has another name is charged elsewhere.
        boolean isCharged = request.get("archives") != null;
        for (Object archive : isCharged ? list(request, "archives") : List.of()) {
            try (JarFile jar = new JarFile((String) archive)) {
                String started = jar.getManifest().getMainAttributes().getValue("Main-Class").trim();
                if (names.contains(started)) {
                    return started;
                }
            } catch (IOException | RuntimeException noProgram) { // then the next one
            }
        }
        if (isCharged && names.size() == 1) {
            return names.get(0);
        }
        tell("event", "absent", "found", names.subList(0, Math.min(names.size(), MOST_SHOWN)));
        return null;
    }

    /** Returns the names of the classes on the class path, without those of the first entry, which are our own. */
    private static List<String> classNames() {
        List<String> names = new ArrayList<>();
        String[] path = System.getProperty("java.class.path").split(File.pathSeparator);
        for (String entry : path) {
            if (new File(entry).isDirectory()) {
                addClasses(new File(entry), "", names, 0);
            } else if (!entry.equals(path[0])) {
                try (JarFile jar = new JarFile(entry)) {
                    jar.stream().forEach(each -> addClass(each.getName(), names));
                } catch (IOException noArchive) { // it has no classes
                }
            }
        }
        return names;
    }

    private static void addClass(String file, List<String> names) {
        if (file.endsWith(".class") && file.indexOf('$') < 0 && names.size() < MOST_VALUES) {
            names.add(file.substring(0, file.length() - ".class".length()).replace('/', '.'));
        }
    }

    private static void addClasses(File folder, String prefix, List<String> names, int depth) {
        File[] found = folder.listFiles();
        if (found == null || depth > DEEPEST) {
            return;
        }
        Arrays.sort(found);
        for (File file : found) {
            if (file.isDirectory() && !Files.isSymbolicLink(file.toPath())) {
                addClasses(file, prefix + file.getName() + "/", names, depth + 1);
            } else {
                addClass(prefix + file.getName(), names);
            }
        }
    }

    /** Finds what each call asks for; tells the headings of what has the same name instead, or of all others. */
    private boolean findMembers(Class<?> type) {
        for (int number = 0; number < calls.size(); number++) {
            Map<?, ?> call = (Map<?, ?>) calls.get(number);
            Set<String> sameName = new TreeSet<>(), others = new TreeSet<>();
            Member best = null;
            for (Object wanted : list(call, "names")) {
                for (Member member : best == null ? candidates(type, call) : new ArrayList<Member>()) {
                    boolean isExact = is(call, "makes") || member.getName().equals(wanted);
                    boolean isNamed = isExact || isAnyCase && member.getName().equalsIgnoreCase((String) wanted);
                    String heading = member.toString().replaceAll("[^\\s(),.$]+[.$]| throws .*", "");
                    (isNamed ? sameName : others).add(heading.replace(",", ", "));
                    boolean isBetter = best == null || isExact && !best.getName().equals(wanted);
                    best = isNamed && isBetter && fits(member, call) ? member : best;
                }
            }
            if (best != null) {
                ((AccessibleObject) best).setAccessible(true);
                maker = is(call, "makes") ? (Constructor<?>) best : maker;
            } else if (!is(call, "optional")) {
                List<String> found = new ArrayList<>(sameName.isEmpty() ? others : sameName);
                found = found.subList(0, Math.min(found.size(), MOST_SHOWN));
                tell("event", "missing", "call", number, "same_name", !sameName.isEmpty(), "found", found);
                if (is(call, "makes")) {
                    return false; // and its methods are those of an object
                }
                continue;
            }
            members.add(best); // null where nothing is set
        }
        return members.size() == calls.size();
    }

    /** Of the class, of those that it extends, and then of all interfaces, whose methods may have a body. */
    private static List<Member> candidates(Class<?> type, Map<?, ?> call) {
        List<Member> members = new ArrayList<>();
        if (is(call, "makes")) {
            return List.of(type.getDeclaredConstructors());
        }
        List<Class<?>> owners = new ArrayList<>();
        for (Class<?> owner = type; owner != null && owner != Object.class; owner = owner.getSuperclass()) {
            owners.add(owner);
        }
        for (int i = 0; i < owners.size(); i++) {
            Collections.addAll(owners, owners.get(i).getInterfaces());
        }
        for (Class<?> owner : new LinkedHashSet<>(owners)) {
            for (Member each : is(call, "sets") ? owner.getDeclaredFields() : owner.getDeclaredMethods()) {
                boolean isMethod = each instanceof Method, isStatic = Modifier.isStatic(each.getModifiers());
                boolean isOwn = !owner.isInterface() || !isStatic || isMethod && owner == type;
                if (isOwn && !(isMethod && each.isSynthetic())) {
                    members.add(each);
                }
            }
        }
        return members;
    }

    /** Whether others may call or set it, with parameters of the types that are asked for. */
    private boolean fits(Member member, Map<?, ?> call) {
        int modifiers = member.getModifiers();
        List<?> types = list(call, "types");
        boolean isStatic = Modifier.isStatic(modifiers) || !is(call, "static");
        if (member instanceof Field) { // also a private one: it is the methods that are called from elsewhere
            Class<?> type = ((Field) member).getType();
            boolean canBeSet = type.isArray() || !Modifier.isFinal(modifiers);
            return type.getSimpleName().equals(types.get(0)) && canBeSet && isStatic;
        }
        Class<?>[] own = ((Executable) member).getParameterTypes();
        boolean isHidden = Modifier.isPrivate(modifiers) && !request.get("access").equals("any");
        boolean fits = !isHidden && !member.isSynthetic() && own.length == types.size();
        for (int i = 0; fits && i < own.length; i++) {
            fits = unboxed(own[i].getSimpleName()).equals(unboxed((String) types.get(i)));
        }
        if (member instanceof Constructor) {
            return fits && !Modifier.isAbstract(member.getDeclaringClass().getModifiers());
        }
        String returns = ((String) call.get("returns")).replaceAll("<.*>", "");
        String simple = unboxed(returns.substring(returns.lastIndexOf('.') + 1));
        String returned = unboxed(((Method) member).getReturnType().getSimpleName());
        fits &= returns.equals("void") || returned.equals(simple);
        return fits && isStatic && !Modifier.isAbstract(modifiers);
    }

    private static String unboxed(String type) {
        String element = type.replace("[]", "");
        return UNBOXED.getOrDefault(element, element) + type.substring(element.length());
    }

    /** Makes a call, and returns whether the next one is made. */
    private boolean makeCall(int number) throws ReflectiveOperationException {
        Member member = members.get(number);
        Map<?, ?> call = (Map<?, ?>) calls.get(number);
        flush();
        mark("", FileDescriptor.out);
        Object value;
        try {
            value = use(member, number == main ? ofMain() : arguments(member, list(call, "args")));
        } catch (InvocationTargetException | Error error) {
            flush();
            boolean goesOn = is(request, "goes_on") && !(member instanceof Constructor);
            tell("event", "raised", "error", raised(error), "goes_on", goesOn);
            return goesOn;
        }
        flush();
        tell("event", "returned", "value", told(value));
        if (number >= main) {
            List<Object> after = new ArrayList<>();
            for (Object arg : args) {
                after.add(told(arg));
            }
            tell("event", "args", "value", after);
        }
        return true;
    }

    private Object[] ofMain() throws ReflectiveOperationException {
        return args = args == null ? arguments(members.get(main), list((Map<?, ?>) calls.get(main), "args")) : args;
    }

    /** Makes an object, calls a method or sets a field; an array that is final gets what the other one holds. */
    private Object use(Member member, Object[] given) throws ReflectiveOperationException {
        if (member instanceof Constructor) {
            return instance = ((Constructor<?>) member).newInstance(given);
        }
        if (member instanceof Method) {
            return ((Method) member).invoke(instance, given);
        }
        Field field = (Field) member;
        if (field != null && !Modifier.isFinal(field.getModifiers())) {
            field.set(instance, given[0]);
        } else if (field != null && field.get(instance) != null) {
            Object own = field.get(instance);
            System.arraycopy(given[0], 0, own, 0, Math.min(Array.getLength(given[0]), Array.getLength(own)));
        }
        return null;
    }

    /** Makes the arguments; those of the main call may be given to others as they are. */
    private Object[] arguments(Member member, List<?> given) throws ReflectiveOperationException {
        Class<?>[] types = member instanceof Field ? new Class<?>[] {((Field) member).getType()}
                : member == null ? new Class<?>[0] : ((Executable) member).getParameterTypes();
        Object[] made = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            made[i] = converted(given.get(i), types[i]);
        }
        return made;
    }

    private Object converted(Object value, Class<?> type) throws ReflectiveOperationException {
        if (value instanceof Map) { // an argument of the main call, or another object of the class
            Number argument = (Number) ((Map<?, ?>) value).get("argument");
            return argument != null ? ofMain()[argument.intValue()]
                    : maker.newInstance(arguments(maker, list((Map<?, ?>) value, "new")));
        }
        if (value != null && type.isArray()) {
            List<?> items = (List<?>) value;
            Object array = Array.newInstance(type.getComponentType(), items.size());
            for (int i = 0; i < items.size(); i++) {
                Array.set(array, i, converted(items.get(i), type.getComponentType()));
            }
            return array;
        }
        switch (value == null ? "" : unboxed(type.getSimpleName())) {
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

    private static Map<String, Object> raised(Throwable thrown) {
        boolean isOurs = thrown instanceof InvocationTargetException || thrown instanceof ExceptionInInitializerError;
        Throwable error = isOurs && thrown.getCause() != null ? thrown.getCause() : thrown;
        List<String> kinds = new ArrayList<>();
        for (Class<?> kind = error.getClass(); kind != null && kind != Object.class; kind = kind.getSuperclass()) {
            kinds.add(kind.getName());
        }
        String place = "";
        try {
            for (StackTraceElement frame : error.getStackTrace()) {
                boolean isSystem = frame.getClassName().matches("(java|javax|jdk|sun|grader)\\..*");
                boolean isFirst = place.isEmpty() && !isSystem && frame.getFileName() != null;
                place = isFirst ? frame.getFileName() + ":" + frame.getLineNumber() : place;
            }
        } catch (Throwable ofTheStudent) {
            place = "";
        }
        return Json.object("type", kinds.get(0), "kinds", kinds, "message", message(error), "place", place);
    }

    /** Tells a value as a record has it: plain data, or what is known of another. */
    private Object told(Object value) {
        values = MOST_VALUES;
        characters = MOST_CHARACTERS;
        try {
            return plain(value, 0);
        } catch (Exception | StackOverflowError | OutOfMemoryError tooMuch) {
            return Json.object("opaque", value.getClass().getSimpleName());
        }
    }

    private Object plain(Object value, int depth) throws ReflectiveOperationException {
        Class<?> type = value == null ? Boolean.class : value.getClass();
        boolean isLarge = value instanceof BigInteger && ((BigInteger) value).bitLength() > MOST_BITS;
        if (--values < 0 || depth > DEEPEST || isLarge) {
            throw new IllegalStateException();
        }
        if (PLAIN.contains(type)) {
            return value;
        }
        if (type == Double.class || type == Float.class) {
            return Double.isFinite(((Number) value).doubleValue()) ? value : Json.object("float", value.toString());
        }
        if (value instanceof String || value instanceof Character) {
            return counted(value.toString());
        }
        if (type.isArray()) {
            return all(value, depth);
        }
        List<Object> pairs = new ArrayList<>();
        if (String.valueOf(type.getSuperclass()).equals("class java.lang.Record")) { // which is there since Java 16
            for (Field field : type.getDeclaredFields()) { // as they are: none of the student's code has a say in it
                if (!Modifier.isStatic(field.getModifiers())) {
                    field.setAccessible(true);
                    pairs.add(new Object[] {field.getName(), field.get(value)});
                }
            }
            return Json.object("map", all(pairs.toArray(), depth + 1));
        }
        boolean isOfJava = type.getName().startsWith("java.");
        if (isOfJava && value instanceof Map) {
            for (Map.Entry<?, ?> pair : ((Map<?, ?>) value).entrySet()) {
                pairs.add(new Object[] {pair.getKey(), pair.getValue()});
            }
            return Json.object("map", all(pairs.toArray(), depth + 1));
        }
        if (value instanceof Optional) {
            return plain(((Optional<?>) value).orElse(null), depth + 1);
        }
        if (isOfJava && value instanceof Collection) {
            Object[] items = ((Collection<?>) value).toArray();
            return value instanceof Set ? Json.object("set", all(items, depth + 1)) : all(items, depth);
        }
        return object(value);
    }

    private List<Object> all(Object array, int depth) throws ReflectiveOperationException {
        if (Array.getLength(array) > values) {
            throw new IllegalStateException();
        }
        List<Object> told = new ArrayList<>();
        for (int i = 0; i < Array.getLength(array); i++) {
            told.add(plain(Array.get(array, i), depth + 1));
        }
        return told;
    }

    /** Tells the type of an object, and what that says of it, if it does. */
    private Object object(Object value) {
        String type = value.getClass().getSimpleName();
        try {
            boolean says = value.getClass().getMethod("toString").getDeclaringClass() != Object.class;
            String text = says ? value.toString() : null;
            boolean isShown = text != null && text.length() <= characters;
            return isShown ? Json.object("opaque", type, "text", counted(text)) : Json.object("opaque", type);
        } catch (Throwable ofTheStudent) {
            return Json.object("opaque", type);
        }
    }

    private String counted(String text) {
        int size = Math.min(text.length(), MOST_CHARACTERS + 1);
        characters -= size > MOST_CHARACTERS || text.matches("\\p{ASCII}*") ? size : size * LONGEST_ESCAPE;
        if (characters < 0) {
            throw new IllegalStateException();
        }
        return text;
    }
}
