public class Queens {
    public static void main(String[] args) {
        if (args.length == 0) {
            System.err.println("Usage: Queens [-v] number");
            System.err.println("Option: -v  verbose output, print all solutions");
            System.exit(1);
        }
        if (args[0].equals("-v")) {
            int n = Integer.parseInt(args[1]);
            System.out.println(n + "-Queens has " + findSolutions(new int[n + 1][n + 1], 1, "verbose") + " solutions");
        } else {
            int n = Integer.parseInt(args[0]);
            System.out.println(n + "-Queens has " + findSolutions(new int[n + 1][n + 1], 1, "normal") + " solutions");
        }
    }

    static void placeQueen(int[][] B, int i, int j) {
        int n = B.length - 1;
        B[i][j] = B[i][j] + 1;
        B[i][0] = j;
        for (int k = i + 1; k <= n; k++) {
            B[k][j] = B[k][j] - 1;
            if (j + k - i <= n) {
                B[k][j + k - i] = B[k][j + k - i] - 1;
            }
            if (j - k + i >= 1) {
                B[k][j - k + i] = B[k][j - k + i] - 1;
            }
        }
    }

    static void removeQueen(int[][] B, int i, int j) {
        int n = B.length - 1;
        B[i][j] = B[i][j] - 1;
        B[i][0] = 0;
        for (int k = i + 1; k <= n; k++) {
            B[k][j] = B[k][j] + 1;
            if (j + k - i <= n) {
                B[k][j + k - i] = B[k][j + k - i] + 1;
            }
            if (j - k + i >= 1) {
                B[k][j - k + i] = B[k][j - k + i] + 1;
            }
        }
    }

    static void printBoard(int[][] B) {
        System.out.print("(");
        for (int i = 1; i < B.length - 1; i++) {
            System.out.print(B[i][0] + ", ");
        }
        System.out.println(B[B.length - 1][0] + ")");
    }

    static int findSolutions(int[][] B, int i, String mode) {
        if (i > B.length - 1) {
            if (mode.equals("verbose")) {
                printBoard(B);
            }
            return 1;
        }
        int sum = 0;
        for (int j = 1; j <= B.length - 1; j++) {
            if (B[i][j] == 0) {
                placeQueen(B, i, j);
                sum = sum + findSolutions(B, i + 1, mode);
                removeQueen(B, i, j);
            }
        }
        return sum;
    }
}
