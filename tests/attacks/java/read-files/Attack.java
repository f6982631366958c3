// Tries to read the course and the home from Java. Safe: 0, failed or crashed.
import java.io.*;
import java.net.*;
import java.nio.file.*;
import java.util.*;

class Attack {
    public static void main(String[] args) throws Exception {
        for (String name : List.of("course/specs/java.yaml", "home/.netrc", "course/reference/sum.py"))
            try {
                System.out.println(Files.readString(Path.of(System.getenv("ROOM"), name)));
            } catch (IOException error) {
                System.out.println("held");
            }
        Files.walk(Path.of("/proc")).limit(2000).filter(path -> path.endsWith("environ")).forEach(path -> {
            try {
                if (Files.readString(path).contains("canary")) System.out.println("harm: " + path);
            } catch (Exception error) {
                // held
            }
        });
    }
}
