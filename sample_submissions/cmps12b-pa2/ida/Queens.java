/*
 * n queens. Row 0 of the board is free for anything: here it keeps how many queens each column has had so far, and
 * B[0][0] how many queens have been placed in all, which was interesting to see.
 */
class Queens {
    static void placeQueen(int[][] B, int i, int j) {
        B[0][0]++;
        B[0][j]++;
        B[i][j]++;
        B[i][0] = j;
        spread(B, i, j, -1);
    }

    static void removeQueen(int[][] B, int i, int j) {
        B[i][j]--;
        B[i][0] = 0;
        spread(B, i, j, 1);
    }

    static void spread(int[][] B, int i, int j, int by) {
        for (int d = 1; i + d < B.length; d++) {
            B[i + d][j] += by;
            if (j > d) B[i + d][j - d] += by;
            if (j + d < B.length) B[i + d][j + d] += by;
        }
    }

    static void printBoard(int[][] B) {
        StringBuilder out = new StringBuilder();
        for (int i = 1; i < B.length; i++) {
            out.append(i > 1 ? ", " : "(").append(B[i][0]);
        }
        System.out.println(out.append(')'));
    }

    static int findSolutions(int[][] B, int i, String mode) {
        if (i == B.length) {
            if (mode.equals("verbose")) printBoard(B);
            return 1;
        }
        int total = 0;
        for (int j = 1; j < B.length; j++) {
            if (B[i][j] == 0) {
                placeQueen(B, i, j);
                total += findSolutions(B, i + 1, mode);
                removeQueen(B, i, j);
            }
        }
        return total;
    }

    static void usage() {
        System.err.print("Usage: Queens [-v] number\nOption: -v  verbose output, print all solutions\n");
        System.exit(1);
    }

    public static void main(String[] args) {
        String mode = "normal", number = "";
        switch (args.length) {
            case 1:
                number = args[0];
                break;
            case 2:
                if (!args[0].equals("-v")) usage();
                mode = "verbose";
                number = args[1];
                break;
            default:
                usage();
        }
        int n = 0;
        try {
            n = Integer.parseInt(number);
        } catch (NumberFormatException e) {
            usage();
        }
        System.out.println(n + "-Queens has " + findSolutions(new int[n + 1][n + 1], 1, mode) + " solutions");
    }
}
