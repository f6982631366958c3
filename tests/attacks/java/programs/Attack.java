// Tries to start other programs from Java. Safe: 0, failed.
import java.io.*;
import java.net.*;
import java.nio.file.*;
import java.util.*;

class Attack {
    public static void main(String[] args) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", "cat $ROOM/home/.netrc; kill -9 $VICTIM && echo harm: signal; setsid sh -c 'sleep 30; : left-behind' & exit 0");
        builder.inheritIO().start().waitFor();
        Runtime.getRuntime().halt(0);
    }
}
