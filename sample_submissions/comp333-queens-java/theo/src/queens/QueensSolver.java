package queens;

// COMP 333, in an IDE: n queens, one queen in each column, found by a loop that goes forth and back over the columns.

public class QueensSolver {
    static final int UNASSIGNED = -1;
    static final int NO_POS_AVAIL = -2;

    int n;
    int[] queenPos;
    int[] nextAvail;
    boolean tracing;

    public static void main(String[] args) {
        QueensSolver queens = new QueensSolver();
        queens.n = Integer.parseInt(args[0]);
        queens.tracing = args.length > 1 && args[1].equals("trace");
        queens.search();
    }

    public boolean nc(int a, int b) {
        int qpa = queenPos[a];
        int qpb = queenPos[b];
        return qpa != qpb && Math.abs(qpa - qpb) != Math.abs(a - b);
    }

    boolean noConflictBefore(int col) {
        for (int a = 0; a < col; a++) {
            if (!nc(a, col)) {
                return false;
            }
        }
        return true;
    }

    int getNextAvail(int col) {
        while (nextAvail[col] < n) {
            queenPos[col] = nextAvail[col];
            nextAvail[col]++;
            if (noConflictBefore(col)) {
                return queenPos[col];
            }
        }
        return NO_POS_AVAIL;
    }

    void search() {
        queenPos = new int[n];
        nextAvail = new int[n];
        java.util.Arrays.fill(queenPos, UNASSIGNED);
        int found = 0;
        int curcol = 0;
        while (curcol >= 0) {
            if (curcol == n) {
                found++;
                if (tracing) {
                    snapshot();
                    return;
                }
                printSolution();
                curcol--;
                queenPos[curcol] = UNASSIGNED;
                continue;
            }
            int pos = getNextAvail(curcol);
            if (pos == NO_POS_AVAIL) {
                queenPos[curcol] = UNASSIGNED;
                nextAvail[curcol] = 0;
                curcol--;
            } else {
                queenPos[curcol] = pos;
                if (tracing) {
                    System.out.println("curcol = " + curcol);
                    snapshot();
                }
                curcol++;
            }
        }
        if (!tracing) {
            System.out.println("Solutions: " + found);
        }
    }

    void printSolution() {
        String line = "";
        for (int pos : queenPos) {
            line += pos + " ";
        }
        System.out.println(line.trim());
    }

    void snapshot() {
        System.out.println("Snapshot");
        System.out.print("  ");
        for (int col = 0; col < n; col++) {
            System.out.print(" " + col);
        }
        System.out.println();
        System.out.println("   " + "-".repeat(2 * n - 1));
        for (int row = 0; row < n; row++) {
            System.out.print(row + ":");
            for (int col = 0; col < n; col++) {
                System.out.print(queenPos[col] == row ? " Q" : "  ");
            }
            System.out.println();
        }
    }
}
