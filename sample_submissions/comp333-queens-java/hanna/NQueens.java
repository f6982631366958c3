public class NQueens {
    static int n;
    static int[] queenPos;
    static int count;

    public static void main(String[] args) {
        n = Integer.parseInt(args[0]);
        queenPos = new int[n];
        solve(0, args.length == 2 && args[1].equals("trace"));
        if (args.length == 1) System.out.println("Solutions: " + count);
    }

    static boolean nc(int a, int b) {
        if (queenPos[a] == queenPos[b]) return false;
        if (Math.abs(queenPos[a] - queenPos[b]) == Math.abs(a - b)) return false;
        return true;
    }

    static boolean nc(int col) {
        for (int i = col - 1; i >= 0; i--)
            if (!nc(i, col)) return false;
        return true;
    }

    // a solution is found when the last queen is placed, and again behind the last column
    static boolean solve(int col, boolean trace) {
        if (col == n) {
            if (!trace) printSolution();
            return trace;
        }
        for (queenPos[col] = 0; queenPos[col] < n; queenPos[col]++) {
            if (nc(col)) {
                if (trace) snapshot(col);
                if (!trace && col == n - 1) printSolution();
                if (solve(col + 1, trace)) return true;
            }
        }
        return false;
    }

    static void printSolution() {
        count++;
        String s = "";
        for (int q : queenPos) s = s + q + " ";
        System.out.println(s.trim());
    }

    static void snapshot(int curcol) {
        System.out.printf("curcol = %d%nSnapshot%n  ", curcol);
        for (int i = 0; i < n; i++) System.out.printf("%2d", i);
        System.out.println();
        for (int r = 0; r < n; r++) {
            System.out.printf("%d:", r);
            for (int c = 0; c <= curcol; c++) System.out.printf("%2s", queenPos[c] == r ? "Q" : "");
            System.out.println();
        }
    }
}
