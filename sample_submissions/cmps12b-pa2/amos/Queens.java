// A queen marks the rows above it, too. What prints and counts belongs to an object.
public class Queens {

    int solutions = 0;

    static void placeQueen(int[][] B, int i, int j) {
        mark(B, i, j, -1);
        B[i][j] = 1;
        B[i][0] = j;
    }

    static void removeQueen(int[][] B, int i, int j) {
        B[i][j] = 0;
        B[i][0] = 0;
        mark(B, i, j, 1);
    }

    static void mark(int[][] B, int i, int j, int by) {
        for (int k = 1; k < B.length; k++) {
            for (int l = 1; l < B.length; l++) {
                boolean sameLine = k == i || l == j;
                boolean sameDiagonal = k - l == i - j || k + l == i + j;
                if ((k != i || l != j) && (sameLine || sameDiagonal)) B[k][l] += by;
            }
        }
    }

    void printBoard(int[][] B) {
        System.out.print("(" + B[1][0]);
        for (int i = 2; i < B.length; i++) System.out.print(", " + B[i][0]);
        System.out.println(")");
    }

    int findSolutions(int[][] B, int i, String mode) {
        if (i == B.length) {
            solutions++;
            if (mode.equals("verbose")) printBoard(B);
            return solutions;
        }
        for (int j = 1; j < B.length; j++) {
            if (B[i][j] < 0) continue;
            placeQueen(B, i, j);
            findSolutions(B, i + 1, mode);
            removeQueen(B, i, j);
        }
        return solutions;
    }

    public static void main(String[] args) {
        boolean verbose = args.length == 2 && args[0].equals("-v");
        int n = -1;
        try {
            if (verbose || args.length == 1) n = Integer.parseInt(args[args.length - 1]);
        } catch (NumberFormatException e) {
            n = -1;
        }
        if (n < 1) {
            System.err.println("Usage: Queens [-v] number");
            System.err.println("Option: -v  verbose output, print all solutions");
            System.exit(1);
        }
        int[][] B = new int[n + 1][n + 1];
        System.out.println(n + "-Queens has " + new Queens().findSolutions(B, 1, verbose ? "verbose" : "") + " solutions");
    }
}
