package pa2;
// HalfQueens.java
// Finds all solutions to the n-Queens problem by recursion.

class HalfQueens {

   public static void main(String[] args) {
      String mode = "";
      String number = "";

      if (args.length == 1) {
         number = args[0];
      } else if (args.length == 2 && args[0].equals("-v")) {
         mode = "verbose";
         number = args[1];
      } else {
         usage();
      }

      int n = 0;
      try {
         n = Integer.parseInt(number);
      } catch (NumberFormatException e) {
         usage();
      }
      int[][] B = new int[n + 1][n + 1];
      System.out.println(n + "-Queens has " + findSolutions(B, 1, mode) + " solutions");
   }

   static void usage() {
      System.err.println("Usage: Queens [-v] number");
      System.err.println("Option: -v  verbose output, print all solutions");
      System.exit(1);
   }

   static void placeQueen(int[][] B, int i, int j) {
      B[i][j]++;
      B[i][0] = j;
      attack(B, i, j, -1);
   }

   static void removeQueen(int[][] B, int i, int j) {
      B[i][j]--;
      B[i][0] = 0;
      attack(B, i, j, 1);
   }

   // adds change to every square below row i that a queen on (i, j) attacks
   static void attack(int[][] B, int i, int j, int change) {
      int n = B.length - 1;
      for (int k = i + 1; k <= n; k++) {
         int d = k - i;
         B[k][j] += change;
         if (j - d >= 1) B[k][j - d] += change;
         if (j + d <= n) B[k][j + d] += change;
      }
   }

   static void printBoard(int[][] B) {
      String line = "(" + B[1][0];
      for (int i = 2; i < B.length; i++) {
         line += ", " + B[i][0];
      }
      System.out.println(line + ")");
   }

   static int findSolutions(int[][] B, int i, String mode) {
      int n = B.length - 1;
      if (i > n) {
         if (mode.equals("verbose")) printBoard(B);
         return 1;
      }
      int sum = 0;
      for (int j = 1; j <= n; j++) {
         if (B[i][j] == 0) {
            placeQueen(B, i, j);
            sum += findSolutions(B, i + 1, mode);
            removeQueen(B, i, j);
         }
      }
      return sum;
   }
}
