/**
 * Puts one queen into every row and column in all ways, and looks at the diagonals at the end; only those of the two rows
 * above are looked at before.
 */
public class Queens {
    private final int n;
    private final int[] column;
    private final boolean verbose;
    private int found;

    private Queens(int n, boolean verbose) {
        this.n = n;
        this.verbose = verbose;
        column = new int[n];
    }

    // a bit for every column that is still free, and for every diagonal with a queen, upwards and downwards
    private void arrange(int row, int free, int up, int down) {
        if (row == n) {
            if (Integer.bitCount(up) == n && Integer.bitCount(down) == n) {
                found++;
                if (verbose) {
                    print();
                }
            }
            return;
        }
        for (int rest = free; rest != 0; rest &= rest - 1) {
            int c = Integer.numberOfTrailingZeros(rest);
            if (row > 0 && Math.abs(column[row - 1] - c) == 1) {
                continue;
            }
            if (row > 1 && Math.abs(column[row - 2] - c) == 2) {
                continue;
            }
            column[row] = c;
            arrange(row + 1, free & ~(1 << c), up | 1 << (row + c), down | 1 << (row - c + n));
        }
    }

    private void print() {
        StringBuilder text = new StringBuilder("(");
        for (int row = 0; row < n; row++) {
            text.append(row == 0 ? "" : ", ").append(column[row] + 1);
        }
        System.out.println(text.append(")"));
    }

    public static void main(String[] args) {
        boolean verbose = args.length == 2 && args[0].equals("-v");
        if (args.length != 1 && !verbose || !args[args.length - 1].matches("[0-9]{1,2}")) {
            System.err.println("Usage: Queens [-v] number");
            System.err.println("Option: -v  verbose output, print all solutions");
            System.exit(1);
        }
        Queens queens = new Queens(Integer.parseInt(args[args.length - 1]), verbose);
        queens.arrange(0, (1 << queens.n) - 1, 0, 0);
        System.out.println(queens.n + "-Queens has " + queens.found + " solutions");
    }
}
