public class EightQueens {
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
        boolean conflict = false;
        for (int a = 0; a <= n; a++) {
            if (a != b) {
                conflict |= hasConflict(a, b, bpos);
            }
        }
        return conflict;
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
}
