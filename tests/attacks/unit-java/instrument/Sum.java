// Tries to load an agent. Safe: 0, failed.
import java.io.*;
public class Sum {
    static {
        try {
            Class<?> kind = Class.forName("sun.instrument.InstrumentationImpl");
            System.out.println("harm: " + kind);
        } catch (ClassNotFoundException none) {
        }
    }

    public Sum(int number) {  }
    public char letter() { return 0; }
    public double share() { return 9; }
    public int value() { return 0; }
}
