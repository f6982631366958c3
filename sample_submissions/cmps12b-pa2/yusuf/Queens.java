import java.io.PrintWriter;

public class Queens {
    static final PrintWriter out = new PrintWriter(System.out);   // much quicker than println on System.out

    // Iterative: goes down one row after a queen is placed, and up when a row has no square left.
    static long solve(int n, boolean v) {
        int[] c = new int[n + 2];
        long found = 0;
        int row = 1;
        while (row > 0) {
            c[row]++;
            while (c[row] <= n && !free(c, row)) c[row]++;
            if (c[row] > n) {
                c[row] = 0;
                row--;
            } else if (row < n) {
                row++;
            } else {
                found++;
                if (v) write(c, n);
                c[row] = 0;
                row = n > 1 ? row - 1 : 1;
            }
        }
        return found;
    }

    static boolean free(int[] c, int row) {
        for (int r = 1; r < row; r++) {
            if (c[r] == c[row] || Math.abs(c[r] - c[row]) == row - r) return false;
        }
        return true;
    }

    static void write(int[] c, int n) {
        StringBuilder s = new StringBuilder("(").append(c[1]);
        for (int r = 2; r <= n; r++) s.append(", ").append(c[r]);
        out.println(s.append(")"));
    }

    public static void main(String[] args) {
        boolean v = args.length == 2 && args[0].equals("-v");
        int n = 0;
        try {
            n = Integer.parseInt(v ? args[1] : args.length == 1 ? args[0] : "");
        } catch (NumberFormatException e) {
            System.err.println("Usage: Queens [-v] number");
            System.err.println("Option: -v  verbose output, print all solutions");
            System.exit(1);
        }
        out.println(n + "-Queens has " + solve(n, v) + " solutions");
        out.flush();
    }
}
