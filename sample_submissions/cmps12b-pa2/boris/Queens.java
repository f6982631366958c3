// Queens.java - n queens with three arrays of booleans

class Queens {
   static int n;
   static boolean verbose;
   static boolean[] column, up, down;
   static int[] q;

   static int place(int row) {
      if (row > n) {
         if (verbose) {
            String s = "(";
            for (int i = 1; i < n; i++) s = s + q[i] + ", ";
            System.out.println(s + q[n] + ")");
         }
         return 1;
      }
      int ways = 0;
      for (int c = 1; c <= n; c++) {
         int u = row + c, d = row - c + n;
         if (column[c] || up[u] || down[d]) continue;
         column[c] = up[u] = down[d] = true;
         q[row] = c;
         ways += place(row + 1);
         column[c] = up[u] = down[d] = false;
      }
      return ways;
   }

   static void usage() {
      System.err.println("Usage: Queens [-v] number");
      System.err.println("Option: -v  verbose output, print all solutions");
      System.exit(1);
   }

   public static void main(String[] args) {
      if (args.length == 2 && args[0].equals("-v")) verbose = true;
      else if (args.length != 1) usage();
      try {
         n = Integer.parseInt(args[args.length - 1]);
      } catch (NumberFormatException e) {
         usage();
      }
      column = new boolean[n + 1];
      up = new boolean[2 * n + 1];
      down = new boolean[2 * n + 1];
      q = new int[n + 1];
      System.out.println(n + "-Queens has " + place(1) + " solutions");
   }
}
