// Tries to start the machine once more with an agent and with options. Safe: 0, failed or crashed.
import java.io.*;
import java.net.*;
import java.nio.file.*;
import java.util.*;

class Attack {
    public static void main(String[] args) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("java", "-version").redirectErrorStream(true);
        builder.environment().put("JAVA_TOOL_OPTIONS", "-XX:OnError=true -Xlog:all:file=" + System.getenv("ROOM") + "/world/left-behind");
        builder.environment().put("LD_PRELOAD", "./evil.so");
        Process process = builder.start();
        process.getInputStream().transferTo(System.out);
    }
}
