/** Recursive, everything static; draws a dot for an empty square. */
class NQueens {
    private static int[] queenPos;
    private static boolean trace;
    private static StringBuilder text = new StringBuilder();
    private static int count;

    static boolean nc(int a, int b) {
        int apart = queenPos[b] - queenPos[a];
        return apart != 0 && apart != b - a && apart != a - b;
    }

    /** Returns true when the search is to end. */
    static boolean place(int curcol) {
        if (curcol == queenPos.length) {
            count++;
            if (!trace) {
                for (int pos : queenPos) text.append(pos).append(' ');
                text.append('\n');
            }
            return trace;
        }
        for (int row = 0; row < queenPos.length; row++) {
            queenPos[curcol] = row;
            boolean safe = true;
            for (int a = 0; a < curcol; a++) safe = safe && nc(a, curcol);
            if (!safe) continue;
            if (trace) draw(curcol);
            if (place(curcol + 1)) return true;
        }
        return false;
    }

    static void draw(int curcol) {
        text.append("curcol=").append(curcol).append('\n');
        for (int row = 0; row < queenPos.length; row++) {
            text.append(row).append(" | ");
            for (int col = 0; col < queenPos.length; col++) {
                text.append(col <= curcol && queenPos[col] == row ? "Q " : ". ");
            }
            text.append('\n');
        }
    }

    public static void main(String[] args) {
        queenPos = new int[Integer.parseInt(args[0])];
        trace = args.length == 2;
        place(0);
        System.out.print(text);
        if (!trace) System.out.println("Solutions: " + count);
    }
}
