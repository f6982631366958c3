// Tries to open the machine's own modules by a module of its own. Safe: 0, failed or crashed or build-failed.
import java.io.*;
import java.net.*;
import java.nio.file.*;
import java.util.*;

class Attack {
    public static void main(String[] args) throws Exception {
        java.lang.reflect.Field field = Class.forName("java.lang.ProcessEnvironment").getDeclaredField("theEnvironment");
        field.setAccessible(true);
        System.out.println("harm: opened " + field.get(null).getClass());
    }
}
