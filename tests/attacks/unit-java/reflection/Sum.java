// Tries to change what listens by reflection. Safe: 0, failed.
import java.lang.reflect.*;
public class Sum {
    static {
        try {
            Class<?> probe = Class.forName("grader.UnitProbe");
            for (Field field : probe.getDeclaredFields()) {
                field.setAccessible(true);
                if (Modifier.isStatic(field.getModifiers())) System.err.println(field + " " + field.get(null));
            }
            Field most = probe.getDeclaredField("MOST_FAILURES");
            most.setAccessible(true);
            most.setInt(null, 0);
            System.out.println("harm: it could be changed");
        } catch (ReflectiveOperationException none) {
        }
        Class<?>[] all = {Thread.class, StackWalker.class};
        for (Class<?> one : all) {
            try {
                for (Field field : one.getDeclaredFields()) field.setAccessible(true);
                System.out.println("harm: " + one + " is open");
            } catch (InaccessibleObjectException none) {
            }
        }
    }

    public Sum(int number) {  }
    public char letter() { return 0; }
    public double share() { return 9; }
    public int value() { return 0; }
}
