public class Queens {
    static int full;

    static int solve(int row, int cols, int d1, int d2, int[] where, boolean print) {
        if (cols == full) {
            if (print) {
                String s = "";
                for (int w : where) s += ", " + w;
                System.out.println("(" + s.substring(2) + ")");
            }
            return 1;
        }
        int sum = 0;
        for (int c = 0, bit = 1; bit <= full; c++, bit <<= 1) {
            if ((bit & (cols | d1 | d2)) == 0) {
                where[row] = c + 1;
                sum += solve(row + 1, cols | bit, (d1 | bit) << 1, (d2 | bit) >> 1, where, print);
            }
        }
        return sum;
    }

    static void run(int n, boolean print) {
        full = (1 << n) - 1;
        System.out.println(n + "-Queens has " + solve(0, 0, 0, 0, new int[n], print) + " solutions");
    }

    static void usage() {
        System.err.println("Usage: Queens [-v] number");
        System.err.println("Option: -v  verbose output, print all solutions");
        System.exit(1);
    }

    public static void main(String[] args) {
        if (args.length == 2 && args[0].equals("-v")) {
            run(Integer.parseInt(args[1]), true);
        } else if (args.length == 1) {
            try {
                run(Integer.parseInt(args[0]), false);
            } catch (NumberFormatException e) {
                usage();
            }
        } else {
            usage();
        }
    }
}
