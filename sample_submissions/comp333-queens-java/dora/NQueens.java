// Tries the rows from the bottom up.
public class NQueens {
    int[] queenPos;
    int count = 0;
    boolean trace;

    public static void main(String[] args) {
        NQueens q = new NQueens();
        q.queenPos = new int[Integer.parseInt(args[0])];
        q.trace = args.length > 1 && "trace".equals(args[1]);
        q.next(0);
        if (!q.trace) System.out.println("Solutions: " + q.count);
    }

    public boolean nc(int a, int b) {
        int rowDiff = Math.abs(queenPos[a] - queenPos[b]);
        int colDiff = Math.abs(a - b);
        return rowDiff != 0 && rowDiff != colDiff;
    }

    void next(int col) {
        int n = queenPos.length;
        if (col == n) {
            count++;
            if (trace) return;
            String s = "" + queenPos[0];
            for (int i = 1; i < n; i++) s += " " + queenPos[i];
            System.out.println(s);
            return;
        }
        for (int row = n - 1; row >= 0; row--) {
            queenPos[col] = row;
            int a = 0;
            while (a < col && nc(a, col)) a++;
            if (a < col) continue;
            if (trace) snapshot(col);
            next(col + 1);
            if (trace && count > 0) return;
        }
    }

    void snapshot(int col) {
        System.out.println("curcol = " + col);
        System.out.println("Snapshot");
        for (int row = 0; row < queenPos.length; row++) {
            System.out.print(row + ":");
            for (int c = 0; c <= col; c++) System.out.print(queenPos[c] == row ? " Q" : "  ");
            System.out.println();
        }
    }
}
