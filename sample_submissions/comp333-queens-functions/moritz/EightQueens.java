/** All functions are private, for they are called here alone. */
public class EightQueens {
    private static final int n = 8;
    private static int[] queensPositions;
    private static int[] firstUntried;

    public static void main(String[] args) {
        initQueensPositions();
        initStates();
        for (int col = 0; col >= 0; ) {
            int pos = col == n ? -1 : getUntriedPosition(col);
            if (pos < 0) {
                if (col == n) {
                    System.out.println(getPositionsSnapshot());
                } else {
                    setAllPositionsUntried(col);
                    setQueenPosition(col, -1);
                }
                col--;
            } else {
                setPositionTried(col);
                if (!hasConflictCumulative(col, pos)) setQueenPosition(col++, pos);
            }
        }
    }

    private static void initQueensPositions() {
        queensPositions = new int[n];
        java.util.Arrays.fill(queensPositions, -1);
    }

    private static boolean hasConflict(int a, int b, int bpos) {
        int distance = Math.abs(queensPositions[a] - bpos);
        return distance == 0 || distance == b - a;
    }

    private static boolean hasConflictCumulative(int b, int bpos) {
        boolean found = false;
        for (int a = 0; a < b; a++) found |= hasConflict(a, b, bpos);
        return found;
    }

    private static void setQueenPosition(int col, int pos) {
        queensPositions[col] = pos;
    }

    private static int getQueenPosition(int col) {
        return queensPositions[col];
    }

    private static String getPositionsSnapshot() {
        return java.util.Arrays.toString(queensPositions);
    }

    private static void initStates() {
        firstUntried = new int[n];
    }

    private static int getUntriedPosition(int col) {
        return firstUntried[col] < n ? firstUntried[col] : -1;
    }

    private static void setPositionTried(int col) {
        firstUntried[col]++;
    }

    private static void setAllPositionsUntried(int col) {
        firstUntried[col] = 0;
    }
}
