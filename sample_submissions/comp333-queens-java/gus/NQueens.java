public class NQueens {
    static int[] queenPos;
    static int[] nextAvail;

    public static boolean nc(int a, int b) {
        return queenPos[a] != queenPos[b] && Math.abs(queenPos[a] - queenPos[b]) != Math.abs(a - b);
    }

    static int getNextAvail(int curcol) {
        for (int row = nextAvail[curcol]; row < queenPos.length; row++) {
            nextAvail[curcol] = row + 1;
            queenPos[curcol] = row;
            boolean free = true;
            for (int a = 0; a < curcol; a++) {
                if (!nc(a, curcol)) free = false;
            }
            if (free) return row;
        }
        return -2;
    }

    // finds one solution and stops
    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);
        boolean trace = args.length > 1;
        queenPos = new int[n];
        nextAvail = new int[n];
        int curcol = 0;
        while (curcol >= 0 && curcol < n) {
            int pos = getNextAvail(curcol);
            if (pos == -2) {
                queenPos[curcol] = -1;
                nextAvail[curcol] = 0;
                curcol--;
                continue;
            }
            if (trace) snapshot(curcol);
            curcol++;
        }
        if (trace) return;
        if (curcol == n) {
            for (int i = 0; i < n; i++) System.out.print(queenPos[i] + (i < n - 1 ? " " : "\n"));
        }
        System.out.println("Solutions: " + (curcol == n ? 1 : 0));
    }

    static void snapshot(int curcol) {
        System.out.println("curcol = " + curcol);
        System.out.println("Snapshot");
        for (int row = 0; row < queenPos.length; row++) {
            String line = row + ":";
            for (int col = 0; col <= curcol; col++) line += queenPos[col] == row ? " Q" : "  ";
            System.out.println(line);
        }
    }
}
