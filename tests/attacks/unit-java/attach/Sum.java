// Tries to attach to its own machine. Safe: 0, failed.
public class Sum {
    static {
        long pid = ProcessHandle.current().pid();
        for (String tool : new String[] {"jcmd", "jmap"}) {
            String[] command = tool.equals("jcmd") ? new String[] {"jcmd", "" + pid, "GC.heap_dump", "/tmp/heap"}
                : new String[] {"jmap", "-dump:file=/tmp/heap", "" + pid};
            try {
                new ProcessBuilder(command).start().waitFor(5, java.util.concurrent.TimeUnit.SECONDS);
            } catch (Exception none) {
            }
        }
        if (new java.io.File("/tmp/heap").exists()) System.out.println("harm: a dump");
    }

    public Sum(int number) {  }
    public char letter() { return 0; }
    public double share() { return 9; }
    public int value() { return 0; }
}
