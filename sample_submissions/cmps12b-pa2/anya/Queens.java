import java.util.*;

/** Slow on purpose of readability: sets of columns and diagonals, copied for every queen. */
public class Queens {
    static int find(int row, int n, List<Integer> queens, Set<Integer> columns, Set<Integer> up, Set<Integer> down, boolean v) {
        if (row > n) {
            if (v) {
                StringJoiner tuple = new StringJoiner(", ", "(", ")");
                queens.forEach(q -> tuple.add(q.toString()));
                System.out.println(tuple);
            }
            return 1;
        }
        int sum = 0;
        for (int c = 1; c <= n; c++) {
            if (columns.contains(c) || up.contains(row + c) || down.contains(row - c)) continue;
            List<Integer> more = new ArrayList<>(queens);
            more.add(c);
            sum += find(row + 1, n, more, with(columns, c), with(up, row + c), with(down, row - c), v);
        }
        return sum;
    }

    static Set<Integer> with(Set<Integer> old, int number) {
        Set<Integer> set = new HashSet<>(old);
        set.add(number);
        return set;
    }

    public static void main(String[] args) {
        Iterator<String> words = Arrays.asList(args).iterator();
        String word = words.hasNext() ? words.next() : "";
        boolean v = word.equals("-v");
        if (v) word = words.hasNext() ? words.next() : "";
        Scanner number = new Scanner(word);
        if (words.hasNext() || !number.hasNextInt()) {
            System.err.println("Usage: Queens [-v] number\nOption: -v  verbose output, print all solutions");
            System.exit(1);
        }
        int n = number.nextInt();
        int sum = find(1, n, List.of(), Set.of(), Set.of(), Set.of(), v);
        System.out.println(n + "-Queens has " + sum + " solutions");
    }
}
