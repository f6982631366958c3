import java.util.ArrayList;

// Collects the solutions and prints them at the end. The first one is kept without a copy, so that it goes on changing.
class Queens {
    private final int[] at;
    private final ArrayList<int[]> found = new ArrayList<>();

    Queens(int n) {
        at = new int[n];
        search(0);
    }

    private void search(int row) {
        if (row == at.length) {
            found.add(found.isEmpty() ? at : at.clone());
            return;
        }
        for (int column = 1; column <= at.length; column++) {
            if (isFree(row, column)) {
                at[row] = column;
                search(row + 1);
            }
        }
    }

    private boolean isFree(int row, int column) {
        for (int above = 0; above < row; above++) {
            int across = Math.abs(at[above] - column);
            if (across == 0 || across == row - above) {
                return false;
            }
        }
        return true;
    }

    private void list() {
        for (int[] solution : found) {
            String text = "";
            for (int column : solution) {
                text += (text.isEmpty() ? "" : ", ") + column;
            }
            System.out.println("(" + text + ")");
        }
    }

    public static void main(String[] args) {
        boolean verbose = args.length == 2 && args[0].equals("-v");
        int n = 0;
        try {
            n = Integer.parseInt(args.length == 1 || verbose ? args[args.length - 1] : "none");
        } catch (NumberFormatException e) {
            System.err.println("Usage: Queens [-v] number");
            System.err.println("Option: -v  verbose output, print all solutions");
            System.exit(1);
        }
        Queens queens = new Queens(n);
        if (verbose) {
            queens.list();
        }
        System.out.println(n + "-Queens has " + queens.found.size() + " solutions");
    }
}
