class Queens {
    static void change(int[][] B, int i, int j, int queen, int column) {
        B[i][j] += queen;
        B[i][0] = column;
        int n = B.length - 1;
        for (int k = i + 1; k <= n; k++) {
            B[k][j] -= queen;
            int left = j - (k - i);
            int right = j + (k - i);
            if (left > 0) {
                B[k][left] -= queen;
            }
            if (right <= n) {
                B[k][right] -= queen;
            }
        }
    }

    static void placeQueen(int[][] B, int i, int j) {
        change(B, i, j, 1, j);
    }

    static void removeQueen(int[][] B, int i, int j) {
        change(B, i, j, -1, 0);
    }

    static void printBoard(int[][] B) {
        String comma = "";
        System.out.print('(');
        for (int i = 1; i < B.length; i++) {
            System.out.print(comma + B[i][0]);
            comma = ", ";
        }
        System.out.println(')');
    }

    static int findSolutions(int[][] B, int i, String mode) {
        if (i >= B.length) {
            if (mode.equals("verbose")) printBoard(B);
            return 1;
        }
        int number = 0;
        for (int j = 1; j < B.length; j++) {
            if (B[i][j] < 0) continue;
            placeQueen(B, i, j);
            number += findSolutions(B, i + 1, mode);
            removeQueen(B, i, j);
        }
        return number;
    }

    static String plural(int number) {
        return number == 1 ? "1 solution" : number + " solutions";
    }

    static void usage() {
        System.err.println("Usage: Queens [-v] number");
        System.err.println("Option: -v  verbose output, print all solutions");
        System.exit(1);
    }

    public static void main(String[] args) {
        String mode = "";
        if (args.length == 2 && args[0].equals("-v")) {
            mode = "verbose";
        } else if (args.length != 1) {
            usage();
        }
        try {
            int n = Integer.parseInt(args[args.length - 1]);
            int[][] B = new int[n + 1][n + 1];
            int number = findSolutions(B, 1, mode);
            System.out.println(n + "-Queens has " + plural(number));
        } catch (NumberFormatException e) {
            usage();
        }
    }
}
