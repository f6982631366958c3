import java.util.*;

// prints [0, 4, 7, 5, 2, 6, 1, 3] with a number in front
public class NQueens {
  static int[] queenPos;
  static int n;
  static List<int[]> solutions = new ArrayList<>();
  static boolean trace;

  public boolean nc(int a, int b) {
    if (queenPos[a] == queenPos[b]) return false;
    return Math.abs(queenPos[a] - queenPos[b]) != b - a;
  }

  void solve(int col) {
    if (col == n) {
      solutions.add(queenPos.clone());
      return;
    }
    for (int row = 0; row < n && !(trace && solutions.size() > 0); row++) {
      queenPos[col] = row;
      boolean ok = true;
      for (int i = 0; i < col; i++) ok &= nc(i, col);
      if (ok) {
        if (trace) snapshot(col);
        solve(col + 1);
      }
      queenPos[col] = -1;
    }
  }

  void snapshot(int col) {
    System.out.println("curcol = " + col + "\nSnapshot");
    for (int row = 0; row < n; row++) {
      StringBuilder line = new StringBuilder(row + ":");
      for (int c = 0; c < n; c++) line.append(queenPos[c] == row ? " Q" : " -");
      System.out.println(line);
    }
    System.out.println();
  }

  public static void main(String[] args) {
    n = Integer.parseInt(args[0]);
    trace = args.length > 1;
    queenPos = new int[n];
    Arrays.fill(queenPos, -1);
    new NQueens().solve(0);
    if (trace) return;
    for (int i = 0; i < solutions.size(); i++) {
      System.out.println("Solution " + (i + 1) + ": " + Arrays.toString(solutions.get(i)));
    }
    System.out.println(n + " queens have " + solutions.size() + " solutions");
  }
}
