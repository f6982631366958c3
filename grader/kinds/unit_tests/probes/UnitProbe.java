package grader;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedMethod;

import java.io.DataInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.Security;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.engine.JupiterTestEngine;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestEngine;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.MultipleFailuresError;

/**
 * Runs one method of a unit test with JUnit and tells what came of it. It and JUnit are first on the class path, and
 * nothing that JUnit would look for there (engines, listeners, extensions, settings) is taken from what was handed in.
 *
 * <p>Standard input begins with ten digits, the length of a request, and the request, whose fields are lines; it is read
 * before any code of the student's is loaded, and what follows is the student's input. When all is over, and not before,
 * a file that the request names is written: a record in JSON behind a digest that nobody can make who has not the secret
 * of the request. Of the secret nothing is left but the state of a digest, which is on the stack alone. What is written
 * first on standard output shows that it started.
 */
public final class UnitProbe implements TestExecutionListener {

    private static final int LONGEST = 2000;
    private static final int MOST_FAILURES = 20;
    /** What JUnit 4 and 3 say, which have no fields for the values; then what Hamcrest says. */
    private static final Pattern OLD = Pattern.compile(
        "(?s)(.*?)\\s*expected(?: same)?:\\s*([\\w.$]*)<(.*)> (?:but was|was not):\\s*([\\w.$]*)<(.*)>");
    private static final Pattern NOT_NULL = Pattern.compile("(?s)(.*?)\\s*expected null, but was:<(.*)>");
    private static final Pattern MATCHED = Pattern.compile("(?s)(.*?)\\s*Expected: (?:is )?(.*)\n\\s+but: (?:was )?(.*)");
    private static final String[] OTHERS = {
        "org.junit.", "junit.", "org.opentest4j.", "grader.", "org.hamcrest.", "org.assertj.", "com.google.common.truth.",
    };

    private final String file;
    private final boolean isOld;
    private final List<String> failures = Collections.synchronizedList(new ArrayList<>());
    private String loading = "null";
    private int runs;
    private int done;

    private UnitProbe(String file, boolean isOld) {
        this.file = file;
        this.isOld = isOld;
    }

    public static void main(String[] args) throws Exception {
        InputStream in = new FileInputStream(FileDescriptor.in);
        String[] fields = read(in, Integer.parseInt(read(in, 10))).split("\n", -1);
        // Both are made before any code of the student's is there, which could add a provider of digests of its own.
        MessageDigest seal = MessageDigest.getInstance("SHA-256", Security.getProvider("SUN"));
        MessageDigest content = MessageDigest.getInstance("SHA-256", Security.getProvider("SUN"));
        seal.update(fields[2].getBytes(StandardCharsets.UTF_8));
        fields[2] = "";
        OutputStream out = new FileOutputStream(FileDescriptor.out);
        out.write(("\u001e" + fields[0] + "\n").getBytes(StandardCharsets.UTF_8));
        Path told = Path.of(fields[1]).toAbsolutePath();
        UnitProbe probe = new UnitProbe(Path.of(fields[5]).getFileName().toString(), fields[3].equals("junit4"));
        probe.run(fields[6]);
        System.out.flush();
        byte[] found = probe.record();
        seal.update(hex(content.digest(found)).getBytes(StandardCharsets.UTF_8));
        OutputStream record = Files.newOutputStream(told, StandardOpenOption.CREATE_NEW);
        record.write(hex(seal.digest()).getBytes(StandardCharsets.UTF_8));
        record.write(found);
        record.close();
        Runtime.getRuntime().halt(0);
    }

    private static String read(InputStream in, int length) throws IOException {
        byte[] data = new byte[length];
        new DataInputStream(in).readFully(data);
        return new String(data, StandardCharsets.UTF_8);
    }

