// The other half.
class Board {
    private final int[] queens;

    Board(int n) {
        queens = new int[n];
    }

    int count(int row) {
        if (row == queens.length) return 1;
        int found = 0;
        for (int c = 0; c < queens.length; c++) {
            boolean free = true;
            for (int r = 0; r < row; r++) free &= queens[r] != c && Math.abs(queens[r] - c) != row - r;
            queens[row] = c;
            if (free) found += count(row + 1);
        }
        return found;
    }

    public static void main(String[] args) {
        System.out.println("4-Queens has " + new Board(4).count(0) + " solutions");
    }
}
