import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/** Columns in a deque; one parenthesis is missing. */
class Queens {
    private final int size;
    private final boolean verbose;
    private final Deque<Integer> columns = new ArrayDeque<>();

    Queens(int size, boolean verbose) {
        this.size = size;
        this.verbose = verbose;
    }

    private boolean attacked(int column) {
        int distance = columns.size();
        for (int other : columns) {
            if (other == column || Math.abs(other - column) == distance) return true;
            distance--;
        }
        return false;
    }

    int solve( {
        if (columns.size() == size) {
            if (verbose) print();
            return 1;
        }
        int found = 0;
        for (int column = 1; column <= size; column++) {
            if (attacked(column)) continue;
            columns.addLast(column);
            found += solve();
            columns.removeLast();
        }
        return found;
    }

    private void print() {
        Iterator<Integer> it = columns.iterator();
        System.out.print("(" + it.next());
        while (it.hasNext()) System.out.print(", " + it.next());
        System.out.println(")");
    }

    public static void main(String[] args) {
        boolean verbose = args.length == 2 && args[0].equals("-v");
        if ((args.length != 1 && !verbose) || !args[args.length - 1].matches("\\d+")) {
            System.err.println("Usage: Queens [-v] number");
            System.err.println("Option: -v  verbose output, print all solutions");
            System.exit(1);
        }
        int n = Integer.parseInt(args[args.length - 1]);
        System.out.println(n + "-Queens has " + new Queens(n, verbose).solve() + " solutions");
    }
}
