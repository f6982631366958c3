public class Queens {
    private static final String NL = "\r\n";

    private int[][] board;   // board[i][j]: how many queens above attack it
    private int n;

    public static void main(String[] args) {
        Queens queens = new Queens();
        boolean verbose = args.length == 2 && args[0].equals("-v");
        if (!verbose && args.length != 1 || !args[args.length - 1].matches("[0-9]+")) {
            System.err.print("Usage: Queens [-v] number" + NL);
            System.err.print("Option: -v  verbose output, print all solutions" + NL);
            System.exit(1);
        }
        queens.n = Integer.parseInt(args[args.length - 1]);
        queens.board = new int[queens.n][queens.n];
        StringBuilder text = verbose ? new StringBuilder() : null;
        int count = queens.search(0, "(", text);
        System.out.print((verbose ? text : "") + "" + queens.n + "-Queens has " + count + " solutions" + NL);
    }

    private int search(int i, String line, StringBuilder text) {
        int count = 0;
        for (int j = 0; j < n; j++) {
            if (board[i][j] > 0) continue;
            String longer = text == null ? "" : line + (i == 0 ? "" : ", ") + (j + 1);
            if (i == n - 1) {
                if (text != null) text.append(longer).append(")").append(NL);
                count++;
            } else {
                shade(i, j, 1);
                count += search(i + 1, longer, text);
                shade(i, j, -1);
            }
        }
        return count;
    }

    private void shade(int i, int j, int by) {
        for (int k = i + 1; k < n; k++) {
            board[k][j] += by;
            if (j >= k - i) board[k][j - k + i] += by;
            if (j + k - i < n) board[k][j + k - i] += by;
        }
    }
}
