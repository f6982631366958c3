import java.util.Arrays;

public class NQueens {
    static final int UNASSIGNED = -1, NO_POS_AVAIL = -2;
    int[] queenPos, nextAvail;

    public boolean nc(int a, int b) {
        int rowDiff = queenPos[b] - queenPos[a], colDiff = b - a;
        return rowDiff != 0 && rowDiff != colDiff && rowDiff != -colDiff;
    }

    int getNextAvail(int col) {
        while (nextAvail[col] < queenPos.length) {
            queenPos[col] = nextAvail[col]++;
            boolean ok = true;
            for (int a = 0; a < col && ok; a++) ok = nc(a, col);
            if (ok) return queenPos[col];
        }
        queenPos[col] = UNASSIGNED;
        return NO_POS_AVAIL;
    }

    /** A snapshot at the top of every turn: also before the first queen, and after each step back. */
    void run(int n, boolean trace) {
        queenPos = new int[n];
        nextAvail = new int[n];
        Arrays.fill(queenPos, UNASSIGNED);
        int curcol = 0, count = 0;
        while (true) {
            if (trace) snapshot(curcol);
            if (curcol == -1) break;
            if (curcol == n) {
                if (trace) return;
                count++;
                System.out.println(Arrays.toString(queenPos).replaceAll("[\\[,\\]]", ""));
                curcol--;
            } else {
                int pos = getNextAvail(curcol);
                if (pos == NO_POS_AVAIL) {
                    nextAvail[curcol] = 0;
                    curcol--;
                } else {
                    queenPos[curcol] = pos;
                    curcol++;
                }
            }
        }
        if (!trace) System.out.println("Solutions: " + count);
    }

    void snapshot(int curcol) {
        System.out.println("curcol = " + curcol);
        System.out.println("Snapshot");
        for (int row = 0; row < queenPos.length; row++) {
            System.out.print(row + ":");
            for (int pos : queenPos) System.out.print(pos == row ? " Q" : "  ");
            System.out.println();
        }
    }

    public static void main(String[] args) {
        new NQueens().run(Integer.parseInt(args[0]), args.length > 1);
    }
}
