import java.util.ArrayList;
import java.util.List;

public class Queens {

    public static void main(String[] argv) {
        boolean all = argv.length > 1 && argv[0].equals("-v");
        int n = parse(argv, all ? 1 : 0);
        if (n < 0) {
            System.err.print("Usage: Queens [-v] number \n");
            System.err.print("Option: -v  verbose output, print all solutions \n");
            System.exit(1);
        }
        List<int[]> solutions = new ArrayList<>();
        extend(new int[n], 0, solutions);
        if (all) {
            for (int[] s : solutions) {
                System.out.print("(");
                for (int i = 0; i < n - 1; i++) System.out.print(s[i] + ", ");
                System.out.println(s[n - 1] + ") ");
            }
        }
        System.out.println(n + "-Queens has " + solutions.size() + " solutions ");
    }

    static int parse(String[] argv, int at) {
        if (argv.length != at + 1 || !argv[at].matches("[0-9]+")) return -1;
        return Integer.parseInt(argv[at]);
    }

    static void extend(int[] s, int row, List<int[]> solutions) {
        if (row == s.length) {
            solutions.add(s.clone());
            return;
        }
        next:
        for (int c = 1; c <= s.length; c++) {
            for (int r = 0; r < row; r++) {
                if (s[r] == c || Math.abs(s[r] - c) == row - r) continue next;
            }
            s[row] = c;
            extend(s, row + 1, solutions);
        }
    }
}
