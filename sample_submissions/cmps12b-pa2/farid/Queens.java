public class Queens {
    static final String[] USAGE = {
        "Usage: Queens [-v] number",
        "Options: -v  verbose output, print all solutions",
    };

    static void attacks(int[][] B, int i, int j, int add) {
        int n = B.length - 1;
        for (int k = i + 1; k <= n; k++) {
            B[k][j] += add;
            if (j + (k - i) <= n) B[k][j + (k - i)] += add;
            if (j - (k - i) >= 1) B[k][j - (k - i)] += add;
        }
    }

    static void placeQueen(int[][] B, int i, int j) {
        B[i][j]++;
        attacks(B, i, j, -1);
        B[i][0] = j;
    }

    static void removeQueen(int[][] B, int i, int j) {
        B[i][j]--;
        attacks(B, i, j, +1);
        B[i][0] = 0;
    }

    static void printBoard(int[][] B) {
        System.out.print("(");
        for (int i = 1; i < B.length; i++) {
            if (i > 1) System.out.print(", ");
            System.out.print(B[i][0]);
        }
        System.out.print(")\n");
    }

    static int findSolutions(int[][] B, int i, String mode) {
        int n = B.length - 1;
        if (i == n + 1) {
            if (mode.equals("verbose")) printBoard(B);
            return 1;
        }
        int sum = 0;
        for (int j = 1; j <= n; j++) {
            if (B[i][j] == 0) {
                placeQueen(B, i, j);
                sum += findSolutions(B, i + 1, mode);
                removeQueen(B, i, j);
            }
        }
        return sum;
    }

    public static void main(String[] args) {
        String mode = args.length == 2 && args[0].equals("-v") ? "verbose" : "normal";
        int n = -1;
        if (args.length == (mode.equals("verbose") ? 2 : 1)) {
            try {
                n = Integer.parseInt(args[args.length - 1]);
            } catch (NumberFormatException e) {
                // falls through to the message
            }
        }
        if (n < 0) {
            for (String line : USAGE) System.err.println(line);
            System.exit(1);
        }
        System.out.println(n + "-Queens has " + findSolutions(new int[n + 1][n + 1], 1, mode) + " solutions");
    }
}
