import java.util.function.Consumer;

class Queens {
    static final Consumer<int[]> SILENT = solution -> { };

    public static void main(String[] args) {
        Consumer<int[]> report = SILENT;
        String number = "";
        if (args.length == 1) {
            number = args[0];
        } else if (args.length == 2 && args[0].equals("-v")) {
            report = Queens::print;
            number = args[1];
        }
        if (number.isEmpty() || !number.chars().allMatch(c -> c >= '0' && c <= '9')) {
            System.err.println("Usage: Queens [-v] number");
            System.err.println("Option: -v  verbose output, print all solutions");
            System.exit(1);
        }
        int n = Integer.parseInt(number);
        System.out.println(n + "-Queens has " + solve(new int[n], 0, report) + " solutions");
    }

    static int solve(int[] columns, int row, Consumer<int[]> report) {
        if (row == columns.length) {
            report.accept(columns);
            return 1;
        }
        int sum = 0;
        for (int c = 1; c <= columns.length; c++) {
            columns[row] = c;
            if (free(columns, row)) sum += solve(columns, row + 1, report);
        }
        return sum;
    }

    static boolean free(int[] columns, int row) {
        for (int r = row - 1; r >= 0; r--) {
            int apart = Math.abs(columns[r] - columns[row]);
            if (apart == 0 || apart == row - r) return false;
        }
        return true;
    }

    static void print(int[] columns) {
        String[] words = new String[columns.length];
        for (int i = 0; i < words.length; i++) words[i] = Integer.toString(columns[i]);
        System.out.println("(" + String.join(", ", words) + ")");
    }
}
