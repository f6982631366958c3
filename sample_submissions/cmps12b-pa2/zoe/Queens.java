/** Every permutation of the columns in lexicographic order, and a look at the diagonals of each. */
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

    static boolean isSolution(int[] p) {
        for (int i = 0; i < p.length; i++) {
            for (int j = i + 1; j < p.length; j++) {
                if (Math.abs(p[i] - p[j]) == j - i) return false;
            }
        }
        return true;
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
        int found = 0;
        do {
            if (isSolution(p)) {
                found++;
                if (v) print(p);
            }
        } while (next(p));
        System.out.println(n + "-Queens has " + found + " solutions");
    }
}
