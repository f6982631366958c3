public class Queens {
    static void placeQueen(int[][] B, int i, int j) {
        B[i][j]++;
        B[i][0] = j;
        for (int k = i + 1; k < B.length; k++)
            for (int l = 1; l < B.length; l++)
                if (l == j || Math.abs(l - j) == k - i)
                    B[k][l]--;
    }

    static void removeQueen(int[][] B, int i, int j) {
        B[i][j]--;
        B[i][0] = 0;
        for (int k = i + 1; k < B.length; k++)
            for (int l = 1; l < B.length; l++)
                if (l == j || Math.abs(l - j) == k - i)
                    B[k][l]++;
    }

    // prints the columns from row i on, one call for each row
    static void printRest(int[][] B, int i) {
        System.out.print(B[i][0]);
        System.out.print(i == B.length - 1 ? ")\n" : ", ");
        printRest(B, i == B.length - 1 ? i : i + 1);
    }

    static void printBoard(int[][] B) {
        System.out.print("(");
        printRest(B, 1);
    }

    static int findSolutions(int[][] B, int i, String mode) {
        if (i == B.length) {
            if (mode.equals("verbose")) printBoard(B);
            return 1;
        }
        int s = 0;
        for (int j = 1; j < B.length; j++) {
            if (B[i][j] == 0) {
                placeQueen(B, i, j);
                s += findSolutions(B, i + 1, mode);
                removeQueen(B, i, j);
            }
        }
        return s;
    }

    static void usage() {
        System.err.println("Usage: Queens [-v] number");
        System.err.println("Option: -v  verbose output, print all solutions");
        System.exit(1);
    }

    public static void main(String[] args) {
        String mode = "";
        if (args.length == 2 && args[0].equals("-v")) mode = "verbose";
        else if (args.length != 1) usage();
        try {
            int n = Integer.parseInt(args[args.length - 1]);
            System.out.println(n + "-Queens has " + findSolutions(new int[n + 1][n + 1], 1, mode) + " solutions");
        } catch (NumberFormatException e) {
            usage();
        }
    }
}
