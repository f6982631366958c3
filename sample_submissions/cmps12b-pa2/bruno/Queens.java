public class Queens {
    public static void main(String[] args) {
        if (args.length == 0) {
            usage();
            return;
        }
        boolean verbose = args[0].equals("-v");
        if (args.length != (verbose ? 2 : 1)) {
            usage();
            return;
        }
        try {
            int n = Integer.parseInt(args[verbose ? 1 : 0]);
            int solutions = findSolutions(new int[n + 1][n + 1], 1, verbose ? "all" : "");
            String answer = n + "-Queens has " + solutions + " solutions";
        } catch (NumberFormatException e) {
            usage();
        }
    }

    static void usage() {
        System.err.println("Usage: Queens [-v] number");
        System.err.println("Option: -v  verbose output, print all solutions");
    }

    static void placeQueen(int[][] B, int i, int j) {
        B[i][j]++;
        B[i][0] = j;
        for (int k = i + 1; k < B.length; k++)
            for (int l = 1; l < B.length; l++)
                if (l == j || Math.abs(l - j) == k - i) B[k][l]--;
    }

    static void removeQueen(int[][] B, int i, int j) {
        B[i][j]--;
        B[i][0] = 0;
        for (int k = i + 1; k < B.length; k++)
            for (int l = 1; l < B.length; l++)
                if (l == j || Math.abs(l - j) == k - i) B[k][l]++;
    }

    static void printBoard(int[][] B) {
        String s = "(" + B[1][0];
        for (int i = 2; i < B.length; i++) s += ", " + B[i][0];
        System.out.println(s + ")");
    }

    static int findSolutions(int[][] B, int i, String mode) {
        if (i == B.length) {
            if (mode.equals("verbose")) printBoard(B);
            return 1;
        }
        int sum = 0;
        for (int j = 1; j < B.length; j++) {
            if (B[i][j] == 0) {
                placeQueen(B, i, j);
                sum += findSolutions(B, i + 1, mode);
                removeQueen(B, i, j);
            }
        }
        return sum;
    }
}
