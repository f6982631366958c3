// Tries to paint over the terminal and turn the text round, by an exception. Safe: 0, crashed.
import java.io.*;
import java.net.*;
import java.nio.file.*;
import java.util.*;

class Attack {
    public static void main(String[] args) throws Exception {
        System.out.print("\033[2J\033]0;harm\007\033[8m\u009b31m\u202e\u2066\0\r\b passed");
        throw new IllegalStateException("\033[1A\033[2K\033]8;;http://example.org\007passed\u202e]]>");
    }
}
