/** Programming assignment 2: n queens. */
public class Queens {
  /** Adds delta to every square below (i, j) that a queen there attacks. */
  private static void shade(int[][] B, int i, int j, int delta) {
    int left = j - 1;
    int right = j + 1;
    for (int k = i + 1; k < B.length; k++, left--, right++) {
      B[k][j] += delta;
      if (left >= 1) B[k][left] += delta;
      if (right < B.length) B[k][right] += delta;
    }
  }

  static void placeQueen(int[][] B, int i, int j) {
    B[i][j] = 1;
    B[i][0] = j;
    shade(B, i, j, -1);
  }

  static void removeQueen(int[][] B, int i, int j) {
    B[i][j] = 0;
    B[i][0] = 0;
    shade(B, i, j, +1);
  }

  static void printBoard(int[][] B) {
    for (int i = 1; i < B.length; i++) {
      System.out.print((i == 1 ? "(" : ", ") + B[i][0]);
    }
    System.out.println(")");
  }

  static int findSolutions(int[][] B, int i, String mode) {
    int n = B.length - 1;
    if (i > n) {
      if ("verbose".equals(mode)) printBoard(B);
      return 1;
    }
    int sum = 0;
    for (int j = 1; j <= n; j++) {
      if (B[i][j] != 0) continue;
      placeQueen(B, i, j);
      sum += findSolutions(B, i + 1, mode);
      removeQueen(B, i, j);
    }
    return sum;
  }

  private static void usage() {
    System.err.println("Usage: Queens [-v] number");
    System.err.println("Option: -v  verbose output, print all solutions");
    System.exit(1);
  }

  public static void main(String[] args) {
    int last = args.length - 1;
    if (last < 0 || last > 1 || (last == 1 && !args[0].equals("-v"))) usage();
    if (!args[last].matches("[0-9]+")) usage();
    int n = Integer.parseInt(args[last]);
    int found = findSolutions(new int[n + 1][n + 1], 1, last == 1 ? "verbose" : "normal");
    System.out.printf("%d-Queens has %d solutions%n", n, found);
  }
}
