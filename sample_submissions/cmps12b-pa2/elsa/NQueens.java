public class NQueens {
    int size;
    int[] at;
    boolean print;

    NQueens(int size, boolean print) {
        this.size = size;
        this.print = print;
        at = new int[size];
    }

    long solve(int row) {
        if (row == size) {
            if (print) System.out.println(this);
            return 1;
        }
        long sum = 0;
        for (at[row] = 1; at[row] <= size; at[row]++) {
            if (safe(row)) sum += solve(row + 1);
        }
        return sum;
    }

    boolean safe(int row) {
        for (int r = 0; r < row; r++) {
            int apart = Math.abs(at[r] - at[row]);
            if (apart == 0 || apart == row - r) return false;
        }
        return true;
    }

    @Override
    public String toString() {
        String text = "";
        for (int column : at) text += (text.isEmpty() ? "(" : ", ") + column;
        return text + ")";
    }

    public static void main(String[] args) {
        boolean print = args.length == 2 && args[0].equals("-v");
        try {
            if (args.length != (print ? 2 : 1)) throw new NumberFormatException();
            int n = Integer.parseInt(args[print ? 1 : 0]);
            System.out.println(n + "-Queens has " + new NQueens(n, print).solve(0) + " solutions");
        } catch (NumberFormatException e) {
            System.err.println("Usage: Queens [-v] number");
            System.err.println("Option: -v  verbose output, print all solutions");
            System.exit(1);
        }
    }
}
