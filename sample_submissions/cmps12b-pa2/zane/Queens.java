class Queens {
  private final int n;
  private final int[] columns;

  Queens(int n) {
    this.n = n;
    this.columns = new int[n];
  }

  /** Puts a queen on the next row in every way there is; what is found goes to the end of text. */
  int solve(int row, StringBuilder text) {
    if (row == n) {
      if (text != null) append(text);
      return 1;
    }
    int sum = 0;
    for (int column = 1; column <= n; column++) {
      if (!attacked(row, column)) {
        columns[row] = column;
        sum += solve(row + 1, text);
      }
    }
    return sum;
  }

  boolean attacked(int row, int column) {
    for (int above = 0; above < row; above++) {
      int shift = Math.abs(columns[above] - column);
      if (shift == 0 || shift == row - above) return true;
    }
    return false;
  }

  void append(StringBuilder text) {
    String separator = "(";
    for (int column : columns) {
      text.append(separator).append(column);
      separator = ", ";
    }
    text.append(")\n");
  }

  public static void main(String[] args) {
    StringBuilder text = args.length == 2 && args[0].equals("-v") ? new StringBuilder() : null;
    String number = args.length == (text == null ? 1 : 2) ? args[args.length - 1] : "";
    int n;
    try {
      n = Integer.parseUnsignedInt(number);
    } catch (NumberFormatException e) {
      System.err.println("Usage: Queens [-v] number");
      System.err.println("Option: -v  verbose output, print all solutions");
      return;
    }
    int sum = new Queens(n).solve(0, text);
    System.out.print(text == null ? "" : text);
    System.out.println(n + "-Queens has " + sum + " solutions");
  }
}
