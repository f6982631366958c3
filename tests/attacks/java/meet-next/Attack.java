// Tries to leave a file for the next case, from Java. Safe: 0, failed.
import java.io.*;
import java.net.*;
import java.nio.file.*;
import java.util.*;

class Attack {
    public static void main(String[] args) throws Exception {
        for (String folder : List.of(".", "/tmp", "/var/tmp", "/dev/shm", "/tmp/.X11-unix", "/run/lock", "/tmp/hsperfdata_root")) {
            Path path = Path.of(folder, "left-behind-java");
            if (Files.exists(path)) System.out.println("harm: met " + path);
            try {
                Files.createFile(path);
            } catch (IOException error) {
                System.out.println("held");
            }
        }
    }
}
