import java.util.Arrays;

public class Queens {
    final int[] columns;
    final boolean verbose;

    Queens(int n, boolean verbose) {
        columns = new int[n];
        this.verbose = verbose;
    }

    int from(int row) {
        if (row == columns.length) {
            if (verbose) {
                String s = Arrays.toString(columns);
                System.out.println("(" + s.substring(1, s.length() - 1) + ")");
            }
            return 1;
        }
        int sum = 0;
        for (int column = 0; column < columns.length; column++) {
            if (isSafe(row, column)) {
                columns[row] = column;
                sum += from(row + 1);
            }
        }
        return sum;
    }

    boolean isSafe(int row, int column) {
        for (int r = 0; r < row; r++) {
            if (columns[r] == column || Math.abs(columns[r] - column) == row - r) return false;
        }
        return true;
    }

    static void usage() {
        System.err.println("Usage: Queens [-v] number");
        System.err.println("Option: -v  verbose output, print all solutions");
        System.exit(1);
    }

    public static void main(String[] args) {
        if (args.length == 0 || args.length > 2 || args.length == 2 && !args[0].equals("-v")) usage();
        try {
            int n = Integer.parseInt(args[args.length - 1]);
            System.out.println(n + "-Queens has " + new Queens(n, args.length == 2).from(0) + " solutions");
        } catch (NumberFormatException e) {
            usage();
        }
    }
}
