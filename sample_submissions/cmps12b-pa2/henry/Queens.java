import java.util.Arrays;

class Queens {
  static int search(int[] row, int i, boolean verbose) {
    int n = row.length;
    if (i == n) {
      if (verbose) {
        System.out.println(Arrays.toString(row).replace('[', '(').replace(']', ')').replace(" ", ""));
      }
      return 1;
    }
    int sum = 0;
    for (int j = 1; j <= n; j++) {
      row[i] = j;
      if (fits(row, i)) sum += search(row, i + 1, verbose);
    }
    return sum;
  }

  static boolean fits(int[] row, int i) {
    for (int k = i - 1; k >= 0; k--) {
      int d = row[k] - row[i];
      if (d == 0 || d == i - k || d == k - i) return false;
    }
    return true;
  }

  static void usage() {
    System.err.println("Usage: Queens [-v] number");
    System.err.println("Option: -v verbose output, print all solutions");
    System.exit(1);
  }

  public static void main(String[] args) {
    try {
      boolean verbose = args[0].equals("-v");
      if (args.length > (verbose ? 2 : 1)) usage();
      int n = Integer.parseInt(args[verbose ? 1 : 0]);
      int sum = search(new int[n], 0, verbose);
      System.out.println(n + "-Queens has " + sum + " solutions");
    } catch (ArrayIndexOutOfBoundsException | NumberFormatException e) {
      usage();
    }
  }
}
