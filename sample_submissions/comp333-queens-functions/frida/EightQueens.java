public class EightQueens {
    private final int n;
    private int[] queens;
    private int[] untried;

    public EightQueens() {
        this(8);
    }

    public EightQueens(int n) {
        this.n = n;
    }

    public void initQueensPositions() {
        queens = new int[n];
        java.util.Arrays.fill(queens, -1);
    }

    private boolean hasConflict(int a, int b, int bpos) {
        int apart = bpos - queens[a];
        return apart == 0 || apart == b - a || apart == a - b;
    }

    public boolean hasConflictCumulative(int b, int bpos) {
        return b > 0 && java.util.stream.IntStream.range(0, b).anyMatch(a -> hasConflict(a, b, bpos));
    }

    public void setQueenPosition(int col, int pos) {
        queens[col] = pos;
    }

    public int getQueenPosition(int col) {
        return queens[col];
    }

    public String getPositionsSnapshot() {
        StringBuilder text = new StringBuilder();
        for (int col = 0; col < n; col++) {
            text.append("column ").append(col).append(": ").append(queens[col]).append(System.lineSeparator());
        }
        return text.toString();
    }

    public void initStates() {
        untried = new int[n];
    }

    public int getUntriedPosition(int col) {
        return untried[col] < n ? untried[col] : -1;
    }

    public void setPositionTried(int col) {
        untried[col] += 1;
    }

    public void setAllPositionsUntried(int col) {
        untried[col] = 0;
    }
}
