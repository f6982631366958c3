public class Queens {
    static int[] place = new int[20];

    static int tryRow(int r, int n, boolean show) {
        if (r == n) {
            if (show) {
                for (int i = 0; i < n; i++) System.out.print((i > 0 ? ", " : "(") + place[i]);
                System.out.println(")");
            }
            return 1;
        }
        int s = 0;
        for (int c = 1; c <= n; c++) {
            int k = r - 1;
            while (k >= 0 && place[k] != c && place[k] - c != r - k && c - place[k] != r - k) k--;
            if (k < 0) {
                place[r] = c;
                s += tryRow(r + 1, n, show);
            }
        }
        return s;
    }

    static void usage() {
        System.err.println("Usage: Queens [-v] number");
        System.err.println("Option: -v  verbose output, print all solutions");
        System.exit(1);
    }

    public static void main(String[] args) {
        boolean show = args.length == 2 && args[0].equals("-v");
        if (!show && args.length != 1) usage();
        int n = 0;
        try {
            n = Integer.parseInt(args[args.length - 1]);
        } catch (NumberFormatException e) {
            usage();
        }
        System.out.println(args[0] + "-Queens has " + tryRow(0, n, show) + " solutions");
    }
}
