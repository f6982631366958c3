/* rows and columns count from 1 */
public class NQueens {
   static int n, solutions;
   static boolean tracing;
   static int[] queenPos;

   public static boolean nc(int a, int b) {
      return queenPos[a] != queenPos[b] && Math.abs(queenPos[a] - queenPos[b]) != Math.abs(a - b);
   }

   static boolean fits(int col) {
      for (int i = 1; i < col; i++) {
         if (!nc(i, col)) return false;
      }
      return true;
   }

   static void queens(int col) {
      for (int row = 1; row <= n; row++) {
         queenPos[col] = row;
         if (!fits(col)) continue;
         if (tracing) snapshot(col);
         if (col < n) {
            queens(col + 1);
         } else {
            solutions++;
            if (!tracing) print();
         }
         if (tracing && solutions == 1) return;
      }
   }

   static void print() {
      StringBuilder line = new StringBuilder();
      for (int i = 1; i <= n; i++) line.append(i == 1 ? "" : " ").append(queenPos[i]);
      System.out.println(line);
   }

   static void snapshot(int col) {
      System.out.println("curcol = " + col);
      System.out.println("Snapshot");
      for (int row = 1; row <= n; row++) {
         System.out.print(row + ": ");
         for (int i = 1; i <= col; i++) System.out.print(queenPos[i] == row ? "Q " : "  ");
         System.out.println();
      }
   }

   public static void main(String[] args) {
      n = Integer.parseInt(args[0]);
      tracing = args.length > 1;
      queenPos = new int[n + 1];
      queens(1);
      if (!tracing) System.out.println("Solutions: " + solutions);
   }
}
