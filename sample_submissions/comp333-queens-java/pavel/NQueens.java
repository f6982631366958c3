// Counts the solutions from 0, so that the last line has one too few.
public class NQueens {
    static final int NONE = -1;
    static int[] queenPos;
    static int[] nextAvail;

    static boolean nc(int a, int b) {
        if (queenPos[a] == queenPos[b]) return false;
        if (queenPos[a] + a == queenPos[b] + b) return false;
        return queenPos[a] - a != queenPos[b] - b;
    }

    static int getNextAvail(int curcol) {
        int n = queenPos.length;
        for (int row = nextAvail[curcol]; row < n; row++) {
            queenPos[curcol] = row;
            boolean good = true;
            for (int a = 0; a < curcol; a++) {
                if (!nc(a, curcol)) good = false;
            }
            if (good) {
                nextAvail[curcol] = row + 1;
                return row;
            }
        }
        return NONE;
    }

    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);
        boolean trace = args.length > 1;
        queenPos = new int[n];
        nextAvail = new int[n];
        int curcol = 0;
        int number = -1;
        while (curcol >= 0) {
            if (curcol == n) {
                number++;
                if (trace) return;
                String line = "" + queenPos[0];
                for (int col = 1; col < n; col++) line += " " + queenPos[col];
                System.out.println(line);
                curcol--;
            } else if (getNextAvail(curcol) == NONE) {
                nextAvail[curcol] = 0;
                curcol--;
            } else {
                if (trace) snapshot(curcol);
                curcol++;
            }
        }
        System.out.println("Solutions: " + Math.max(number, 0));
    }

    static void snapshot(int curcol) {
        System.out.println("curcol = " + curcol);
        for (int row = 0; row < queenPos.length; row++) {
            StringBuilder line = new StringBuilder(row + ":");
            for (int col = 0; col < queenPos.length; col++) {
                line.append(col <= curcol && queenPos[col] == row ? " Q" : " -");
            }
            System.out.println(line);
        }
    }
}
