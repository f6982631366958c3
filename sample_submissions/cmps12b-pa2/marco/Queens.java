class Queens {
   static void usage() {
      System.out.println("Usage: Queens [-v] number");
      System.out.println("Option: -v  verbose output, print all solutions");
      System.exit(1);
   }

   static void placeQueen(int[][] B, int i, int j) {
      B[i][j]++;
      B[i][0] = j;
      below(B, i, j, -1);
   }

   static void removeQueen(int[][] B, int i, int j) {
      B[i][j]--;
      B[i][0] = 0;
      below(B, i, j, 1);
   }

   static void below(int[][] B, int i, int j, int v) {
      for (int x = i + 1; x < B.length; x++) B[x][j] += v;
      for (int x = i + 1, y = j + 1; x < B.length && y < B.length; x++, y++) B[x][y] += v;
      for (int x = i + 1, y = j - 1; x < B.length && y > 0; x++, y--) B[x][y] += v;
   }

   static void printBoard(int[][] B) {
      String s = "" + B[1][0];
      for (int i = 2; i < B.length; i++) s += ", " + B[i][0];
      System.out.println("(" + s + ")");
   }

   static int findSolutions(int[][] B, int i, String mode) {
      int n = B.length - 1, sum = 0;
      if (i > n) {
         if (mode.equals("verbose")) printBoard(B);
         return 1;
      }
      for (int j = 1; j <= n; j++) {
         if (B[i][j] == 0) {
            placeQueen(B, i, j);
            sum += findSolutions(B, i + 1, mode);
            removeQueen(B, i, j);
         }
      }
      return sum;
   }

   public static void main(String[] args) {
      String mode = "";
      int n = 0;
      try {
         if (args.length == 1) {
            n = Integer.parseInt(args[0]);
         } else if (args.length == 2 && args[0].equals("-v")) {
            mode = "verbose";
            n = Integer.parseInt(args[1]);
         } else {
            usage();
         }
      } catch (NumberFormatException e) {
         usage();
      }
      System.out.println(n + "-Queens has " + findSolutions(new int[n + 1][n + 1], 1, mode) + " solutions");
   }
}
