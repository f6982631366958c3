/** Keeps a picture of every solution, 512 by 512 points, which was to be shown in a window one day. */
public class Queens {
    static final java.util.List<byte[]> PICTURES = new java.util.LinkedList<>();
    static final int SIDE = 512;

    static int solve(int[] columns, int row, boolean verbose) {
        int n = columns.length;
        if (row == n) {
            PICTURES.add(picture(columns));
            if (verbose) {
                String line = "";
                for (int i = 0; i < n; i++) {
                    line += (i == 0 ? "(" : ", ") + columns[i];
                }
                System.out.println(line + ")");
            }
            return 1;
        }
        int number = 0;
        for (int column = 1; column <= n; column++) {
            if (free(columns, row, column)) {
                columns[row] = column;
                number += solve(columns, row + 1, verbose);
            }
        }
        return number;
    }

    static boolean free(int[] columns, int row, int column) {
        for (int i = 0; i < row; i++) {
            if (columns[i] == column || Math.abs(columns[i] - column) == row - i) {
                return false;
            }
        }
        return true;
    }

    static byte[] picture(int[] columns) {
        byte[] points = new byte[SIDE * SIDE];
        int square = SIDE / columns.length;
        for (int row = 0; row < columns.length; row++) {
            points[row * square * SIDE + (columns[row] - 1) * square] = 1;
        }
        return points;
    }

    public static void main(String[] args) {
        boolean verbose = args.length == 2 && args[0].equals("-v");
        if (args.length != (verbose ? 2 : 1) || !args[args.length - 1].matches("\\d{1,4}")) {
            System.err.println("Usage: Queens [-v] number");
            System.err.println("Option: -v  verbose output, print all solutions");
            System.exit(1);
        }
        int n = Integer.parseInt(args[args.length - 1]);
        int number = solve(new int[n], 0, verbose);
        System.out.println(n + "-Queens has " + number + " solutions");
    }
}
