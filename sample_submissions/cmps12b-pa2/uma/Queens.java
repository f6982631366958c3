/** A board is a string with one character for each row: "2413". */
public class Queens {

    static int solve(String board, int n, boolean verbose) {
        if (board.length() == n) {
            if (verbose) {
                System.out.println("(" + String.join(", ", board.split("")) + ")");
            }
            return 1;
        }
        int sum = 0;
        for (char c = '1'; c < '1' + n; c++) {
            if (safe(board, c)) {
                sum += solve(board + c, n, verbose);
            }
        }
        return sum;
    }

    static boolean safe(String board, char c) {
        int row = board.length();
        for (int r = 0; r < row; r++) {
            int apart = Math.abs(board.charAt(r) - c);
            if (apart == 0 || apart == row - r) return false;
        }
        return true;
    }

    static void exitWithUsage() {
        System.err.println("Usage: Queens [-v] number");
        System.err.println("Option: -v  verbose output, print all solutions");
        System.exit(1);
    }

    public static void main(String[] args) {
        boolean verbose = false;
        int i = 0;
        if (args.length == 2 && args[0].equals("-v")) {
            verbose = true;
            i = 1;
        }
        if (args.length != i + 1) exitWithUsage();
        try {
            int n = Integer.parseInt(args[i]);
            System.out.println(n + "-Queens has " + solve("", n, verbose) + " solutions");
        } catch (NumberFormatException e) {
            exitWithUsage();
        }
    }
}
