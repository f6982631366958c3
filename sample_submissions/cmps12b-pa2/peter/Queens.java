class Queens {
    static boolean verbose = false;
    static int solutions = 0;

    static void findSolutions(int[] board, int row) {
        if (row == board.length) {
            solutions++;
            if (verbose) printBoard(board);
            return;
        }
        for (int column = 1; column < board.length; column++) {
            board[row] = column;
            if (isSafe(board, row)) findSolutions(board, row + 1);
        }
    }

    static boolean isSafe(int[] board, int row) {
        for (int up = 1; up < row; up++) {
            boolean sameColumn = board[row - up] == board[row];
            boolean sameDiagonal = Math.abs(board[row - up] - board[row]) == up;
            if (sameColumn || sameDiagonal) return false;
        }
        return true;
    }

    static void printBoard(int[] board) {
        System.out.print("(" + board[1]);
        for (int row = 2; row < board.length; row++) System.out.print(", " + board[row]);
        System.out.println(")");
    }

    static void printUsage() {
        System.err.println("Usage: Queens [-v] number");
        System.err.println("Option: -v  verbose output, print all solutions");
        System.exit(1);
    }

    public static void main(String[] args) {
        if (args.length == 2 && args[0].equals("-v")) verbose = true;
        else if (args.length != 1) printUsage();
        try {
            int n = Integer.parseInt(args[args.length - 1]);
            findSolutions(new int[n + 1], 1);
            System.out.println(n + "-Queens has " + solutions + " solutions");
        } catch (NumberFormatException e) {
            printUsage();
        }
    }
}
