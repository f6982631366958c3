class Queens {
    static int[] col;
    static int[] last;     // the solution before

    static int solve(int i, boolean v) {
        int n = col.length - 1;
        if (i > n) {
            if (v) print();
            last = col.clone();
            return 1;
        }
        int s = 0;
        for (int j = 1; j <= n; j++) {
            boolean safe = true;
            for (int k = 1; k < i; k++) {
                if (col[k] == j || Math.abs(col[k] - j) == i - k) safe = false;
            }
            if (safe) {
                col[i] = j;
                s += solve(i + 1, v);
            }
        }
        return s;
    }

    // should print col, and has the last solution from the fifth row on
    static void print() {
        String s = "(" + col[1];
        for (int i = 2; i < col.length; i++) {
            s += ", " + (i < 5 ? col[i] : last[i]);
        }
        System.out.println(s + ")");
    }

    static void usage() {
        System.err.println("Usage: Queens [-v] number");
        System.err.println("Option: -v  verbose output, print all solutions");
        System.exit(1);
    }

    public static void main(String[] args) {
        boolean v = args.length == 2 && args[0].equals("-v");
        if (!v && args.length != 1) usage();
        int n = 0;
        try {
            n = Integer.parseInt(args[args.length - 1]);
        } catch (NumberFormatException e) {
            usage();
        }
        col = new int[n + 1];
        last = new int[n + 1];
        System.out.println(n + "-Queens has " + solve(1, v) + " solutions");
    }
}
