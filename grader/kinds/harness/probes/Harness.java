package grader;

import java.io.*;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.security.*;
import java.util.*;
import java.util.concurrent.Semaphore;

/**
 * Reads the request and writes the record of a driver in Java, by the protocol of docs/reference/probes.md. Of the secret
 * only the state of a digest is left, on the stack of the main thread. The work is done in another thread, which hands
 * over each line. A program may interrupt both: neither waits or writes in a way that an interrupt ends.
 */
abstract class Harness implements Runnable {

    private static final int LONGEST_MESSAGE = 8000;

    final Map<?, ?> request;
    private String line = "";
    private final Semaphore handed = new Semaphore(0), written = new Semaphore(0);

    Harness() throws IOException {
        request = (Map<?, ?>) Json.read(read(Integer.parseInt(read(10))));
    }

    /** Reads exactly so much, and nothing of what belongs to the student. */
    private static String read(int length) throws IOException {
        byte[] bytes = new byte[length];
        new DataInputStream(new FileInputStream(FileDescriptor.in)).readFully(bytes);
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    /** Does what the request asks for. */
    abstract void work() throws Exception;

    /** Tells what ended the work, which is of the student's doing. */
    void fail(Throwable fault) {
        tell("event", "fault", "message", fault.toString());
    }

    @Override
    public final void run() {
        try {
            work();
        } catch (Throwable fault) {
            fail(fault);
        } finally {
            flush();
            hand("");
        }
    }

    final void serve(String name) throws Exception {
        // Both are made before any code of the student's is there, which could add a provider of digests of its own.
        MessageDigest seal = MessageDigest.getInstance("SHA-256", Security.getProvider("SUN"));
        MessageDigest content = MessageDigest.getInstance("SHA-256", Security.getProvider("SUN"));
        seal.update(((String) request.remove("secret")).getBytes(StandardCharsets.UTF_8));
        Path record = Path.of((String) request.remove("record")).toAbsolutePath();
        Files.createFile(record);
        InputStream spare = new FileInputStream("/dev/null");
        mark("", FileDescriptor.out);
        Thread work = new Thread(this, name);
        work.setDaemon(true);
        work.start();
        for (handed.acquireUninterruptibly(); !line.isEmpty(); handed.acquireUninterruptibly()) {
            content.update(line.getBytes(StandardCharsets.US_ASCII));
            MessageDigest sealed = (MessageDigest) seal.clone();
            sealed.update(hex(((MessageDigest) content.clone()).digest()).getBytes(StandardCharsets.US_ASCII));
            OutputStream told; // for this line: a program may write to all that is open
            try {
                told = new FileOutputStream(record.toFile(), true);
            } catch (IOException full) { // the program keeps all open that it may
                spare.close();
                told = new FileOutputStream(record.toFile(), true);
            }
            told.write((hex(sealed.digest()) + line + "\n").getBytes(StandardCharsets.US_ASCII));
            told.close();
            written.release();
        }
        Runtime.getRuntime().halt(0); // whatever still runs, and whatever wants to run at the end
    }

    private static String hex(byte[] digest) {
        return new BigInteger(1, digest).setBit(256).toString(16).substring(1); // with all its zeros
    }

    /** Writes a line of the record. */
    final void tell(Object... pairs) {
        hand(Json.write(Json.object(pairs)));
    }

    /** Hands a line over to the main thread, and waits until it is written; behind the last one, until all ends. */
    private synchronized void hand(String next) {
        line = next;
        handed.release();
        written.acquireUninterruptibly();
    }

    final void mark(String what, FileDescriptor... streams) {
        for (FileDescriptor stream : streams) {
            try {
                String told = "\u001e" + request.get("mark") + what + "\n";
                new FileOutputStream(stream).write(told.getBytes(StandardCharsets.US_ASCII));
            } catch (IOException closed) { // by the student
            }
        }
    }

    static void flush() {
        try {
            System.out.flush();
        } catch (RuntimeException | Error ofTheStudent) { // who put something else in its place
        }
    }

    /** Returns the beginning of what an exception says; nothing where its class, a student's, does not say anything. */
    static String message(Throwable error) {
        try {
            String told = Objects.toString(error.getMessage(), "");
            return told.substring(0, Math.min(told.length(), LONGEST_MESSAGE));
        } catch (Throwable ofTheStudent) {
            return "";
        }
    }

    static boolean is(Map<?, ?> asked, String key) {
        return Boolean.TRUE.equals(asked.get(key));
    }

    static List<?> list(Map<?, ?> asked, String key) {
        return (List<?>) asked.get(key);
    }
}
