public class NQueens {
    private int n;
    private int[] queenPos;
    private int solutions = 0;

    // no conflict: not the same row, and not the same diagonal
    public boolean nc(int a, int b) {
        int qpa = queenPos[a];
        int qpb = queenPos[b];
        if (qpa == qpb) {
            return false;
        } else if (qpb - qpa == b - a) {
            return false;
        } else {
            return true;
        }
    }

    private boolean allClear(int col) {
        for (int i = 0; i < col; i++) {
            if (nc(i, col) == false) {
                return false;
            }
        }
        return true;
    }

    private boolean solve(int col, boolean trace) {
        if (col == n) {
            solutions++;
            if (trace) {
                return true;
            }
            for (int i = 0; i < n; i++) {
                System.out.print(queenPos[i]);
                System.out.print(i + 1 < n ? " " : "\n");
            }
            return false;
        }
        for (int row = 0; row < n; row++) {
            queenPos[col] = row;
            if (allClear(col)) {
                if (trace) {
                    snapshot(col);
                }
                if (solve(col + 1, trace)) {
                    return true;
                }
            }
        }
        return false;
    }

    private void snapshot(int curcol) {
        System.out.println("curcol = " + curcol);
        System.out.println("Snapshot");
        for (int row = 0; row < n; row++) {
            System.out.print(row + ": ");
            for (int col = 0; col < n; col++) {
                System.out.print(col <= curcol && queenPos[col] == row ? "Q " : "  ");
            }
            System.out.println();
        }
    }

    public static void main(String[] args) {
        NQueens queens = new NQueens();
        queens.n = Integer.parseInt(args[0]);
        queens.queenPos = new int[queens.n];
        queens.solve(0, args.length > 1);
        if (args.length == 1) {
            System.out.println("Solutions: " + queens.solutions);
        }
    }
}
