// Tries to take memory outside of the heap. Safe: 0, memory or crashed.
import java.io.*;
import java.net.*;
import java.nio.file.*;
import java.util.*;

class Attack {
    public static void main(String[] args) throws Exception {
        List<Object> kept = new ArrayList<>();
        for (int i = 0; i < 80; i++) {
            java.nio.ByteBuffer room = java.nio.ByteBuffer.allocateDirect(16 << 20);
            while (room.hasRemaining()) room.putLong(1);
            kept.add(room);
        }
        System.out.println(kept.size());
    }
}
