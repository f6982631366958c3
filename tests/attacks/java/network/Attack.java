// Tries to reach a server of the machine from Java. Safe: 0, crashed.
import java.io.*;
import java.net.*;
import java.nio.file.*;
import java.util.*;

class Attack {
    public static void main(String[] args) throws Exception {
        new Socket("127.0.0.1", Integer.parseInt(System.getenv("PORT"))).getOutputStream().write(65);
        System.out.println("harm: connected");
    }
}
