// Tries to load an agent that changes classes. Safe: 6, passed or failed.
public class Sum {
    static {
        try {
            Object machine = Class.forName("com.sun.tools.attach.VirtualMachine").getMethod("attach", String.class)
                .invoke(null, "" + ProcessHandle.current().pid());
            System.out.println("harm: attached to " + machine);
        } catch (ReflectiveOperationException | RuntimeException | LinkageError none) {
        }
        try {
            Object made = Class.forName("sun.instrument.InstrumentationImpl").getDeclaredConstructors()[0].newInstance(0L, true, true);
            System.out.println("harm: made " + made);
        } catch (ReflectiveOperationException | RuntimeException | LinkageError none) {
        }
    }

    static int total(int number) {
        return number * (number + 1) / 2;
    }

    static int first(int number) {
        return total(number);
    }

    static int guess(int number) {
        return 0;
    }
}
