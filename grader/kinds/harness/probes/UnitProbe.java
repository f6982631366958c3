package grader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.platform.engine.discovery.DiscoverySelectors.*;

import java.io.*;
import java.lang.reflect.Method;
import java.util.*;
import java.util.concurrent.TimeoutException;
import java.util.regex.*;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.engine.JupiterTestEngine;
import org.junit.platform.commons.function.Try;
import org.junit.platform.commons.support.*;
import org.junit.platform.engine.*;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.support.descriptor.*;
import org.junit.platform.launcher.*;
import org.junit.platform.launcher.core.*;
import org.opentest4j.*;

/**
 * Runs a method of a unit test with JUnit, or several that share a process, and tells what came of each. JUnit and it are
 * first on the class path, and nothing that JUnit would look for there (engines, listeners, extensions, settings) is taken
 * from what was handed in. A line says that a method begins; one what came of it, when another begins or at the end.
 */
public final class UnitProbe extends Harness implements TestExecutionListener {

    private static final int LONGEST = 2000, MOST_FAILURES = 20;
    /** What JUnit 4 and 3 say, which have no fields for the values; then what Hamcrest says. */
    private static final Pattern OLD = Pattern.compile(
        "(?s)(.*?)\\s*expected(?: same)?:\\s*([\\w.$]*)<(.*)> (?:but was|was not):\\s*([\\w.$]*)<(.*)>");
    private static final Pattern NOT_NULL = Pattern.compile("(?s)(.*?)\\s*expected (null), but was:<(.*)>");
    private static final Pattern MATCHED = Pattern.compile("(?s)(.*?)\\s*Expected: (?:is )?(.*)\n\\s+but: (?:was )?(.*)");
    private static final Pattern OTHERS = Pattern.compile(
        "(junit|grader|org\\.(junit|opentest4j|hamcrest|assertj)|com\\.google\\.common\\.truth)\\.");

    private final String file = new File((String) request.get("file")).getName();
    private final boolean isOld = request.get("framework").equals("junit4");
    private final Map<String, Result> results = new LinkedHashMap<>();
    /** The methods of the plan that are not over, by the identifiers of JUnit: several may have one name. */
    private final Map<String, Result> waiting = new HashMap<>();
    private Result current;
    private TestPlan plan;

    /** What came of a method so far. */
    private static final class Result {
        private final List<Object> failures = Collections.synchronizedList(new ArrayList<>());
        private final List<Integer> passed = new ArrayList<>(), skipped = new ArrayList<>();
        private final Map<String, Integer> values = new HashMap<>();
        private final String name, method;
        private Class<?> owner;
        private Object loading;
        private int runs, done;
        private boolean isPlanned, isBegun, isOver, isRunning;
        private long time, cpu;

        private Result(String name) {
            this.name = name;
            method = name.substring(name.lastIndexOf('.') + 1);
        }

        private void add(Object failure) {
            if (failures.size() < MOST_FAILURES) {
                failures.add(failure);
            }
        }

        /** Begins to count what it takes; or stops, when it is over or another comes between its runs. */
        private void count(boolean begins) {
            if (isRunning != begins) {
                isRunning = begins;
                time = System.nanoTime() - time;
                cpu = ProcessHandle.current().info().totalCpuDuration().map(each -> each.toNanos()).orElse(0L) - cpu;
            }
        }
    }

    private UnitProbe() throws IOException {
        for (Object method : list(request, "methods")) {
            results.put((String) method, new Result((String) method));
        }
    }

    public static void main(String[] args) throws Exception {
        new UnitProbe().serve("tests");
    }

    /** The compiler for copies of a test, each with the words behind a plus, in one machine. */
    static final class Copies {
        public static void main(String[] words) {
            int status = 0;
            for (String copy : String.join("\n", words).substring(2).split("\n\\+\n")) {
                status |= ToolProvider.getSystemJavaCompiler().run(null, null, null, copy.split("\n"));
            }
            System.exit(status);
        }
    }

    /** Two tests that are compiled and run once: the classes that this takes are what machines share. */
    static class Warmup {
        @Test void passes() { assertEquals(1, 1); }
        @Test void fails() { assertEquals("a", "b"); }
    }

