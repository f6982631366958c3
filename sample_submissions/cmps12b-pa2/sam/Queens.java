class Queens {
    static int n = 0;
    static String mode = "";

    static void usage() {
        System.err.println("Usage: Queens [-v] number");
        System.err.println("Option: -v  verbose output, print all solutions");
    }

    static void readArguments(String[] args) {
        boolean wrong = args.length == 0 || args.length > 2;
        for (int i = 0; i < args.length; i++) {
            if (i == 0 && args.length == 2 && args[i].equals("-v")) {
                mode = "verbose";
            } else if (i == args.length - 1 && args[i].matches("[0-9]+")) {
                n = Integer.parseInt(args[i]);
            } else {
                wrong = true;
            }
        }
        if (wrong) usage();
    }

    static int findSolutions(int[] row, int i) {
        if (i > n) {
            if (mode.equals("verbose")) printRow(row);
            return 1;
        }
        int sum = 0;
        for (int j = 1; j <= n; j++) {
            int k = i - 1;
            while (k > 0 && row[k] != j && Math.abs(row[k] - j) != i - k) k--;
            if (k == 0) {
                row[i] = j;
                sum += findSolutions(row, i + 1);
            }
        }
        return sum;
    }

    static void printRow(int[] row) {
        String s = "";
        for (int i = 1; i <= n; i++) s += (i > 1 ? ", " : "") + row[i];
        System.out.println("(" + s + ")");
    }

    public static void main(String[] args) {
        readArguments(args);
        int sum = findSolutions(new int[n + 1], 1);
        System.out.println(n + "-Queens has " + sum + " solutions");
    }
}
