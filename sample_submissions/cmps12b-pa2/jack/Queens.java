class Queens {

   // B[i][0] is the column of the queen in row i
   static int findSolutions(int[][] B, int i, String mode) {
      int n = B.length - 1;
      int sum = 0;
      if (n < 2) {
         return 0;     // nothing to solve
      }
      if (i > n) {
         if (mode.equals("verbose")) {
            printBoard(B);
         }
         return 1;
      }
      for (int j = 1; j <= n; j++) {
         if (B[i][j] == 0) {
            change(B, i, j, 1);
            B[i][0] = j;
            sum = sum + findSolutions(B, i + 1, mode);
            change(B, i, j, -1);
            B[i][0] = 0;
         }
      }
      return sum;
   }

   static void change(int[][] B, int i, int j, int d) {
      B[i][j] += d;
      int left = j - 1, right = j + 1;
      for (int k = i + 1; k < B.length; k++) {
         B[k][j] -= d;
         if (left > 0) B[k][left--] -= d;
         if (right < B.length) B[k][right++] -= d;
      }
   }

   static void printBoard(int[][] B) {
      StringBuffer s = new StringBuffer();
      for (int i = 1; i < B.length; i++) {
         s.append(B[i][0]).append(i + 1 < B.length ? ", " : ")");
      }
      System.out.println("(" + s);
   }

   static int usage() {
      System.err.println("Usage: Queens [-v] number");
      System.err.println("Option: -v  verbose output, print all solutions");
      System.exit(1);
      return 0;
   }

   static int toNumber(String s) {
      try {
         return Integer.parseInt(s);
      } catch (NumberFormatException e) {
         return usage();
      }
   }

   public static void main(String[] args) {
      int n = 0;
      String mode = "";
      switch (args.length) {
         case 1:
            n = toNumber(args[0]);
            break;
         case 2:
            if (!args[0].equals("-v")) usage();
            mode = "verbose";
            n = toNumber(args[1]);
            break;
         default:
            usage();
      }
      System.out.println(n + "-Queens has " + findSolutions(new int[n + 1][n + 1], 1, mode) + " solutions");
   }
}
