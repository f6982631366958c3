// Solutions with CR LF and blanks in front, an empty line before the last one, which begins with a small letter.
public class NQueens {
    static int n;
    static int[] queenPos;
    static final String END = "\r\n";

    public static boolean nc(int a, int b) {
        int rows = queenPos[a] - queenPos[b];
        return rows != 0 && rows != a - b && rows != b - a;
    }

    static int search(int curcol, boolean trace) {
        if (curcol == n) {
            if (!trace) {
                String line = "";
                for (int row : queenPos) line += "  " + row;
                System.out.print(line + END);
            }
            return 1;
        }
        int found = 0;
        for (int row = 0; row < n; row++) {
            queenPos[curcol] = row;
            boolean ok = true;
            for (int col = 0; col < curcol; col++) ok &= nc(col, curcol);
            if (!ok) continue;
            if (trace) snapshot(curcol);
            found += search(curcol + 1, trace);
            if (trace && found > 0) return found;
        }
        return found;
    }

    static void snapshot(int curcol) {
        System.out.print("curcol = " + curcol + END);
        for (int row = 0; row < n; row++) {
            System.out.print(row + ":");
            for (int col = 0; col < n; col++) System.out.print(col <= curcol && queenPos[col] == row ? " Q" : " .");
            System.out.print(END);
        }
    }

    public static void main(String[] args) {
        n = Integer.parseInt(args[0]);
        queenPos = new int[n];
        boolean trace = args.length == 2;
        int found = search(0, trace);
        if (!trace) System.out.print(END + "solutions: " + found + END);
    }
}
