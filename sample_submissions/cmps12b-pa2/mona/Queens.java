class Queens {
    int n;
    int[] at;           // at[row], rows and columns from 1; at[0] is not used
    long giveUp = System.currentTimeMillis() + 60000;

    Queens(int n) {
        this.n = n;
        at = new int[n + 1];
    }

    boolean safe(int row) {
        for (int r = 1; r < row; r++) {
            if (at[r] == at[row] || Math.abs(at[r] - at[row]) == row - r) return false;
        }
        return true;
    }

    int count(int row) {
        if (row > n) return 1;
        int sum = 0;
        for (at[row] = 1; at[row] <= n; at[row]++) {
            if (safe(row)) sum += count(row + 1);
        }
        return sum;
    }

    // keeps looking until something was printed
    int list() {
        int printed = 0;
        while (printed == 0 && System.currentTimeMillis() < giveUp) {
            printed = list(1);
            if (printed == 0) System.out.println("no solution yet, trying again");
        }
        return printed;
    }

    int list(int row) {
        if (row > n) {
            String line = "";
            for (int r = n; r >= 1; r--) line = (r > 1 ? ", " : "") + at[r] + line;
            System.out.println("(" + line + ")");
            return 1;
        }
        int sum = 0;
        for (at[row] = 1; at[row] <= n; at[row]++) {
            if (safe(row)) sum += list(row + 1);
        }
        return sum;
    }

    public static void main(String[] args) {
        boolean verbose = args.length == 2 && args[0].equals("-v");
        String number = verbose ? args[1] : args.length == 1 ? args[0] : "none";
        if (!number.matches("[0-9]+")) {
            System.err.println("Usage: Queens [-v] number\nOption: -v  verbose output, print all solutions");
            System.exit(1);
        }
        Queens board = new Queens(Integer.parseInt(number));
        int total = verbose ? board.list() : board.count(1);
        System.out.println(number + "-Queens has " + total + " solutions");
    }
}
