// Tries to find the secret in a dump of the heap. Safe: 0, failed.
public class Sum {
    static {
        try {
            Class<?> kind = Class.forName("com.sun.management.HotSpotDiagnosticMXBean");
            Object bean = java.lang.management.ManagementFactory.class.getMethod("getPlatformMXBean", Class.class).invoke(null, kind);
            kind.getMethod("dumpHeap", String.class, boolean.class).invoke(bean, "/tmp/heap.hprof", false);
        } catch (Throwable none) {
        }
    }

    public Sum(int number) {  }
    public char letter() { return 0; }
    public double share() { return 9; }
    public int value() { return 0; }
}
