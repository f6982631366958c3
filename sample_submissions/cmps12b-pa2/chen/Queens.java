class Queens {
    static void mark(int[][] B, int i, int j, int d) {
        for (int k = i + 1; k < B.length; k++) {
            for (int m = -1; m <= 1; m++) {
                int l = j + m * (k - i);
                if (l < 1 || l >= B.length) continue;
                B[k][l] += d;
            }
        }
    }

    static void placeQueen(int[][] B, int i, int j) {
        B[i][0] = j;
        B[i][j]++;
        mark(B, i, j, -1);
    }

    static void removeQueen(int[][] B, int i, int j) {
        B[i][0] = 0;
        B[i][j]--;
        mark(B, i, j, 1);
    }

    static void printBoard(int[][] B) {
        System.out.print("  (" + B[1][0]);
        for (int i = 2; i < B.length; i++) System.out.print(", " + B[i][0]);
        System.out.println(")");
    }

    static int findSolutions(int[][] B, int i, String mode) {
        if (i == B.length) {
            if (mode.equals("verbose")) printBoard(B);
            return 1;
        }
        int sum = 0;
        for (int j = 1; j < B.length; j++) {
            if (B[i][j] != 0) continue;
            placeQueen(B, i, j);
            sum += findSolutions(B, i + 1, mode);
            removeQueen(B, i, j);
        }
        return sum;
    }

    public static void main(String[] args) {
        String mode = "";
        int n = 0;
        if (args.length == 2 && args[0].equals("-v")) mode = "verbose";
        try {
            if (args.length != (mode.isEmpty() ? 1 : 2)) throw new NumberFormatException();
            n = Integer.parseInt(args[args.length - 1]);
        } catch (NumberFormatException e) {
            System.err.println("\nUsage: Queens [-v] number\nOption: -v  verbose output, print all solutions\n");
            System.exit(1);
        }
        int sum = findSolutions(new int[n + 1][n + 1], 1, mode);
        System.out.println("\n" + n + "-Queens has " + sum + " solutions");
    }
}
