// Tries to leave children that hold the output open, from Java. Safe: 0, failed.
import java.io.*;
import java.net.*;
import java.nio.file.*;
import java.util.*;

class Attack {
    public static void main(String[] args) throws Exception {
        new ProcessBuilder("sh", "-c", "trap '' TERM HUP; setsid sh -c 'sleep 30; : left-behind' &").inheritIO().start().waitFor();
        System.out.println("done");
    }
}
