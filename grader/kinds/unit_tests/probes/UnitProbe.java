package grader;

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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.Security;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.engine.JupiterTestEngine;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.opentest4j.AssertionFailedError;

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

    private final String file;
    private final List<String> failures = Collections.synchronizedList(new ArrayList<>());
    private String loading = "null";
    private int runs;
    private int done;

    private UnitProbe(String file) {
        this.file = file;
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
        UnitProbe probe = new UnitProbe(Path.of(fields[5]).getFileName().toString());
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
                .addTestEngines(new JupiterTestEngine())
                .build();
            Launcher launcher = LauncherFactory.create(config);
            launcher.execute(LauncherDiscoveryRequestBuilder.request()
                .selectors(find(name))
                .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "false")
                .configurationParameter("junit.jupiter.conditions.deactivate", "")
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                .build(), this);
        } catch (Throwable error) {
            loading = failure(error, "");
        }
    }

    private static List<DiscoverySelector> find(String name) throws ReflectiveOperationException {
        String[] parts = name.substring(0, name.lastIndexOf('.')).split("\\$");
        List<Class<?>> around = new ArrayList<>();
        String whole = "";
        for (String part : parts) {
            whole += whole.isEmpty() ? part : "$" + part;
            around.add(Class.forName(whole, false, UnitProbe.class.getClassLoader()));
        }
        Class<?> owner = around.remove(around.size() - 1);
        String wanted = name.substring(name.lastIndexOf('.') + 1);
        List<DiscoverySelector> found = new ArrayList<>();
        for (Class<?> each = owner; each != null && found.isEmpty(); each = each.getSuperclass()) {
            for (Method method : each.getDeclaredMethods()) {
                if (method.getName().equals(wanted) && !method.isSynthetic()) {
                    found.add(around.isEmpty() ? selectMethod(owner, method) : selectNestedMethod(around, owner, method));
                }
            }
        }
        return found;
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
            add("{\"kind\": \"skipped\", \"message\": " + quoted(error == null ? "" : error.getMessage()) + "}");
        } else if (result.getStatus() != Status.SUCCESSFUL && test.isTest()) {
            add(failure(error, test.getUniqueId().contains("[test-template-invocation:") ? test.getDisplayName() : ""));
        } else if (result.getStatus() != Status.SUCCESSFUL && loading.equals("null")) {
            loading = failure(error, "");
        }
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

    private String failure(Throwable error, String given) {
        String test = "";
        String own = "";
        for (StackTraceElement frame : error.getStackTrace()) {
            String source = frame.getFileName() == null ? "" : frame.getFileName();
            boolean isOther = frame.getModuleName() != null || frame.getClassName().startsWith("org.junit.")
                || frame.getClassName().startsWith("org.opentest4j.") || frame.getClassName().startsWith("grader.");
            if (source.equals(file)) {
                test = test.isEmpty() ? source + ":" + frame.getLineNumber() : test;
            } else if (!isOther && own.isEmpty() && test.isEmpty()) {
                own = source + ":" + frame.getLineNumber();
            }
        }
        boolean isAssertion = error instanceof AssertionError && own.isEmpty();
        String told = "{\"kind\": \"" + (isAssertion ? "assertion" : "exception") + "\"";
        told += ", \"type\": " + quoted(error.getClass().getName()) + ", \"given\": " + quoted(given);
        told += ", \"place\": " + quoted(own) + ", \"test_place\": " + quoted(test);
        String message = message(error);
        if (isAssertion && error instanceof AssertionFailedError) {
            AssertionFailedError failed = (AssertionFailedError) error;
            if (failed.isExpectedDefined() && failed.isActualDefined()) {
                int arrow = message.indexOf(" ==> ");
                message = arrow < 0 ? "" : message.substring(0, arrow);
                told += ", \"wanted\": " + quoted(failed.getExpected().getStringRepresentation());
                told += ", \"found\": " + quoted(failed.getActual().getStringRepresentation());
            }
        }
        return told + ", \"message\": " + quoted(message) + "}";
    }

    private static String message(Throwable error) {
        try {
            return error.getMessage() == null ? "" : error.getMessage();
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
}