    @Override
    void fail(Throwable fault) {
        Object told = failure(fault, "");
        if (current != null) { // JUnit ends the run where there is no memory left
            current.add(told);
        } else {
            results.values().forEach(each -> each.loading = told);
        }
        end();
    }

    private void end() {
        for (Result each : results.values()) {
            boolean isKnown = !each.isPlanned || !each.failures.isEmpty() || each.loading != null;
            if (isKnown || each.isBegun || results.size() == 1) {
                finish(each);
            }
        }
    }

    private void begin(Result result) {
        if (result == current) {
            return;
        }
        for (Result each : results.values()) {
            each.count(false);
            if (each.isBegun && !waiting.containsValue(each)) {
                finish(each);
            }
        }
        current = result;
        result.isBegun = true;
        tell("event", "begin", "method", result.name);
        result.count(true);
        if (results.size() > 1) {
            mark(" " + List.copyOf(results.values()).indexOf(result), FileDescriptor.out, FileDescriptor.err);
        }
    }

    private void finish(Result result) {
        if (!result.isOver) {
            result.isOver = true;
            flush();
            result.count(false);
            tell("event", "over", "method", result.name, "runs", result.runs, "done", result.done,
                "time", result.time / 1000000, "cpu", result.cpu / 1000000, "loading", result.loading,
                "values", result.runs, "passed", result.passed, "skipped", result.skipped, "failures", result.failures);
        }
    }

