// A square is free (0), attacked (-1) or has a queen (1).
public class Queens {
    static void placeQueen(int[][] B, int i, int j) {
        B[i][0] = j;
        redraw(B);
    }

    static void removeQueen(int[][] B, int i, int j) {
        B[i][0] = 0;
        redraw(B);
    }

    // draws the board anew from the queens in column 0
    static void redraw(int[][] B) {
        for (int k = 1; k < B.length; k++) {
            for (int l = 1; l < B.length; l++) {
                B[k][l] = B[k][0] == l ? 1 : attacked(B, k, l) ? -1 : 0;
            }
        }
    }

    static boolean attacked(int[][] B, int k, int l) {
        for (int i = 1; i < k; i++) {
            int j = B[i][0];
            if (j > 0 && (j == l || Math.abs(j - l) == k - i)) {
                return true;
            }
        }
        return false;
    }

    static void printBoard(int[][] B) {
        System.out.print("(" + B[1][0]);
        for (int i = 2; i < B.length; i++) {
            System.out.print(", " + B[i][0]);
        }
        System.out.println(")");
    }

    static int findSolutions(int[][] B, int i, String mode) {
        if (i == B.length) {
            if (mode.equals("verbose")) {
                printBoard(B);
            }
            return 1;
        }
        int sum = 0;
        for (int j = 1; j < B.length; j++) {
            if (!attacked(B, i, j)) {
                B[i][0] = j;
                sum += findSolutions(B, i + 1, mode);
                B[i][0] = 0;
            }
        }
        return sum;
    }

    public static void main(String[] args) {
        boolean v = args.length > 0 && args[0].equals("-v");
        if (args.length != (v ? 2 : 1)) {
            usage();
        }
        int n = 0;
        try {
            n = Integer.valueOf(args[v ? 1 : 0]);
        } catch (NumberFormatException e) {
            usage();
        }
        System.out.println(n + "-Queens has " + findSolutions(new int[n + 1][n + 1], 1, v ? "verbose" : "") + " solutions");
    }

    static void usage() {
        System.err.println("Usage: Queens [-v] number");
        System.err.println("Option: -v  verbose output, print all solutions");
        System.exit(1);
    }
}
