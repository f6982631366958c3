// The four functions work; main comes tomorrow.
class Queens {
    static void placeQueen(int[][] B, int i, int j) {
        B[i][j] = 1;
        B[i][0] = j;
        for (int k = i + 1; k < B.length; k++) {
            int d = k - i;
            B[k][j] -= 1;
            if (j - d >= 1) B[k][j - d] -= 1;
            if (j + d <= B.length - 1) B[k][j + d] -= 1;
        }
    }

    static void removeQueen(int[][] B, int i, int j) {
        B[i][j] = 0;
        B[i][0] = 0;
        for (int k = i + 1; k < B.length; k++) {
            int d = k - i;
            B[k][j] += 1;
            if (j - d >= 1) B[k][j - d] += 1;
            if (j + d <= B.length - 1) B[k][j + d] += 1;
        }
    }

    static void printBoard(int[][] B) {
        String out = "(";
        for (int i = 1; i <= B.length - 1; i++) {
            out = out + B[i][0];
            if (i != B.length - 1) out = out + ", ";
        }
        out = out + ")";
        System.out.println(out);
    }

    static int findSolutions(int[][] B, int i, String mode) {
        int sum = 0;
        if (i > B.length - 1) {
            if (mode.equals("verbose")) printBoard(B);
            return 1;
        }
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
