import java.io.PrintStream;

/** n-Queens with bit masks: one bit a column. */
public final class Queens {
    private static final String USAGE =
        "Usage: Queens [-v] number%nOption: -v  verbose output, print all solutions%n";

    private static int full, found;
    private static StringBuilder out;

    public static void main(String[] args) {
        boolean verbose = args.length == 2 && "-v".equals(args[0]);
        if (args.length != 1 && !verbose || !args[args.length - 1].matches("[0-9]{1,2}")) {
            System.err.printf(USAGE);
            System.exit(2);
        }
        int n = Integer.parseInt(args[args.length - 1]);
        full = (1 << n) - 1;
        out = verbose ? new StringBuilder() : null;
        search(0, 0, 0, "");
        PrintStream stream = System.out;
        if (verbose) stream.print(out);
        stream.printf("%d-Queens has %d solutions%n", n, found);
    }

    private static void search(int columns, int left, int right, String path) {
        if (columns == full) {
            found++;
            if (out != null) out.append('(').append(path.substring(2)).append(")\n");
            return;
        }
        for (int free = full & ~(columns | left | right); free != 0; free &= free - 1) {
            int bit = free & -free;
            String next = out == null ? path : path + ", " + (Integer.numberOfTrailingZeros(bit) + 1);
            search(columns | bit, (left | bit) << 1, (right | bit) >> 1, next);
        }
    }
}
