// One queen a row; three boolean arrays remember which columns and diagonals are taken.
class Queens {
    int n;
    boolean verbose;
    int[] col;
    boolean[] usedCol, usedUp, usedDown;

    Queens(int n, boolean verbose) {
        this.n = n;
        this.verbose = verbose;
        col = new int[n];
        usedCol = new boolean[n];
        usedUp = new boolean[2 * n];
        usedDown = new boolean[2 * n];
    }

    int solve(int row) {
        if (row == n) {
            if (verbose) show();
            return 1;
        }
        int sum = 0;
        for (int c = 0; c < n; c++) {
            if (usedCol[c] || usedUp[row + c] || usedDown[row - c + n]) continue;
            col[row] = c;
            usedCol[c] = usedUp[row + c] = usedDown[row - c + n] = true;
            sum += solve(row + 1);
            usedCol[c] = usedUp[row + c] = usedDown[row - c + n] = false;
        }
        return sum;
    }

    void show() {
        StringBuilder sb = new StringBuilder("(");
        for (int c : col) {
            if (sb.length() > 1) sb.append(", ");
            sb.append(c + 1);
        }
        System.out.println(sb.append(")"));
    }

    static void usage() {
        System.err.println("Usage: Queens [-v] number");
        System.out.println("Option: -v  verbose output, print all solutions");
        System.exit(1);
    }

    public static void main(String[] args) {
        if (args.length == 0 || args.length > 2) usage();
        if (args.length == 2 && !args[0].equals("-v")) usage();
        String number = args[args.length - 1];
        if (!number.matches("\\d+")) usage();
        Queens q = new Queens(Integer.parseInt(number), args.length == 2);
        System.out.println(q.n + "-Queens has " + q.solve(0) + " solutions");
    }
}
