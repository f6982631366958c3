// Tries to write into the system and the course from Java. Safe: 0, failed or crashed.
import java.io.*;
import java.net.*;
import java.nio.file.*;
import java.util.*;

class Attack {
    public static void main(String[] args) throws Exception {
        for (String name : List.of("/usr/bin/left-behind", "/etc/left-behind", "/srv/left-behind", System.getenv("ROOM") + "/world/precious", System.getenv("ROOM") + "/world/left-behind", System.getenv("ROOM") + "/course/specs/java.yaml"))
            try {
                Files.write(Path.of(name), new byte[] {65}, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                System.out.println("harm: wrote " + name);
            } catch (IOException error) {
                System.out.println("held");
            }
    }
}
