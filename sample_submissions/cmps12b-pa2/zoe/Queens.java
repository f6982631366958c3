/** Every permutation of the columns in lexicographic order, and in each step a look at the diagonals of one queen. */
public class Queens {
    static boolean next(int[] p) {
        int i = p.length - 2;
        while (i >= 0 && p[i] > p[i + 1]) i--;
        if (i < 0) return false;
        int j = p.length - 1;
        while (p[j] < p[i]) j--;
        swap(p, i, j);
        for (int a = i + 1, b = p.length - 1; a < b; a++, b--) swap(p, a, b);
        return true;
    }

    static void swap(int[] p, int i, int j) {
        int t = p[i];
        p[i] = p[j];
        p[j] = t;
    }

    static boolean attacked(int[] p, int row) {
        for (int i = 0; i < row; i++) {
            if (Math.abs(p[i] - p[row]) == row - i) return true;
        }
        return false;
    }

    static void print(int[] p) {
        String s = java.util.Arrays.toString(p);
        System.out.println("(" + s.substring(1, s.length() - 1) + ")");
    }

    public static void main(String[] args) {
        boolean v = args.length == 2 && args[0].equals("-v");
        if (args.length != (v ? 2 : 1) || !args[args.length - 1].matches("\\d\\d?")) {
            System.err.println("Usage: Queens [-v] number");
            System.err.println("Option: -v  verbose output, print all solutions");
            System.exit(1);
        }
        int n = Integer.parseInt(args[args.length - 1]);
        int[] p = new int[n];
        for (int i = 0; i < n; i++) p[i] = i + 1;
        long steps = n;
        for (int i = 2; i <= n; i++) steps *= i;
        int found = 0;
        int row = 0;
        boolean safe = true;
        for (int step = 0; step < steps; step++) {
            if (safe && attacked(p, row)) safe = false;
            if (++row == n) {
                if (safe) {
                    found++;
                    if (v) print(p);
                }
                next(p);
                row = 0;
                safe = true;
            }
        }
        System.out.println(n + "-Queens has " + found + " solutions");
    }
}
