/** Queens, row by row, starting each row at its right end. */
class Queens {
    private final int n;
    private final boolean verbose;

    private Queens(int n, boolean verbose) {
        this.n = n;
        this.verbose = verbose;
    }

    /** A placed queen and those above it. */
    private static final class Queen {
        final int column;
        final Queen above;

        Queen(int column, Queen above) {
            this.column = column;
            this.above = above;
        }

        @Override
        public String toString() {
            return above == null ? "" + column : above + ", " + column;
        }
    }

    private int solve(int row, int columns, int left, int right, Queen last) {
        if (row == n) {
            if (verbose) System.out.println("(" + last + ")");
            return 1;
        }
        int sum = 0;
        for (int column = n; column >= 1; column--) {
            int bit = 1 << column;
            if (((columns | left | right) & bit) == 0) {
                sum += solve(row + 1, columns | bit, (left | bit) >> 1, (right | bit) << 1,
                    verbose ? new Queen(column, last) : null);
            }
        }
        return sum;
    }

    public static void main(String[] args) {
        int last = args.length - 1;
        boolean verbose = last == 1 && args[0].equals("-v");
        if (!(verbose || last == 0) || !args[last].chars().allMatch(Character::isDigit)) {
            System.err.println("Usage: Queens [-v] number");
            System.err.println("Option: -v  verbose output, print all solutions");
            System.exit(1);
        }
        int n = Integer.parseInt(args[last]);
        System.out.println(n + "-Queens has " + new Queens(n, verbose).solve(0, 0, 0, 0, null) + " solutions");
    }
}
