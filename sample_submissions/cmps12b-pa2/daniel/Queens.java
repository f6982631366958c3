import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.stream.Collectors;

class Queens {

    /** Walks through the solutions one after the other; the next one is looked for when it is asked for. */
    static class Solutions implements Iterator<int[]> {
        private final int n;
        private final int[] column;      // column[r] is where the queen of row r stands, 0 when it has none
        private boolean ready;

        Solutions(int n) {
            this.n = n;
            column = new int[n];
            ready = place(0);
        }

        private boolean place(int row) {
            if (row == n) return true;
            while (column[row] < n) {
                column[row]++;
                if (safe(row) && place(row + 1)) return true;
            }
            column[row] = 0;
            return false;
        }

        private boolean safe(int row) {
            for (int r = 0; r < row; r++) {
                int distance = Math.abs(column[r] - column[row]);
                if (distance == 0 || distance == row - r) return false;
            }
            return true;
        }

        // goes on from the last row upwards until some row has another square
        private boolean advance() {
            for (int row = n - 1; row >= 0; row--) {
                if (place(row)) return true;
            }
            return false;
        }

        public boolean hasNext() {
            return ready;
        }

        public int[] next() {
            if (!ready) throw new NoSuchElementException();
            int[] solution = column.clone();
            ready = advance();
            return solution;
        }
    }

    static void quit() {
        System.err.println("Usage: Queens [-v] number\nOption: -v  verbose output, print all solutions");
        System.exit(0);
    }

    public static void main(String[] args) {
        boolean verbose = args.length > 0 && args[0].equals("-v");
        if (args.length != (verbose ? 2 : 1)) quit();
        int n = 0;
        try {
            n = Integer.valueOf(args[args.length - 1]);
        } catch (NumberFormatException notANumber) {
            quit();
        }
        int count = 0;
        for (Solutions all = new Solutions(n); all.hasNext(); count++) {
            int[] solution = all.next();
            if (verbose) {
                System.out.println(Arrays.stream(solution).mapToObj(String::valueOf)
                    .collect(Collectors.joining(", ", "(", ")")));
            }
        }
        System.out.println(n + "-Queens has " + count + " solutions");
    }
}
