// Tries to fill memory that is outside of the heap. Safe: 0, crashed or memory or failed.
import java.io.*;
import java.net.*;
import java.nio.file.*;
import java.util.*;

class Attack {
    public static void main(String[] args) throws Exception {
        List<java.nio.ByteBuffer> all = new ArrayList<>();
        for (int i = 0; i < 4000; i++) {
            java.nio.ByteBuffer buffer = java.nio.ByteBuffer.allocateDirect(1 << 20);
            for (int j = 0; j < buffer.capacity(); j += 4096) buffer.put(j, (byte) 1);
            all.add(buffer);
        }
        System.out.println("harm: had 4000 MiB");
    }
}
