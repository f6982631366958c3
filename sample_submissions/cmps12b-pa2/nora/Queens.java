public class Queens {
    static int n;

    public static void main(String[] args) {
        boolean all = false;
        String word = "";
        if (args.length == 1) {
            word = args[0];
        } else if (args.length == 2 && args[0].equals("-v")) {
            all = true;
            word = args[1];
        }
        try {
            n = Integer.parseInt(word);
        } catch (NumberFormatException e) {
            System.out.println("Usage: Queens [-v] number");
            System.err.println("Option: -v  verbose output, print all solutions");
            return;
        }
        System.out.println(n + "-Queens has " + search("", 0, all) + " solutions");
    }

    // the columns so far are the characters of a text, 'a' for the first one
    static int search(String columns, int row, boolean all) {
        if (row == n) {
            if (all) show(columns);
            return 1;
        }
        int sum = 0;
        for (char c = 'a'; c < 'a' + n; c++) {
            boolean ok = columns.indexOf(c) < 0;
            for (int r = 0; ok && r < row; r++) {
                ok = Math.abs(columns.charAt(r) - c) != row - r;
            }
            if (ok) sum += search(columns + c, row + 1, all);
        }
        return sum;
    }

    static void show(String columns) {
        String line = "(";
        for (int i = 0; i < n; i++) {
            if (i > 0) line += ", ";
            line += columns.charAt(i) - 'a' + 1;
        }
        System.out.println(line + ")");
    }
}
