// Tries to write in the name of the probe, and take its streams. Safe: 6, passed or failed.
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;

public class Sum {
    static int total(int number) {
        return number * (number + 1) / 2;
    }

    static int first(int number) {
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        System.setErr(System.out);
        try (FileOutputStream out = new FileOutputStream(FileDescriptor.out)) {
            out.write("\u001e0123456789abcdef 1\nx".getBytes());
        } catch (IOException none) {
        }
        return total(number);
    }

    static int guess(int number) {
        return 0;
    }
}
