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
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.engine.JupiterTestEngine;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestEngine;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.MultipleFailuresError;

/**
 * Runs a method of a unit test with JUnit, or several that share a process, and tells what came of each. It and JUnit are
 * first on the class path, and nothing that JUnit would look for there (engines, listeners, extensions, settings) is taken
 * from what was handed in.
 *
 * <p>Standard input begins with ten digits, the length of a request, and the request, whose fields are lines; it is read
 * before any code of the student's is loaded, and what follows is the student's input. A file that the request names gets
 * a line when a method begins, and one when it is over, which is when another begins, or at the end: JSON behind a digest
 * of it and of all lines before, which nobody can make who has not the secret of the request. Of the secret nothing is
 * left but the state of a digest, which is on the stack of the main thread alone; the tests run in another thread, which
 * hands over each line. What is written first on standard output shows that it started.
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
    private final String mark;
    private final Map<String, Result> results = new LinkedHashMap<>();
    private final SynchronousQueue<String> lines = new SynchronousQueue<>();
    private final SynchronousQueue<Boolean> written = new SynchronousQueue<>();
    /** The methods of the plan that are not over, by the identifiers of JUnit: several may have one name. */
    private final Map<String, String> waiting = new HashMap<>();
    private String current = "";
    private Result running;
    private TestPlan plan;

    /** What came of a method so far. */
    private static final class Result {
        private final List<String> failures = Collections.synchronizedList(new ArrayList<>());
        private final List<Integer> passed = new ArrayList<>();
        private final List<Integer> skipped = new ArrayList<>();
        private final Map<String, Integer> values = new HashMap<>();
        private final int place;
        private String loading = "null";
        private int runs;
        private int done;
        private boolean isPlanned;
        private boolean isBegun;
        private boolean isOver;
        private long start;
        private long time;
        private long cpu;
        private long used;

        private Result(int place) {
            this.place = place;
        }

        private void add(String failure) {
            if (failures.size() < MOST_FAILURES) {
                failures.add(failure);
            }
        }
    }

    private UnitProbe(String[] fields) {
        this.file = Path.of(fields[5]).getFileName().toString();
        this.isOld = fields[3].equals("junit4");
        this.mark = fields[0];
        for (String method : fields[6].split("\t")) {
            results.put(method, new Result(results.size()));
        }
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
        UnitProbe probe = new UnitProbe(fields);
        Thread tests = new Thread(probe::runAll, "tests");
        tests.setDaemon(true);
        tests.setUncaughtExceptionHandler((thread, error) -> Runtime.getRuntime().halt(1));
        tests.start();
        for (String line = probe.lines.take(); !line.isEmpty(); line = probe.lines.take()) {
            content.update(line.getBytes(StandardCharsets.UTF_8));
            MessageDigest sealed = (MessageDigest) seal.clone();
            sealed.update(hex(((MessageDigest) content.clone()).digest()).getBytes(StandardCharsets.UTF_8));
            OutputStream record = Files.newOutputStream(told, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            record.write((hex(sealed.digest()) + line + "\n").getBytes(StandardCharsets.UTF_8));
            record.close();
            probe.written.put(true);
        }
        Runtime.getRuntime().halt(0);
    }

    private void runAll() {
        try {
            run();
        } catch (Throwable error) {
            String told = failure(error, "");
            if (!current.isEmpty()) {  // JUnit ends the run where there is no memory left
                results.get(current).add(told);
            }
            for (Result each : current.isEmpty() ? results.values() : List.<Result>of()) {
                each.loading = told;
            }
        }
        for (Map.Entry<String, Result> each : results.entrySet()) {
            Result result = each.getValue();
            boolean isKnown = !result.isPlanned || !result.failures.isEmpty() || !result.loading.equals("null");
            if (isKnown || result.isBegun || results.size() == 1) {
                finish(each.getKey(), result);
            }
        }
        hand("");
    }

    /** Hands a line over to the main thread, and waits until it is written. */
    private void hand(String line) {
        boolean isInterrupted = Thread.interrupted();
        try {
            lines.put(line);
            if (!line.isEmpty()) {
                written.take();
            }
        } catch (InterruptedException again) {
            Runtime.getRuntime().halt(1);
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void begin(String method, Result result) {
        if (method.equals(current)) {
            return;
        }
        stop();
        for (Map.Entry<String, Result> each : results.entrySet()) {
            Result other = each.getValue();
            if (other.isBegun && !other.isOver && !waiting.containsValue(each.getKey())) {
                finish(each.getKey(), other);
            }
        }
        current = method;
        result.isBegun = true;
        running = result;
        hand("{\"event\": \"begin\", \"method\": " + quoted(method) + "}");
        result.start = System.nanoTime();
        result.used = used();
        if (results.size() == 1) {
            return;
        }
        for (FileDescriptor stream : new FileDescriptor[] {FileDescriptor.out, FileDescriptor.err}) {
            try {
                new FileOutputStream(stream).write(("\u001e" + mark + " " + result.place + "\n").getBytes());
            } catch (IOException closed) {  // by the student
                continue;
            }
        }
    }

    /** Adds up what a method took when it is over, or when another comes between its runs. */
    private void stop() {
        if (running != null) {
            running.time += System.nanoTime() - running.start;
            running.cpu += used() - running.used;
            running = null;
        }
    }

    private void finish(String method, Result result) {
        if (result.isOver) {
            return;
        }
        result.isOver = true;
        System.out.flush();
        if (running == result) {
            stop();
        }
        hand("{\"event\": \"over\", \"method\": " + quoted(method) + ", \"runs\": " + result.runs + ", \"done\": "
            + result.done + ", \"time\": " + result.time / 1000000 + ", \"cpu\": " + result.cpu / 1000000
            + ", \"loading\": " + result.loading
            + ", \"values\": " + result.runs + ", \"passed\": " + result.passed + ", \"skipped\": " + result.skipped
            + ", \"failures\": [" + String.join(", ", result.failures) + "]}");
    }

    /** Returns the nanoseconds of the processor that the process used, in steps of ten milliseconds. */
    private static long used() {
        try {
            String told = Files.readString(Path.of("/proc/self/stat"));
            String[] fields = told.substring(told.lastIndexOf(')') + 2).split(" ");
            return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * 10000000;
        } catch (IOException | RuntimeException none) {
            return 0;
        }
    }

    private static String read(InputStream in, int length) throws IOException {
        byte[] data = new byte[length];
        new DataInputStream(in).readFully(data);
        return new String(data, StandardCharsets.UTF_8);
    }

    private void run() throws ReflectiveOperationException {
        LauncherConfig config = LauncherConfig.builder()
            .enableTestEngineAutoRegistration(false)
            .enableLauncherSessionListenerAutoRegistration(false)
            .enableLauncherDiscoveryListenerAutoRegistration(false)
            .enablePostDiscoveryFilterAutoRegistration(false)
            .enableTestExecutionListenerAutoRegistration(false)
            .addTestEngines(engines())
            .build();
        Launcher launcher = LauncherFactory.create(config);
        Set<DiscoverySelector> selectors = new LinkedHashSet<>();
        Map<String, Class<?>> owners = new LinkedHashMap<>();
        for (String name : results.keySet()) {
            Class<?> owner = Class.forName(ownerOf(name), false, UnitProbe.class.getClassLoader());
            owners.put(name, owner);
            selectors.addAll(isOld ? List.of(selectClass(owner)) : find(owner, methodOf(name)));
        }
        LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request()
            .selectors(List.copyOf(selectors))
            .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "false")
            .configurationParameter("junit.jupiter.conditions.deactivate", "")
            .configurationParameter("junit.jupiter.execution.parallel.enabled", "false");
        if (isOld) {  // JUnit 4 finds a method that has parameters by its class alone
            request.filters((PostDiscoveryFilter) test -> FilterResult.includedIf(owners.entrySet().stream().anyMatch(
                each -> isOf(test, each.getValue(), methodOf(each.getKey())))));
        }
        launcher.execute(request.build(), this);
    }

    private static String ownerOf(String name) {
        return name.substring(0, name.lastIndexOf('.'));
    }

    private static String methodOf(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
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
    public void testPlanExecutionStarted(TestPlan started) {
        plan = started;
        for (TestIdentifier root : plan.getRoots()) {
            for (TestIdentifier each : plan.getDescendants(root)) {
                for (String name : methodsOf(each)) {
                    results.get(name).isPlanned = true;
                    if (isMethod(each)) {
                        waiting.put(each.getUniqueId(), name);
                    }
                }
            }
        }
    }

    @Override
    public synchronized void executionStarted(TestIdentifier test) {
        for (String name : methodsOf(test)) {
            begin(name, results.get(name));
            if (test.isTest()) {
                results.get(name).values.put(test.getUniqueId(), results.get(name).runs++);
            }
        }
    }

    @Override
    public synchronized void executionSkipped(TestIdentifier test, String reason) {
        waiting.remove(test.getUniqueId());
        for (String name : test.isContainer() && methodsOf(test).isEmpty() ? methodsBelow(test) : methodsOf(test)) {
            results.get(name).skipped.add(results.get(name).runs++);
            results.get(name).add("{\"kind\": \"skipped\", \"message\": " + quoted(reason) + "}");
        }
    }

    @Override
    public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
        Throwable error = result.getThrowable().orElse(null);
        waiting.remove(test.getUniqueId());
        List<String> own = methodsOf(test);
        for (String name : own.isEmpty() && result.getStatus() != Status.SUCCESSFUL ? methodsBelow(test) : own) {
            Result found = results.get(name);
            found.done += test.isTest() ? 1 : 0;
            Integer value = found.values.get(test.getUniqueId());
            if (value != null && result.getStatus() != Status.FAILED) {
                (result.getStatus() == Status.SUCCESSFUL ? found.passed : found.skipped).add(value);
            }
            if (result.getStatus() == Status.ABORTED) {
                found.add("{\"kind\": \"skipped\", \"message\": " + quoted(error == null ? "" : message(error)) + "}");
            } else if (result.getStatus() != Status.SUCCESSFUL && test.isTest()) {
                found.add(failure(error, given(test)));
            } else if (result.getStatus() != Status.SUCCESSFUL && found.loading.equals("null")) {
                found.loading = failure(error, "");
            }
        }
    }

    /** Returns the method that a test is a run of, or is about its runs; none for a class. */
    private List<String> methodsOf(TestIdentifier test) {
        if (results.size() == 1) {
            return test.isTest() || isMethod(test) ? List.copyOf(results.keySet()) : List.of();
        }
        for (TestIdentifier each = test; each != null; each = plan.getParent(each).orElse(null)) {
            if (isMethod(each)) {
                MethodSource source = (MethodSource) each.getSource().get();
                String owner = classOf(each, source);
                String name = owner + "." + source.getMethodName();
                return results.containsKey(name) ? List.of(name) : List.of();
            }
        }
        return List.of();
    }

    private static boolean isMethod(TestIdentifier test) {
        return test.getSource().orElse(null) instanceof MethodSource;
    }

    /** Returns the class that is run, which may inherit the method. */
    private String classOf(TestIdentifier test, MethodSource source) {
        for (TestIdentifier each = test; each != null; each = plan.getParent(each).orElse(null)) {
            if (each.getSource().orElse(null) instanceof ClassSource) {
                return ((ClassSource) each.getSource().get()).getClassName();
            }
        }
        return source.getClassName();
    }

    /** Returns the methods that wait for a class; when all of them have begun, the last. */
    private List<String> methodsBelow(TestIdentifier container) {
        List<String> below = new ArrayList<>();
        for (TestIdentifier each : plan.getDescendants(container)) {
            for (String name : methodsOf(each)) {
                if (!below.contains(name) && !results.get(name).isBegun) {
                    below.add(name);
                }
            }
        }
        if (results.size() == 1) {
            return List.copyOf(results.keySet());
        }
        return below.isEmpty() && !current.isEmpty() ? List.of(current) : below;
    }

    private static String given(TestIdentifier test) {
        String id = test.getUniqueId();
        String name = test.getDisplayName();
        if (id.contains("[test-template-invocation:") || id.contains("[dynamic-test:")) {
            return name;
        }
        return id.startsWith("[engine:junit-vintage]") && name.indexOf('[') > 0 ? name.substring(name.indexOf('[')) : "";
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
}
