public class Queens {
  public static void main(String[] args) {
    boolean v = args.length == 2 && args[0].equals("-v");
    if (args.length != 1 && !v || !args[args.length - 1].matches("[0-9]+")) {
      System.err.println("Usage: Queens [-v] number");
      System.err.println("Option: -v  verbose output, print all solutions");
      System.exit(1);
    }
    int n = Integer.parseInt(args[args.length - 1]);
    int[] queens = new int[n];
    int placed = 0, found = 0, column = 1;
    while (true) {
      if (placed == n) {
        found++;
        if (v) System.out.println(java.util.Arrays.toString(queens).replace("[", "(").replace("]", ")"));
      }
      while (placed < n && column <= n && !fits(queens, placed, column)) column++;
      if (placed < n && column <= n) {
        queens[placed++] = column;
        column = 1;
      } else if (placed == 0) {
        break;
      } else {
        column = queens[--placed] + 1;
      }
    }
    System.out.println("There are " + found + " solutions to " + n + "-Queens.");
  }

  static boolean fits(int[] queens, int placed, int column) {
    for (int i = 0; i < placed; i++) {
      int across = Math.abs(queens[i] - column);
      if (across == 0 || across == placed - i) return false;
    }
    return true;
  }
}
