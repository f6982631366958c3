/**
 * All solutions of n queens. Nobody but this class needs its functions, so they are private.
 */
public class Queens {

    private static final int QUEEN = 1;

    private static void placeQueen(int[][] B, int i, int j) {
        B[i][j] += QUEEN;
        B[i][0] = j;
        attack(B, i, j, 1);
    }

    private static void removeQueen(int[][] B, int i, int j) {
        B[i][j] -= QUEEN;
        B[i][0] = 0;
        attack(B, i, j, -1);
    }

    private static void attack(int[][] B, int i, int j, int times) {
        for (int k = B.length - 1; k > i; k--) {
            for (int l : new int[] {j - (k - i), j, j + (k - i)}) {
                if (l >= 1 && l <= B.length - 1) {
                    B[k][l] -= times;
                }
            }
        }
    }

    private static void printBoard(int[][] B) {
        StringBuilder line = new StringBuilder();
        for (int i = 1; i < B.length; i++) {
            line.append(", ").append(B[i][0]);
        }
        System.out.println("(" + line.substring(2) + ")");
    }

    private static int findSolutions(int[][] B, int i, String mode) {
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
                sum += findSolutions(B, i + 1, mode);
                removeQueen(B, i, j);
            }
        }
        return sum;
    }

    private static void printUsage() {
        System.err.println("Usage: Queens [-v] number");
        System.err.println("Option: -v  verbose output, print all solutions");
        System.exit(1);
    }

    public static void main(String[] args) {
        if (args.length < 1 || args.length > 2) {
            printUsage();
        }
        if (args.length == 2 && !"-v".equals(args[0])) {
            printUsage();
        }
        try {
            final int n = Integer.parseInt(args[args.length - 1]);
            final String mode = args.length == 2 ? "verbose" : "normal";
            final int found = findSolutions(new int[n + 1][n + 1], 1, mode);
            System.out.println(n + "-Queens has " + found + " solutions");
        } catch (NumberFormatException e) {
            printUsage();
        }
    }
}
