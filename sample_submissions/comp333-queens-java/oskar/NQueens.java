// Every solution is a line of the output, and a word is misspelt.
import java.util.ArrayList;

class NQueens {
    int n;
    int[] queenPos;
    ArrayList<String> out = new ArrayList<>();

    NQueens(int n) {
        this.n = n;
        queenPos = new int[n];
    }

    NQueens() {
        this(8);
    }

    boolean nc(int a, int b) {
        return queenPos[a] != queenPos[b] && Math.abs(queenPos[a] - queenPos[b]) != b - a;
    }

    boolean fits(int col) {
        for (int a = 0; a < col; a++) if (!nc(a, col)) return false;
        return true;
    }

    boolean all(int col, boolean tracing) {
        if (col == n) {
            if (!tracing) {
                StringBuilder line = new StringBuilder();
                for (int row : queenPos) line.append(' ').append(row);
                out.add(line.substring(1));
            }
            return tracing;
        }
        for (queenPos[col] = 0; queenPos[col] < n; queenPos[col]++) {
            if (!fits(col)) continue;
            if (tracing) draw(col);
            if (all(col + 1, tracing)) return true;
        }
        return false;
    }

    void draw(int last) {
        out.add("curcol = " + last);
        for (int row = 0; row < n; row++) {
            String line = row + ": |";
            for (int col = 0; col < n; col++) line += (col <= last && queenPos[col] == row ? "Q" : " ") + "|";
            out.add(line);
        }
    }

    public static void main(String[] args) {
        NQueens queens = new NQueens(Integer.parseInt(args[0]));
        boolean tracing = args.length > 1 && args[1].equals("trace");
        queens.all(0, tracing);
        int found = queens.out.size();
        for (String line : queens.out) System.out.println(line);
        if (!tracing) System.out.println("Soultions: " + found);
    }
}
