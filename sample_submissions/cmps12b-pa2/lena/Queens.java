import java.util.stream.IntStream;
import java.util.stream.Collectors;

public final class Queens {
  public static void main(final String... words) {
    if (!String.join(" ", words).matches("(-v )?\\d+")) {
      System.err.printf("Usage: Queens [-v] number%nOption: -v  verbose output, print all solutions%n");
      System.exit(64);
    }
    final int n = Integer.parseInt(words[words.length - 1]);
    final String mode = words.length > 1 ? "verbose" : "quiet";
    System.out.format("%d-Queens has %d solutions%n", n, findSolutions(new int[n + 1][n + 1], 1, mode));
  }

  public static synchronized void placeQueen(final int[][] B, final int i, final int j) {
    B[i][j]++;
    B[i][0] = j;
    reach(B.length, i, j).forEach(square -> B[square / 100][square % 100]--);
  }

  public static synchronized void removeQueen(final int[][] B, final int i, final int j) {
    B[i][j]--;
    B[i][0] = 0;
    reach(B.length, i, j).forEach(square -> B[square / 100][square % 100]++);
  }

  private static IntStream reach(int end, int i, int j) {
    return IntStream.range(i + 1, end).flatMap(k -> IntStream.of(j - k + i, j, j + k - i)
        .filter(l -> 0 < l && l < end).map(l -> 100 * k + l));
  }

  public static final void printBoard(final int[][] B) {
    System.out.println(IntStream.range(1, B.length).mapToObj(i -> "" + B[i][0])
        .collect(Collectors.joining(", ", "(", ")")));
  }

  protected static int findSolutions(int[][] B, int i, String mode) {
    if (i == B.length) {
      if (mode.equals("verbose")) printBoard(B);
      return 1;
    }
    if (!mode.equals("verbose")) return count(B.length - 1, bits(B, i), 0, 0, 0, i);
    int sum = 0;
    for (int j = 1; j < B.length; j++) {
      if (B[i][j] == 0) {
        placeQueen(B, i, j);
        sum += findSolutions(B, i + 1, mode);
        removeQueen(B, i, j);
      }
    }
    return sum;
  }

  // only the number: bit masks, which are quicker; taken[k] are the squares of row k that the board shows as attacked
  private static int[] bits(int[][] B, int from) {
    int[] taken = new int[B.length];
    for (int k = from; k < B.length; k++) for (int l = 1; l < B.length; l++) if (B[k][l] != 0) taken[k] |= 1 << l;
    return taken;
  }

  private static int count(int n, int[] taken, int columns, int left, int right, int row) {
    if (row > n) return 1;
    int sum = 0;
    int open = ~(columns | left | right | taken[row]) & ((2 << n) - 2);
    while (open != 0) {
      int queen = open & -open;
      open -= queen;
      sum += count(n, taken, columns | queen, (left | queen) << 1, (right | queen) >> 1, row + 1);
    }
    return sum;
  }
}
