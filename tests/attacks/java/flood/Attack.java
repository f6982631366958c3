// Tries to print without end from Java. Safe: 0, output.
import java.io.*;
import java.net.*;
import java.nio.file.*;
import java.util.*;

class Attack {
    public static void main(String[] args) throws Exception {
        byte[] text = "x".repeat(65536).getBytes();
        for (long end = System.currentTimeMillis() + 10000; System.currentTimeMillis() < end;) {
            System.out.write(text);
            System.err.write(text);
        }
    }
}
