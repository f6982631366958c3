import java.util.*;

public class Queens {
    static void collect(List<Integer> columns, int n, List<List<Integer>> all) {
        if (columns.size() == n) {
            all.add(new ArrayList<>(columns));
            return;
        }
        int row = columns.size();
        next:
        for (int c = 1; c <= n; c++) {
            for (int r = 0; r < row; r++) {
                int d = columns.get(r) - c;
                if (d == 0 || Math.abs(d) == row - r) continue next;
            }
            columns.add(c);
            collect(columns, n, all);
            columns.remove(row);
        }
    }

    public static void main(String[] args) {
        boolean verbose = args.length == 2 && args[0].equals("-v");
        int n = -1;
        try {
            if (verbose || args.length == 1) n = Integer.parseInt(args[args.length - 1]);
        } catch (NumberFormatException e) {
            n = -1;
        }
        if (n < 0) {
            System.err.println("Usage: Queens [-v] number");
            System.err.println("Option: -v  verbose output, print all solutions");
            System.exit(1);
        }
        List<List<Integer>> all = new ArrayList<>();
        collect(new ArrayList<>(), n, all);
        int number = 0;
        if (verbose) {
            for (List<Integer> one : all) {
                System.out.println(one.toString().replace('[', '(').replace(']', ')'));
                number++;
            }
        }
        number += all.size();
        System.out.println(n + "-Queens has " + number + " solutions");
    }
}
