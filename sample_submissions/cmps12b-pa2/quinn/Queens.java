class Queens {

   // above has a 1 for every column and diagonal taken: columns in above[0], diagonals in above[1] and above[2]
   static int search(int n, int row, long[] above, String done) {
      if (row == n) {
         if (done != null) System.out.println("(" + done + ")");
         return 1;
      }
      int sum = 0;
      for (int j = 1; j <= n; j++) {
         long c = 1L << j, up = 1L << (row + j), down = 1L << (row - j + n);
         if ((above[0] & c) != 0 || (above[1] & up) != 0 || (above[2] & down) != 0) continue;
         toggle(above, c, up, down);
         sum += search(n, row + 1, above, done == null ? null : row == 0 ? "" + j : done + ", " + j);
         toggle(above, c, up, down);
      }
      return sum;
   }

   static void toggle(long[] above, long c, long up, long down) {
      above[0] ^= c;
      above[1] ^= up;
      above[2] ^= down;
   }

   static void usage() {
      System.err.println("Usage: Queens [-v] number");
      System.err.println("Option: -v  verbose output, print all solutions");
      System.exit(1);
   }

   public static void main(String[] args) {
      boolean verbose = args.length > 0 && args[0].equals("-v");
      int expected = verbose ? 2 : 1;
      if (args.length != expected) usage();
      int n = 0;
      try {
         n = Integer.parseInt(args[expected - 1]);
      } catch (NumberFormatException e) {
         usage();
      }
      int found = search(n, 0, new long[3], verbose ? "" : null);
      System.out.println(n + "-Queens has " + found + " solutions");
   }
}