    @Override
    void work() throws ReflectiveOperationException {
        LauncherConfig.Builder config = LauncherConfig.builder()
            .enableTestEngineAutoRegistration(false)
            .enableLauncherSessionListenerAutoRegistration(false)
            .enableLauncherDiscoveryListenerAutoRegistration(false)
            .enablePostDiscoveryFilterAutoRegistration(false)
            .enableTestExecutionListenerAutoRegistration(false)
            .addTestEngines(new JupiterTestEngine());
        if (isOld) {
            Class<?> vintage = Class.forName("org.junit.vintage.engine.VintageTestEngine");
            config.addTestEngines((TestEngine) vintage.getDeclaredConstructor().newInstance());
        }
        List<DiscoverySelector> selectors = new ArrayList<>();
        for (Result each : results.values()) {
            String owner = each.name.substring(0, each.name.lastIndexOf('.'));
            each.owner = Class.forName(owner, false, UnitProbe.class.getClassLoader());
            selectors.addAll(isOld ? List.of(selectClass(each.owner)) : find(each.owner, each.method));
        }
        LauncherDiscoveryRequestBuilder asked = LauncherDiscoveryRequestBuilder.request()
            .selectors(selectors)
            .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "false")
            .configurationParameter("junit.jupiter.conditions.deactivate", "")
            .configurationParameter("junit.jupiter.execution.parallel.enabled", "false");
        if (isOld) { // JUnit 4 finds a method that has parameters by its class alone
            asked.filters((PostDiscoveryFilter) test -> FilterResult.includedIf(
                results.values().stream().anyMatch(each -> isOf(test, each))));
        }
        LauncherFactory.create(config.build()).execute(asked.build(), this);
        end();
    }

    private static boolean isOf(TestDescriptor test, Result result) {
        TestSource source = test.getSource().orElse(null);
        MethodSource own = source instanceof MethodSource ? (MethodSource) source : null;
        // JUnit 3 warns of another method by a test that fails.
        return own == null ? !test.isTest() || !test.getDisplayName().startsWith("warning")
            : own.getMethodName().equals(result.method) && own.getJavaClass().isAssignableFrom(result.owner);
    }

    private static List<DiscoverySelector> find(Class<?> owner, String wanted) {
        List<Method> methods = ReflectionSupport.findMethods(
            owner, each -> each.getName().equals(wanted), HierarchyTraversalMode.BOTTOM_UP);
        return List.of(methods.stream().filter(each -> each.getDeclaringClass() == methods.get(0).getDeclaringClass())
            .map(each -> selectMethod(owner, each)).toArray(DiscoverySelector[]::new));
    }

    @Override
    public void testPlanExecutionStarted(TestPlan started) {
        plan = started;
        for (TestIdentifier root : plan.getRoots()) {
            for (TestIdentifier each : plan.getDescendants(root)) {
                for (Result result : methodsOf(each)) {
                    result.isPlanned = true;
                    if (each.getSource().orElse(null) instanceof MethodSource) {
                        waiting.put(each.getUniqueId(), result);
                    }
                }
            }
        }
    }

    @Override
    public synchronized void executionStarted(TestIdentifier test) {
        for (Result result : methodsOf(test)) {
            begin(result);
            if (test.isTest()) {
                result.values.put(test.getUniqueId(), result.runs++);
            }
        }
    }

    @Override
    public synchronized void executionSkipped(TestIdentifier test, String reason) {
        waiting.remove(test.getUniqueId());
        for (Result result : test.isContainer() && methodsOf(test).isEmpty() ? methodsBelow(test) : methodsOf(test)) {
            result.skipped.add(result.runs++);
            result.add(skipped(reason));
        }
    }

    @Override
    public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
        Throwable error = result.getThrowable().orElse(null);
        Status status = result.getStatus();
        waiting.remove(test.getUniqueId());
        List<Result> own = methodsOf(test);
        for (Result found : own.isEmpty() && status != Status.SUCCESSFUL ? methodsBelow(test) : own) {
            found.done += test.isTest() ? 1 : 0;
            Integer value = found.values.get(test.getUniqueId());
            if (value != null && status != Status.FAILED) {
                (status == Status.SUCCESSFUL ? found.passed : found.skipped).add(value);
            }
            if (status == Status.ABORTED) {
                found.add(skipped(error == null ? "" : message(error)));
            } else if (status != Status.SUCCESSFUL && test.isTest()) {
                found.add(failure(error, given(test)));
            } else if (status != Status.SUCCESSFUL && found.loading == null) {
                found.loading = failure(error, "");
            }
        }
    }

    private static Object skipped(String reason) {
        return Json.object("kind", "skipped", "message", line(reason));
    }

    /** Returns the method that a test is a run of, or is about its runs; none for a class. */
    private List<Result> methodsOf(TestIdentifier test) {
        boolean isMethod = test.getSource().orElse(null) instanceof MethodSource;
        if (results.size() == 1) {
            return test.isTest() || isMethod ? List.copyOf(results.values()) : List.of();
        }
        String owner = "", method = "";
        for (TestIdentifier each = test; each != null; each = plan.getParent(each).orElse(null)) {
            TestSource source = each.getSource().orElse(null);
            if (method.isEmpty() && source instanceof MethodSource) {
                owner = ((MethodSource) source).getClassName();
                method = ((MethodSource) source).getMethodName();
            } else if (!method.isEmpty() && source instanceof ClassSource) { // the class that is run may inherit it
                owner = ((ClassSource) source).getClassName();
                break;
            }
        }
        Result found = results.get(owner + "." + method);
        return found == null ? List.of() : List.of(found);
    }

    /** Returns the methods that wait for a class; when all of them have begun, the last. */
    private Collection<Result> methodsBelow(TestIdentifier container) {
        Set<Result> below = new LinkedHashSet<>();
        for (TestIdentifier each : results.size() == 1 ? Set.<TestIdentifier>of() : plan.getDescendants(container)) {
            below.addAll(methodsOf(each));
        }
        below.removeIf(each -> each.isBegun);
        return results.size() == 1 ? results.values() : below.isEmpty() && current != null ? List.of(current) : below;
    }

    private static String given(TestIdentifier test) {
        String id = test.getUniqueId();
        String name = test.getDisplayName();
        boolean isOne = id.contains("[test-template-invocation:") || id.contains("[dynamic-test:");
        boolean isOfOld = id.startsWith("[engine:junit-vintage]") && name.indexOf('[') > 0;
        return isOne ? name : isOfOld ? name.substring(name.indexOf('[')) : "";
    }

    /** Tells a failure in any case: what is thrown may be of a class of the student's, whose methods throw. */
    private Object failure(Throwable error, String given) {
        try {
            return describe(error, given);
        } catch (Throwable own) {
            return Json.object("kind", "exception", "type", error == null ? "" : error.getClass().getName());
        }
    }

    private Object describe(Throwable error, String given) {
        if (error instanceof MultipleFailuresError && !((MultipleFailuresError) error).getFailures().isEmpty()) {
            return describe(((MultipleFailuresError) error).getFailures().get(0), given);
        }
        if (error instanceof ExceptionInInitializerError && error.getCause() != null) {
            return describe(error.getCause(), given);
        }
        String test = "", own = "";
        for (StackTraceElement frame : error.getStackTrace()) {
            String source = frame.getFileName() == null ? "" : frame.getFileName();
            if (source.equals(file)) {
                test = test.isEmpty() ? source + ":" + frame.getLineNumber() : test;
            } else if (!isOther(frame) && own.isEmpty() && test.isEmpty()) {
                own = source + ":" + frame.getLineNumber();
            }
        }
        String type = error.getClass().getName();
        boolean isLate = type.equals("org.junit.runners.model.TestTimedOutException")
            || error instanceof TimeoutException && own.isEmpty();
        boolean isAssertion = error instanceof AssertionError && own.isEmpty() || isLate;
        String[] values = isAssertion && !isLate ? values(error) : new String[] {message(error)};
        String lacks = ""; // the class that was not found, where that is the cause
        Throwable cause = error;
        for (int depth = 0; cause != null && depth < MOST_FAILURES; depth++, cause = cause.getCause()) {
            boolean isLacking = cause instanceof NoClassDefFoundError || cause instanceof ClassNotFoundException;
            lacks = isLacking ? message(cause) : lacks;
        }
        Map<String, Object> told = Json.object("kind", isAssertion ? "assertion" : "exception", "type", line(type),
            "given", line(given), "place", line(own), "test_place", line(test), "lacks", line(lacks),
            "message", line(values[0]));
        if (values.length > 1) {
            told.put("wanted", line(values[1]));
            told.put("found", line(values[2]));
        }
        return told;
    }

    private static boolean isOther(StackTraceElement frame) {
        boolean isOther = frame.getModuleName() != null || OTHERS.matcher(frame.getClassName()).lookingAt();
        try { // what the course brings, in archives or beside the test, is no code of the student's either
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
        AssertionFailedError failed = error instanceof AssertionFailedError ? (AssertionFailedError) error : null;
        if (failed != null && failed.isExpectedDefined() && failed.isActualDefined()) {
            int arrow = message.indexOf(" ==> ");
            String first = line(message).strip();
            String wanted = failed.getExpected().getStringRepresentation();
            message = arrow >= 0 ? message.substring(0, arrow) : first.startsWith("[") ? first : "";
            return new String[] {message, wanted, failed.getActual().getStringRepresentation()};
        }
        String name = error.getClass().getName();
        if (name.equals("org.junit.ComparisonFailure") || name.equals("junit.framework.ComparisonFailure")) {
            String before = message.substring(0, Math.max(0, message.indexOf("expected:<"))).strip();
            return new String[] {before, part(error, "getExpected"), part(error, "getActual")};
        }
        for (Matcher one : List.of(MATCHED.matcher(message), NOT_NULL.matcher(message))) {
            if (one.matches()) {
                return new String[] {one.group(1), one.group(2), one.group(3)};
            }
        }
        Matcher old = OLD.matcher(message);
        if (old.matches()) {
            boolean isAlike = old.group(3).equals(old.group(5));
            String wanted = isAlike ? old.group(2) + "<" + old.group(3) + ">" : old.group(3);
            String found = isAlike ? old.group(4) + "<" + old.group(5) + ">" : old.group(5);
            return new String[] {old.group(1).replaceFirst(";$", ""), wanted, found};
        }
        if (name.startsWith("org.mockito.")) { // what it says of places begins with an arrow
            return new String[] {message.replaceAll("(?m)^\\s*->.*$", "").strip().replaceAll("\\s*\\R\\s*", " ")};
        }
        return new String[] {name.startsWith("org.") ? message : message.strip().replaceAll("\\s+", " ")};
    }

    /** Returns what a getter returns; nothing of a class of that name without it: another JUnit's, or a student's. */
    private static String part(Throwable error, String getter) {
        return Try.call(() -> "" + error.getClass().getMethod(getter).invoke(error)).toOptional().orElse("");
    }

    /** Returns the first line of a text, or what of that is told. */
    private static String line(String text) {
        String first = text == null ? "" : text.lines().findFirst().orElse("");
        return first.substring(0, Math.min(first.length(), LONGEST));
    }
}
