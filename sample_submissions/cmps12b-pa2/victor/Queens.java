class Queens {
    final int n;
    final StringBuilder listing;
    final int[] column;

    Queens(int n, boolean verbose) {
        this.n = n;
        this.listing = verbose ? new StringBuilder() : null;
        this.column = new int[n];
    }

    int place(int row, int free, int left, int right) {
        if (row == n) {
            if (listing != null) list();
            return 1;
        }
        int sum = 0;
        int open = free & ~left & ~right;
        while (open != 0) {
            int queen = Integer.lowestOneBit(open);
            open -= queen;
            column[row] = Integer.numberOfTrailingZeros(queen) + 1;
            sum += place(row + 1, free - queen, (left | queen) << 1, (right | queen) >>> 1);
        }
        return sum;
    }

    void list() {
        listing.append("(").append(column[0]);
        for (int i = 1; i < n; i++) listing.append(", ").append(column[i]);
        listing.append(")").append(System.lineSeparator());
    }

    public static void main(String[] args) {
        int shift = args.length > 0 && args[0].equals("-v") ? 1 : 0;
        if (args.length != shift + 1 || !args[shift].matches("\\d{1,2}")) {
            System.err.println("Usage: Queens [-v] number");
            System.err.println("Option: -v  verbose output, print all solutions");
            System.exit(1);
        }
        int n = Integer.parseInt(args[shift]);
        Queens queens = new Queens(n, shift == 1);
        int sum = queens.place(0, (1 << n) - 1, 0, 0);
        if (shift == 1) System.out.print(queens.listing);
        System.out.println(n + "-Queens has " + sum + " solutions");
    }
}
