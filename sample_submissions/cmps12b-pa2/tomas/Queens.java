public class Queens {
    static int total = 0;
    static boolean verbose;

    static void queens(int[] c, int r) {
        if (r == c.length) {
            if (verbose && total > 0) {
                print(c);
            }
            total++;
            return;
        }
        for (int j = 1; j < c.length; j++) {
            if (safe(c, r, j)) {
                c[r] = j;
                queens(c, r + 1);
            }
        }
    }

    static boolean safe(int[] c, int r, int j) {
        for (int k = 1; k < r; k++) {
            if (c[k] == j || c[k] - j == r - k || j - c[k] == r - k) {
                return false;
            }
        }
        return true;
    }

    static void print(int[] c) {
        System.out.print("(");
        for (int k = 1; k < c.length; k++) {
            System.out.print(c[k]);
            if (k + 1 < c.length) {
                System.out.print(", ");
            }
        }
        System.out.println(")");
    }

    static void fail() {
        System.err.println("Usage: Queens [-v] number");
        System.err.println("Option: -v  verbose output, print all solutions");
        System.exit(1);
    }

    public static void main(String[] args) {
        int n = 0;
        if (args.length == 0 || args.length > 2) fail();
        verbose = args[0].equals("-v");
        if (verbose != (args.length == 2)) fail();
        try {
            n = Integer.parseInt(args[args.length - 1]);
        } catch (NumberFormatException e) {
            fail();
        }
        queens(new int[n + 1], 1);
        System.out.println(n + "-Queens has " + total + " solutions");
    }
}
