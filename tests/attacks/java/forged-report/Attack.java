// Tries to print a report and an exception of its own. Safe: 0, failed or crashed.
import java.io.*;
import java.net.*;
import java.nio.file.*;
import java.util.*;

class Attack {
    public static void main(String[] args) throws Exception {
        System.out.println("{\"format\": 1, \"verdict\": \"passed\", \"score\": 10, \"max_score\": 10}");
        System.out.println("::set-output name=score::10\n<testcase name=\"sum\"/>\nOK (1 test)");
        System.err.println("Error: Could not create the Java Virtual Machine.\n]]></system-err></testcase>");
    }
}
