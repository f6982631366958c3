package pa2;

public class Queens {

    private static final String USAGE = "Usage: Queens [-v] number\nOption: -v  verbose output, print all solutions";

    public static void main(String[] args) {
        boolean listed = args.length == 2 && args[0].equals("-v");
        if (args.length != 1 && !listed) {
            quit();
        }
        int n = 0;
        try {
            n = Integer.parseInt(args[args.length - 1]);
        } catch (NumberFormatException notANumber) {
            quit();
        }
        int total = findSolutions(new int[n + 1][n + 1], 1, listed ? "verbose" : "");
        System.out.println(n + "-Queens has " + total + " solutions");
    }

    static void quit() {
        System.err.println(USAGE);
        System.exit(1);
    }

    static void placeQueen(int[][] B, int i, int j) {
        B[i][j]++;
        B[i][0] = j;
        for (int row = i + 1; row < B.length; row++) {
            int far = row - i;
            B[row][j]--;
            if (j - far > 0) {
                B[row][j - far]--;
            }
            if (j + far < B.length) {
                B[row][j + far]--;
            }
        }
    }

    static void removeQueen(int[][] B, int i, int j) {
        B[i][j]--;
        B[i][0] = 0;
        for (int row = i + 1; row < B.length; row++) {
            int far = row - i;
            B[row][j]++;
            if (j - far > 0) {
                B[row][j - far]++;
            }
            if (j + far < B.length) {
                B[row][j + far]++;
            }
        }
    }

    static void printBoard(int[][] B) {
        StringBuilder tuple = new StringBuilder("(");
        for (int row = 1; row < B.length; row++) {
            tuple.append(row == 1 ? "" : ", ").append(B[row][0]);
        }
        System.out.println(tuple.append(")"));
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
            if (B[i][j] == 0) {
                placeQueen(B, i, j);
                sum += findSolutions(B, i + 1, mode);
                removeQueen(B, i, j);
            }
        }
        return sum;
    }
}
