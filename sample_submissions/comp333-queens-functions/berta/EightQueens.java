/** An object with the state of one search. Names as they stand in the copy of the hand-out, with few capitals. */
public class EightQueens {
    private final int n;
    private int[] queenspositions;
    private int[] firstuntried;

    public EightQueens() {
        this(8);
    }

    public EightQueens(int n) {
        this.n = n;
    }

    public void initqueenspositions() {
        queenspositions = new int[n];
        java.util.Arrays.fill(queenspositions, -1);
    }

    public boolean hasconflict(int a, int b, int bpos) {
        int apart = bpos - queenspositions[a];
        return apart == 0 || apart == b - a || apart == a - b;
    }

    public boolean hasconflictcumulative(int b, int bpos) {
        return b > 0 && java.util.stream.IntStream.range(0, b).anyMatch(a -> hasconflict(a, b, bpos));
    }

    public void setqueenposition(int col, int pos) {
        queenspositions[col] = pos;
    }

    public int getqueenposition(int col) {
        return queenspositions[col];
    }

    public String getpositionssnapshot() {
        StringBuilder text = new StringBuilder();
        for (int col = 0; col < n; col++) {
            text.append("column ").append(col).append(": ").append(queenspositions[col]).append(System.lineSeparator());
        }
        return text.toString();
    }

    public void initstates() {
        firstuntried = new int[n];
    }

    public int getuntriedposition(int col) {
        return firstuntried[col] < n ? firstuntried[col] : -1;
    }

    public void setpositiontried(int col) {
        firstuntried[col] += 1;
    }

    public void setallpositionsuntried(int col) {
        firstuntried[col] = 0;
    }
}
