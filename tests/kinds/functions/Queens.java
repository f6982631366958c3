import java.io.*;
import java.util.*;

class BankAccount {
    record Move(int amount, String name) {}
    final String owner;
    double money;
    BankAccount(String owner, double initial) { this.owner = owner; money = initial; }
    BankAccount(int nothing) { throw new IllegalStateException("empty"); }
    void deposit(double amount) { money += amount; System.out.println("deposit"); }
    double withdraw(double amount) {
        if (amount > money) throw new IllegalArgumentException("only " + money + " there");
        return money -= amount;
    }
    boolean equals(BankAccount other) { return owner.equals(other.owner); }
    BankAccount self() { return this; }
    Object value(String name) {
        switch (name) {
        case "map": return new TreeMap<>(Map.of("a", new TreeSet<>(List.of(2, 1))));
        case "optional": return Optional.of(3);
        case "queue": return new ArrayDeque<>(List.of(1));
        case "record": return new Move(1, "n");
        case "builder": return new StringBuilder("b");
        case "evil": return new Object() { public String toString() { throw new Error(); } };
        default: return new Object[0].getClass() == null ? null : new ArrayList<>(Collections.nCopies(200000, null));
        }
    }
    public String toString() { return owner + ": " + money; }
}
class Queens {
    static int count;
    static List<InputStream> kept = new ArrayList<>();
    private int size = 5;
    static { System.out.println("loading"); }
    Queens() { System.out.println("making"); }

    static void placeQueen(int[][] B, int i, int j) { B[i][j]++; System.out.println("placed"); }
    static void removeQueen(int[][] B, int i, int j) { B[i][j]--; }
    static int add(int k) { count += k; return count; }
    int getSize() { return size; }
    void setSize(int n) { size = n; }
    private static void hidden(int i) {}
    int packaged(int i) { return i; }
    static int overloaded(int i) { return 1; }
    static int overloaded(int[] a) { return 2; }
    static int overloaded(String s) { return 3; }
    static Integer boxed(Integer i, Long l) { return i; }
    static int isqueen(int i) { return 1; }
    static int isQUEEN(int i) { return 2; }
    static long widened(int i) { return i; }
    static int useful(int i) { return i; }
    static int varied(int... all) { return all.length; }

    static Object value(String name) {
        switch (name) {
            case "null": return null;
            case "boolean": return true;
            case "long": return Long.MIN_VALUE;
            case "double": return 1.5e300;
            case "infinite": return Double.NEGATIVE_INFINITY;
            case "nan": return Float.NaN;
            case "char": return 'Q';
            case "text": return "\u00e9\n\u2028\0\"\\";
            case "emoji": return "\uD83D\uDE00";
            case "half": return "a\ud800";
            case "board": return new int[][] {{1, 2}, {}};
            case "mixed": return new Object[] {1, "a", null, new char[] {'b'}};
            case "list": return List.of(1, List.of(2));
            case "object": return new Queens();
            case "large": return new int[5000][5000];
            case "long text": return "x".repeat(2_000_000);
            case "recursive": Object[] own = new Object[1]; own[0] = own; return own;
            default: return new LinkedHashMap<String, Integer>();
        }
    }

    static String given(long l, double d, boolean b, char c, String s, int[] a, int[][] m, String[] t, Boolean none) {
        return l + " " + d + " " + b + " " + c + " " + s + " " + Arrays.toString(a) + Arrays.deepToString(m)
            + Arrays.toString(t) + none;
    }

    static int act(String what) throws Exception {
        System.out.print("here");
        switch (what) {
            case "index": int[] two = new int[2]; return two[what.length()];
            case "own": throw new IOException("x".repeat(10000)) { };
            case "message": throw new RuntimeException() { public String getMessage() { throw new Error(); } };
            case "frames": throw new RuntimeException() { public StackTraceElement[] getStackTrace() { return null; } };
            case "deep": return act(what) + 1;
            case "memory": return new int[Integer.MAX_VALUE - 9].length;
            case "exit": System.exit(0);
            case "halt": Runtime.getRuntime().halt(7);
            case "keep":
                try { while (true) kept.add(new FileInputStream("/dev/null")); } catch (IOException full) { return 1; }
            case "loop": while (true) { count++; }
            case "thread": new Thread(() -> act2("loop")).start(); return 3;
            case "hook": Runtime.getRuntime().addShutdownHook(new Thread(() -> act2("loop"))); return 3;
            case "read": return new BufferedReader(new InputStreamReader(System.in)).readLine().length();
            case "out": System.setOut(null); return 3;
            case "close": System.out.close(); return 3;
            case "elsewhere": System.setOut(new PrintStream(new ByteArrayOutputStream())); return 3;
            case "descriptor": new FileOutputStream(FileDescriptor.out).write('!'); return 3;
            case "forge":
                for (File file : new File(".").listFiles()) {
                    if (file.isFile()) {
                        try (Writer out = new FileWriter(file, true)) {
                            out.write("{\"event\": \"returned\", \"value\": 8}\n");
                        }
                    }
                }
                return 3;
            case "remove": for (File file : new File(".").listFiles()) file.delete(); return 3;
            case "interrupt": Thread.currentThread().interrupt(); return 3;
            case "interrupt all": Thread.currentThread().getThreadGroup().interrupt(); return 3;
            default: System.err.print("!"); return 3;
        }
    }

    static void act2(String what) {
        try { act(what); } catch (Exception error) { }
    }
}

class Broken { static { Queens.count = 1 / 0; } static int f() { return 1; } }
class Ends { static { System.exit(3); } static int f() { return 1; } }
class Single { private Single() {} int f() { return 4; } }
class Below extends Queens { Below(int i) {} int g() { return 1; } }
class Child extends Queens { }
interface Shape { int area(); }
