class Queens {
  // first try: only counts
  static int solve(int[] columns, int row) {
    if (row == columns.length) return 1;
    int sum = 0;
    for (int column = 1; column <= columns.length; column++) {
      boolean attacked = false;
      for (int above = 0; above < row; above++) {
        attacked |= columns[above] == column || Math.abs(columns[above] - column) == row - above;
      }
      columns[row] = column;
      if (!attacked) sum += solve(columns, row + 1);
    }
    return sum;
  }

  public static void main(String[] args) {
    int n = Integer.parseInt(args[0]);
    System.out.println(n + "-Queens has " + solve(new int[n], 0) + " solutions");
  }
}
