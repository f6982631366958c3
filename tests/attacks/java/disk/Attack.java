// Tries to fill the disk from Java. Safe: 0, failed or crashed or timeout or output or memory.
import java.io.*;
import java.net.*;
import java.nio.file.*;
import java.util.*;

class Attack {
    public static void main(String[] args) throws Exception {
        byte[] block = new byte[1 << 24];
        for (int i = 0; i < 200; i++)
            for (String folder : List.of("/tmp", ".", "/dev/shm"))
                try {
                    Files.write(Path.of(folder, "file-" + i), block);
                } catch (IOException error) {
                    System.out.println("held");
                }
    }
}
