// Tries to start threads without end from Java. Safe: 0, crashed or memory or failed.
import java.io.*;
import java.net.*;
import java.nio.file.*;
import java.util.*;

class Attack {
    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 3000; i++) {
            Thread thread = new Thread(() -> { try { Thread.sleep(2000); } catch (InterruptedException error) { } });
            thread.setDaemon(true);
            thread.start();
        }
    }
}