    private void run(String name) {
        try {
            LauncherConfig config = LauncherConfig.builder()
                .enableTestEngineAutoRegistration(false)
                .enableLauncherSessionListenerAutoRegistration(false)
                .enableLauncherDiscoveryListenerAutoRegistration(false)
                .enablePostDiscoveryFilterAutoRegistration(false)
                .enableTestExecutionListenerAutoRegistration(false)
                .addTestEngines(engines())
                .build();
            Launcher launcher = LauncherFactory.create(config);
            String wanted = name.substring(name.lastIndexOf('.') + 1);
            Class<?> owner = Class.forName(
                name.substring(0, name.lastIndexOf('.')), false, UnitProbe.class.getClassLoader());
            LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request()
                .selectors(isOld ? List.of(selectClass(owner)) : find(owner, wanted))
                .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "false")
                .configurationParameter("junit.jupiter.conditions.deactivate", "")
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "false");
            if (isOld) {  // JUnit 4 finds a method that has parameters by its class alone
                request.filters((PostDiscoveryFilter) test -> FilterResult.includedIf(
                    isOf(test, owner, wanted)));
            }
            launcher.execute(request.build(), this);
        } catch (Throwable error) {
            loading = failure(error, "");
        }
    }

    private TestEngine[] engines() throws ReflectiveOperationException {
        if (!isOld) {
            return new TestEngine[] {new JupiterTestEngine()};
        }
        Class<?> vintage = Class.forName("org.junit.vintage.engine.VintageTestEngine");
        return new TestEngine[] {
            new JupiterTestEngine(), (TestEngine) vintage.getDeclaredConstructor().newInstance(),
        };
    }

    private static boolean isOf(TestDescriptor test, Class<?> owner, String wanted) {
        TestSource source = test.getSource().orElse(null);
        if (!(source instanceof MethodSource)) {  // JUnit 3 warns of another method by a test that fails
            return !test.isTest() || !test.getDisplayName().startsWith("warning");
        }
        MethodSource method = (MethodSource) source;
        return method.getMethodName().equals(wanted) && method.getJavaClass().isAssignableFrom(owner);
    }

    private static List<DiscoverySelector> find(Class<?> owner, String wanted) {
        List<Class<?>> around = new ArrayList<>();
        Class<?> outer = owner;
        while (outer.isMemberClass() && !Modifier.isStatic(outer.getModifiers())) {
            outer = outer.getDeclaringClass();
            around.add(0, outer);
        }
        List<Method> methods = new ArrayList<>();
        for (Class<?> each = owner; each != null && methods.isEmpty(); each = each.getSuperclass()) {
            addNamed(methods, each.getDeclaredMethods(), wanted);
        }
        if (methods.isEmpty()) {  // of an interface
            addNamed(methods, owner.getMethods(), wanted);
        }
        List<DiscoverySelector> found = new ArrayList<>();
        for (Method method : methods) {
            found.add(around.isEmpty() ? selectMethod(owner, method) : selectNestedMethod(around, owner, method));
        }
        return found;
    }

    private static void addNamed(List<Method> found, Method[] methods, String wanted) {
        for (Method method : methods) {
            if (method.getName().equals(wanted) && !method.isSynthetic()) {
                found.add(method);
            }
        }
    }

    @Override
    public synchronized void executionStarted(TestIdentifier test) {
        runs += test.isTest() ? 1 : 0;
    }

    @Override
    public synchronized void executionSkipped(TestIdentifier test, String reason) {
        runs++;
        add("{\"kind\": \"skipped\", \"message\": " + quoted(reason) + "}");
    }

    @Override
    public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
        done += test.isTest() ? 1 : 0;
        Throwable error = result.getThrowable().orElse(null);
        if (result.getStatus() == Status.ABORTED) {
            add("{\"kind\": \"skipped\", \"message\": " + quoted(error == null ? "" : message(error)) + "}");
        } else if (result.getStatus() != Status.SUCCESSFUL && test.isTest()) {
            add(failure(error, given(test)));
        } else if (result.getStatus() != Status.SUCCESSFUL && loading.equals("null")) {
            loading = failure(error, "");
        }
    }

    private static String given(TestIdentifier test) {
        String id = test.getUniqueId();
        String name = test.getDisplayName();
        if (id.contains("[test-template-invocation:") || id.contains("[dynamic-test:")) {
            return name;
        }
        return id.startsWith("[engine:junit-vintage]") && name.indexOf('[') > 0 ? name.substring(name.indexOf('[')) : "";
    }

    private void add(String failure) {
        if (failures.size() < MOST_FAILURES) {
            failures.add(failure);
        }
    }

    private byte[] record() {
        String told = "{\"event\": \"over\", \"runs\": " + runs + ", \"done\": " + done + ", \"loading\": " + loading
            + ", \"failures\": [" + String.join(", ", failures) + "]}";
        return told.getBytes(StandardCharsets.UTF_8);
    }

    // ------------------------------------------------------------ telling failures

    /** Tells a failure in any case: what is thrown may be of a class of the student's, whose methods throw. */
    private String failure(Throwable error, String given) {
        try {
            return describe(error, given);
        } catch (Throwable own) {
            return "{\"kind\": \"exception\", \"type\": " + quoted(error == null ? "" : error.getClass().getName()) + "}";
        }
    }

    private String describe(Throwable error, String given) {
        if (error instanceof MultipleFailuresError && !((MultipleFailuresError) error).getFailures().isEmpty()) {
            return describe(((MultipleFailuresError) error).getFailures().get(0), given);
        }
        if (error instanceof ExceptionInInitializerError && error.getCause() != null) {
            return describe(error.getCause(), given);
        }
        String test = "";
        String own = "";
        for (StackTraceElement frame : error.getStackTrace()) {
            String source = frame.getFileName() == null ? "" : frame.getFileName();
            if (source.equals(file)) {
                test = test.isEmpty() ? source + ":" + frame.getLineNumber() : test;
            } else if (!isOther(frame) && own.isEmpty() && test.isEmpty()) {
                own = source + ":" + frame.getLineNumber();
            }
        }
        boolean isLate = error.getClass().getName().equals("org.junit.runners.model.TestTimedOutException")
            || error instanceof TimeoutException && own.isEmpty();
        boolean isAssertion = error instanceof AssertionError && own.isEmpty() || isLate;
        String told = "{\"kind\": \"" + (isAssertion ? "assertion" : "exception") + "\"";
        told += ", \"type\": " + quoted(error.getClass().getName()) + ", \"given\": " + quoted(given);
        told += ", \"place\": " + quoted(own) + ", \"test_place\": " + quoted(test);
        told += ", \"lacks\": " + quoted(lacks(error));
        String[] values = isAssertion && !isLate ? values(error) : new String[] {message(error)};
        if (values.length > 1) {
            told += ", \"wanted\": " + quoted(values[1]) + ", \"found\": " + quoted(values[2]);
        }
        return told + ", \"message\": " + quoted(values[0]) + "}";
    }

    /** Returns the class that was not found, where that is the cause. */
    private static String lacks(Throwable error) {
        String lacks = "";
        Throwable cause = error;
        for (int depth = 0; cause != null && depth < MOST_FAILURES; depth++) {
            if (cause instanceof NoClassDefFoundError || cause instanceof ClassNotFoundException) {
                lacks = message(cause);
            }
            cause = cause.getCause();
        }
        return lacks;
    }

    private static boolean isOther(StackTraceElement frame) {
        boolean isOther = frame.getModuleName() != null;
        for (String name : OTHERS) {
            isOther |= frame.getClassName().startsWith(name);
        }
        try {  // what the course brings, in archives or beside the test, is no code of the student's either
            Class<?> owner = Class.forName(frame.getClassName(), false, UnitProbe.class.getClassLoader());
            String from = owner.getProtectionDomain().getCodeSource().getLocation().getPath();
            return isOther || from.contains("/.grader-unit/");
        } catch (Throwable unknown) {
            return isOther;
        }
    }

    /** Returns the message of an assertion; and what was wanted and found, where that is known. */
    private static String[] values(Throwable error) {
        String message = message(error);
        if (error instanceof AssertionFailedError) {
            AssertionFailedError failed = (AssertionFailedError) error;
            if (failed.isExpectedDefined() && failed.isActualDefined()) {
                int arrow = message.indexOf(" ==> ");
                String first = message.lines().findFirst().orElse("").strip();
                message = arrow >= 0 ? message.substring(0, arrow) : first.startsWith("[") ? first : "";
                return new String[] {
                    message, failed.getExpected().getStringRepresentation(), failed.getActual().getStringRepresentation(),
                };
            }
        }
        String name = error.getClass().getName();
        if (name.equals("org.junit.ComparisonFailure") || name.equals("junit.framework.ComparisonFailure")) {
            String before = message.substring(0, Math.max(0, message.indexOf("expected:<"))).strip();
            return new String[] {before, part(error, "getExpected"), part(error, "getActual")};
        }
        Matcher matched = MATCHED.matcher(message);
        if (matched.matches()) {
            return new String[] {matched.group(1), matched.group(2), matched.group(3)};
        }
        Matcher old = OLD.matcher(message);
        if (old.matches()) {
            boolean isAlike = old.group(3).equals(old.group(5));
            String before = old.group(1).endsWith(";") ? old.group(1).substring(0, old.group(1).length() - 1) : old.group(1);
            return new String[] {
                before,
                isAlike ? old.group(2) + "<" + old.group(3) + ">" : old.group(3),
                isAlike ? old.group(4) + "<" + old.group(5) + ">" : old.group(5),
            };
        }
        Matcher none = NOT_NULL.matcher(message);
        if (none.matches()) {
            return new String[] {none.group(1), "null", none.group(2)};
        }
        if (name.startsWith("org.mockito.")) {  // what it says of places begins with an arrow
            return new String[] {
                message.lines().map(String::strip).filter(line -> !line.isEmpty() && !line.startsWith("->"))
                    .collect(Collectors.joining(" ")),
            };
        }
        return new String[] {name.startsWith("org.") ? message : message.strip().replaceAll("\\s+", " ")};
    }

    private static String part(Throwable error, String method) {
        try {
            return String.valueOf(error.getClass().getMethod(method).invoke(error));
        } catch (ReflectiveOperationException none) {
            return "";
        }
    }

    private static String message(Throwable error) {
        try {
            String told = error.getMessage() == null ? "" : error.getMessage();
            return told.substring(0, Math.min(told.length(), 4 * LONGEST));
        } catch (Throwable own) {
            return "";
        }
    }

    private static String hex(byte[] data) {
        StringBuilder written = new StringBuilder();
        for (byte each : data) {
            written.append(Character.forDigit(each >> 4 & 15, 16)).append(Character.forDigit(each & 15, 16));
        }
        return written.toString();
    }

    /** Writes a text as JSON has it, in ASCII. */
    private static String quoted(String text) {
        StringBuilder written = new StringBuilder("\"");
        String line = text == null ? "" : text.lines().findFirst().orElse("");
        for (char each : line.substring(0, Math.min(line.length(), LONGEST)).toCharArray()) {
            if (each == '"' || each == '\\' || each < ' ' || each > '~') {
                written.append(String.format("\\u%04x", (int) each));
            } else {
                written.append(each);
            }
        }
        return written.append('"').toString();
    }

    /** Assertions that ask for the opposite, for the second run of a method that passed. */
    public static final class Turned {

        private Turned() { }

        public static void assertEquals(Object expected, Object actual, Object... more) {
            boolean isTolerant = more.length > 0 && more[0] instanceof Number;
            boolean isSame = expected == null ? actual == null : expected.equals(actual);
            if (!isSame && isNumber(expected) && isNumber(actual)) {
                // JUnit compares some of them as floats: what it may have taken for the same is the same.
                double tolerance = isTolerant ? Math.abs(((Number) more[0]).doubleValue()) * 1.01 : 0;
                double first = number(expected);
                double second = number(actual);
                isSame = Math.abs(first - second) <= tolerance || Float.compare((float) first, (float) second) == 0;
            }
            boolean equalsAll = expected != null && expected.equals(new Object());
            if (isSame && !equalsAll) {
                throw new AssertionFailedError();
            }
        }

        private static boolean isNumber(Object value) {
            return value instanceof Number || value instanceof Character;
        }

        private static double number(Object value) {
            return value instanceof Character ? (Character) value : ((Number) value).doubleValue();
        }

        public static <T extends Throwable> T assertThrows(Class<T> type, Executable code, Object... more) {
            try {
                code.execute();
            } catch (Throwable error) {
                throw new AssertionFailedError();
            }
            return null;
        }
    }

    /** The same for JUnit 4 and 3, whose message comes before the values. */
    public static final class TurnedOld {

        private TurnedOld() { }

        public static void assertEquals(Object... given) {
            boolean isTolerant = given.length == 3
                && Turned.isNumber(given[0]) && Turned.isNumber(given[1]) && Turned.isNumber(given[2]);
            if (isTolerant || given.length == 2) {
                Turned.assertEquals(given[0], given[1], isTolerant ? new Object[] {given[2]} : new Object[0]);
            } else {
                Turned.assertEquals(given[1], given[2], given.length > 3 ? new Object[] {given[3]} : new Object[0]);
            }
        }

        /** Runs what JUnit 4 calls a ThrowingRunnable. */
        public static <T extends Throwable> T assertThrows(Class<T> type, Executable code) {
            return Turned.assertThrows(type, code);
        }

        public static <T extends Throwable> T assertThrows(String message, Class<T> type, Executable code) {
            return Turned.assertThrows(type, code);
        }

        /** Nobody throws it. */
        public static final class Never extends Throwable { }
    }
}
