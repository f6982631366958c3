class Queens {
  static int n, full;
  static int[] bits;
  static boolean v;

  static int go(int row, int cols, int d1, int d2) {
    if (row == n) {
      if (v) {
        StringBuilder sb = new StringBuilder();
        for (int b : bits) sb.append(", ").append(1 + Integer.numberOfTrailingZeros(b));
        System.out.println("(" + sb.substring(2) + ")");
      }
      return 1;
    }
    int total = 0;
    for (int free = full & ~(cols | d1 | d2); free != 0; free &= free - 1) {
      int b = Integer.lowestOneBit(free);
      bits[row] = b;
      total += go(row + 1, cols | b, (d1 | b) << 1, (d2 | b) >> 1);
    }
    return total;
  }

  public static void main(String[] args) {
    String number = args.length == 1 ? args[0] : args.length == 2 && args[0].equals("-v") ? args[1] : "";
    v = args.length == 2;
    try {
      n = Integer.parseInt(number);
      full = (1 << n) - 1;
      bits = new int[n];
      System.out.println(n + "-Queens has " + go(0, 0, 0, 0) + " solutions");
    } catch (NumberFormatException e) {
      System.err.println("Usage: Queens [-v] number");
      System.err.println("Option: -v  verbose output, print all solutions");
      System.exit(1);
    }
  }
}
