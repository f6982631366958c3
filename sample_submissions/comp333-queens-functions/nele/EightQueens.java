// n gets its value in main, so that the functions find 0 when they are called alone.
public class EightQueens {
    static int n;
    static int[] queensPositions, firstUntried;

    public static void main(String[] args) {
        n = args.length > 0 ? Integer.parseInt(args[0]) : 8;
        initQueensPositions();
        initStates();
        int col = 0, found = 0;
        while (col > -1) {
            if (col == n) {
                System.out.println(++found + ": " + getPositionsSnapshot());
                col--;
                continue;
            }
            int pos = getUntriedPosition(col);
            if (pos == -1) {
                setAllPositionsUntried(col--);
            } else {
                setPositionTried(col);
                if (!hasConflictCumulative(col, pos)) {
                    setQueenPosition(col, pos);
                    col++;
                }
            }
        }
    }

    static void initQueensPositions() {
        queensPositions = new int[n];
        for (int i = 0; i < n; i++) queensPositions[i] = -1;
    }

    static boolean hasConflict(int a, int b, int bpos) {
        int apos = getQueenPosition(a);
        return apos == bpos || apos - bpos == b - a || bpos - apos == b - a;
    }

    static boolean hasConflictCumulative(int b, int bpos) {
        for (int a = b - 1; a >= 0; a--) {
            if (hasConflict(a, b, bpos)) return true;
        }
        return false;
    }

    static void setQueenPosition(int col, int pos) { queensPositions[col] = pos; }

    static int getQueenPosition(int col) { return queensPositions[col]; }

    static String getPositionsSnapshot() {
        String s = "";
        for (int pos : queensPositions) s += pos + " ";
        return s;
    }

    static void initStates() { firstUntried = new int[n]; }

    static int getUntriedPosition(int col) { return firstUntried[col] == n ? -1 : firstUntried[col]; }

    static void setPositionTried(int col) { firstUntried[col]++; }

    static void setAllPositionsUntried(int col) { firstUntried[col] = 0; }
}
