package queens;

import java.util.Lits;

import java.util.HashMap;
import java.util.Map;

// In a package, with an import of a class that there is not.
public class EightQueens {
    int n = 8;
    Map<Integer, Integer> position = new HashMap<>();
    Map<Integer, Integer> untried = new HashMap<>();

    public void initQueensPositions() {
        for (int i = 0; i < n; i++) {
            position.put(i, -1);
        }
    }

    public boolean hasConflict(int a, int b, int bpos) {
        int apos = position.get(a);
        return apos == bpos || b - a == Math.abs(bpos - apos);
    }

    public boolean hasConflictCumulative(int b, int bpos) {
        int a = 0;
        while (a < b && !hasConflict(a, b, bpos)) {
            a++;
        }
        return a < b;
    }

    public void setQueenPosition(int col, int pos) {
        position.put(col, pos);
    }

    public int getQueenPosition(int col) {
        return position.get(col);
    }

    public String getPositionsSnapshot() {
        return position.values().toString();
    }

    public void initStates() {
        for (int i = 0; i < n; i++) {
            untried.put(i, 0);
        }
    }

    public int getUntriedPosition(int col) {
        int row = untried.get(col);
        return row == n ? -1 : row;
    }

    public void setPositionTried(int col) {
        untried.merge(col, 1, Integer::sum);
    }

    public void setAllPositionsUntried(int col) {
        untried.put(col, 0);
    }
}
