// Tries to refuse to end, in hooks and handlers. Safe: 0, timeout.
import java.io.*;
import java.net.*;
import java.nio.file.*;
import java.util.*;

class Attack {
    public static void main(String[] args) throws Exception {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> { try { Thread.sleep(60000); } catch (InterruptedException error) { } }));
        new Timer(false).schedule(new TimerTask() { public void run() { } }, 60000);
        System.exit(0);
    }
}
