// Bit masks; queenPos is kept for printing.
public class NQueens {
    static int n, found;
    static int[] queenPos;
    static boolean trace;

    static boolean noConflict(int a, int b) {
        int distance = Math.abs(queenPos[a] - queenPos[b]);
        return distance != 0 && distance != Math.abs(a - b);
    }

    static void search(int col, int rows, int up, int down) {
        if (col == n) {
            found++;
            if (!trace) System.out.println(join());
            return;
        }
        int free = ~(rows | up | down) & ((1 << n) - 1);
        for (; free != 0; free &= free - 1) {
            int bit = free & -free;
            queenPos[col] = Integer.numberOfTrailingZeros(bit);
            if (trace) snapshot(col);
            search(col + 1, rows | bit, (up | bit) << 1, (down | bit) >> 1);
            if (trace && found > 0) return;
        }
    }

    static String join() {
        StringBuilder s = new StringBuilder();
        for (int p : queenPos) s.append(s.length() == 0 ? "" : " ").append(p);
        return s.toString();
    }

    static void snapshot(int col) {
        StringBuilder s = new StringBuilder("curcol = " + col + "\nSnapshot\n");
        for (int row = 0; row < n; row++) {
            s.append(row).append(":");
            for (int c = 0; c < n; c++) s.append(c <= col && queenPos[c] == row ? " Q" : " .");
            s.append("\n");
        }
        System.out.print(s);
    }

    public static void main(String[] args) {
        n = Integer.parseInt(args[0]);
        trace = args.length > 1;
        queenPos = new int[n];
        search(0, 0, 0, 0);
        if (!trace) System.out.print("Solutions: " + found);
    }
}
