class Queens {
  // taken[c]: column c, taken[2n + i + j]: one kind of diagonal, taken[5n + i - j]: the other
  static boolean[] taken;
  static int[] queens;

  static int find(int i, boolean verbose) {
    int n = queens.length;
    if (i == n) {
      if (verbose) print();
      return 1;
    }
    int sum = 0;
    for (int j = 0; j < n; j++) {
      int a = 2 * n + i + j, b = 5 * n + i - j;
      if (taken[j] || taken[a] || taken[b]) continue;
      taken[j] = taken[a] = taken[b] = true;
      queens[i] = j + 1;
      sum += find(i + 1, verbose);
      taken[j] = taken[a] = taken[b] = false;
    }
    return sum;
  }

  static void print() {
    for (int i = 0; i < queens.length; i++) System.out.print((i == 0 ? "(" : ", ") + queens[i]);
    System.out.println(")");
  }

  static void usage() {
    System.err.println("Usage: Queens [-v] number");
    System.err.println("Option: -v  verbose output, print all solutions");
    System.exit(1);
  }

  public static void main(String[] args) {
    int n = 0;
    boolean verbose = args.length == 2 && args[0].equals("-v");
    if (!verbose && args.length != 1) usage();
    try {
      n = Integer.parseInt(args[verbose ? 1 : 0]);
    } catch (NumberFormatException e) {
      usage();
    }
    queens = new int[n];
    taken = new boolean[6 * n + 1];
    System.out.println(n + "-queens has " + find(0, verbose) + " Solutions");
  }
}
