// COMP 333, project 1, part 1: eight queens by backtracking.

public class Queens8 {
    static int n = 8;
    static int[] queensPositions;
    static int[] firstUntried;

    // ---- functions on the queen positions

    static void initQueensPositions() {
        queensPositions = new int[n];
        for (int col = 0; col < n; col++) {
            queensPositions[col] = -1;
        }
    }

    static boolean hasConflict(int a, int b, int bpos) {
        int apos = queensPositions[a];
        if (apos == bpos) {
            return true;
        }
        return Math.abs(bpos - apos) == b - a;
    }

    static boolean hasConflictCumulative(int b, int bpos) {
        for (int a = 0; a < b; a++) {
            if (hasConflict(a, b, bpos)) {
                return true;
            }
        }
        return false;
    }

    static void setQueenPosition(int col, int pos) {
        queensPositions[col] = pos;
    }

    static int getQueenPosition(int col) {
        return queensPositions[col];
    }

    static String getPositionsSnapshot() {
        String snapshot = "{ ";
        for (int col = 0; col < n; col++) {
            snapshot += (col > 0 ? ", " : "") + queensPositions[col];
        }
        return snapshot + " }";
    }

    // ---- functions on the rows that have been tried

    static void initStates() {
        firstUntried = new int[n];
    }

    static int getUntriedPosition(int col) {
        if (firstUntried[col] == n) {
            return -1;
        }
        return firstUntried[col];
    }

    static void setPositionTried(int col) {
        firstUntried[col]++;
    }

    static void setAllPositionsUntried(int col) {
        firstUntried[col] = 0;
    }

    public static void main(String[] args) {
        initQueensPositions();
        initStates();
        int found = 0;
        int col = 0;
        while (col >= 0) {
            if (col == n) {
                found++;
                System.out.println(getPositionsSnapshot());
                col--;
                continue;
            }
            int pos = getUntriedPosition(col);
            if (pos == -1) {
                setQueenPosition(col, -1);
                setAllPositionsUntried(col);
                col--;
                continue;
            }
            setPositionTried(col);
            if (!hasConflictCumulative(col, pos)) {
                setQueenPosition(col, pos);
                col++;
            }
        }
        System.out.println(found + " solutions");
    }
}
