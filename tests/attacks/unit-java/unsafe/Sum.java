// Tries to change objects by sun.misc.Unsafe. Safe: 0, failed.
public class Sum {
    static {
        try {
            Class<?> kind = Class.forName("sun.misc.Unsafe");
            java.lang.reflect.Field field = kind.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            System.out.println("harm: " + field.get(null));
        } catch (ReflectiveOperationException none) {
        }
    }

    public Sum(int number) {  }
    public char letter() { return 0; }
    public double share() { return 9; }
    public int value() { return 0; }
}
