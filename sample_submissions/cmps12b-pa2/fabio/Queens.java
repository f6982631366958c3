/* pa2 - n queens */

class queens {
    static void placeQueen(int[][] B, int i, int j) {
        B[i][j] += 1;
        B[i][0] = j;
        for (int k = i + 1; k < B.length; k++)
            for (int l = 1; l < B.length; l++)
                if (attacks(i, j, k, l)) B[k][l] -= 1;
    }

    static void removeQueen(int[][] B, int i, int j) {
        B[i][j] -= 1;
        B[i][0] = 0;
        for (int k = i + 1; k < B.length; k++)
            for (int l = 1; l < B.length; l++)
                if (attacks(i, j, k, l)) B[k][l] += 1;
    }

    static boolean attacks(int i, int j, int k, int l) {
        return j == l || i + j == k + l || i - j == k - l;
    }

    static void printBoard(int[][] B) {
        String s = "(";
        for (int i = 1; i < B.length - 1; i++) s += B[i][0] + ", ";
        System.out.println(s + B[B.length - 1][0] + ")");
    }

    static int findSolutions(int[][] B, int i, String mode) {
        int count = 0;
        if (i > B.length - 1) {
            if (mode.equals("verbose")) printBoard(B);
            count = 1;
        } else {
            for (int j = 1; j < B.length; j++) {
                if (B[i][j] == 0) {
                    placeQueen(B, i, j);
                    count += findSolutions(B, i + 1, mode);
                    removeQueen(B, i, j);
                }
            }
        }
        return count;
    }

    public static void main(String[] args) {
        if (args.length == 1 && isNumber(args[0])) {
            answer(Integer.parseInt(args[0]), "");
        } else if (args.length == 2 && args[0].equals("-v") && isNumber(args[1])) {
            answer(Integer.parseInt(args[1]), "verbose");
        } else {
            System.err.println("Usage: Queens [-v] number");
            System.err.println("Option: -v  verbose output, print all solutions");
            System.exit(1);
        }
    }

    static boolean isNumber(String s) {
        for (char c : s.toCharArray()) if (!Character.isDigit(c)) return false;
        return s.length() > 0;
    }

    static void answer(int n, String mode) {
        int[][] B = new int[n + 1][n + 1];
        System.out.println(n + "-Queens has " + findSolutions(B, 1, mode) + " solutions");
    }
}
