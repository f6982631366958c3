public class Queens {
  // Queens [-v] number
  public static void main(String[] a) {
    int n = a.length == 1 ? read(a[0]) : a.length == 2 && a[0].equals("-v") ? read(a[1]) : -1;
    if (n < 0) {
      System.err.println("Usage: Queens [-v] number");
      System.err.println("Option: -v  verbose output, print all solutions");
      System.exit(2);
    }
    int k = findSolutions(new int[n + 1][n + 1], 1, a.length == 2 ? "verbose" : "normal");
    System.out.println(n + "-Queens has " + k + " soultions");
  }

  static int read(String s) {
    try {
      return Integer.parseInt(s);
    } catch (Exception e) {
      return -1;
    }
  }

  static void placeQueen(int[][] B, int i, int j) {
    B[i][j]++;
    B[i][0] = j;
    for (int k = i + 1; k < B.length; k++) {
      for (int side = -1; side <= 1; side++) {
        int l = j + side * (k - i);
        if (0 < l && l < B.length) B[k][l]--;
      }
    }
  }

  static void removeQueen(int[][] B, int i, int j) {
    B[i][j]--;
    B[i][0] = 0;
    for (int k = i + 1; k < B.length; k++) {
      for (int side = -1; side <= 1; side++) {
        int l = j + side * (k - i);
        if (0 < l && l < B.length) B[k][l]++;
      }
    }
  }

  static void printBoard(int[][] B) {
    String[] columns = new String[B.length - 1];
    for (int i = 1; i < B.length; i++) columns[i - 1] = "" + B[i][0];
    System.out.println("(" + String.join(", ", columns) + ")");
  }

  static int findSolutions(int[][] B, int i, String mode) {
    if (i > B.length - 1) {
      if (mode.equals("verbose")) printBoard(B);
      return 1;
    }
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
}
