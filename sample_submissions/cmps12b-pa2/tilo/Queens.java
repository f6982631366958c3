// Right, if it were ever built.
class Queens {
    static int count(int n, int row, int columns, int left, int right) {
        if (row == n) return 1;
        int found = 0;
        for (int c = 0; c < n; c++) {
            int bit = 1 << c;
            if ((bit & (columns | left | right)) == 0)
                found += count(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
        }
        return found;
    }

    public static void main(String[] args) {
        if (args.length != 1) {
            System.err.println("Usage: Queens [-v] number");
            System.err.println("Option: -v  verbose output, print all solutions");
            return;
        }
        int n = Integer.parseInt(args[0]);
        System.out.println(n + "-Queens has " + count(n, 0, 0, 0, 0) + " solutions");
    }
}
