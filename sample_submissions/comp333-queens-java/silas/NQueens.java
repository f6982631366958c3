public class NQueens {
  // 1 , 3 , 0 , 2 instead of 1 3 0 2 is a matter of layout
  static int n;
  static int[] queenPos;

  static boolean nc(int a, int b) {
    int x = queenPos[a], y = queenPos[b];
    return x != y && x - y != a - b && y - x != a - b;
  }

  static int found;

  static boolean step(int curcol, boolean trace) {
    if (curcol == n) {
      found++;
      if (!trace) System.out.println(String.join(" , ", words()));
      return trace;
    }
    rows:
    for (int row = 0; row < n; row++) {
      queenPos[curcol] = row;
      for (int a = 0; a < curcol; a++) if (!nc(a, curcol)) continue rows;
      if (trace) picture(curcol);
      if (step(curcol + 1, trace)) return true;
    }
    return false;
  }

  static String[] words() {
    String[] words = new String[n];
    for (int i = 0; i < n; i++) words[i] = "" + queenPos[i];
    return words;
  }

  static void picture(int curcol) {
    System.out.println("curcol = " + curcol);
    for (int row = 0; row < n; row++) {
      System.out.print(row + ":");
      for (int col = 0; col < n; col++) System.out.print(col <= curcol && queenPos[col] == row ? "Q" : ".");
      System.out.println();
    }
  }

  public static void main(String[] args) {
    n = Integer.parseInt(args[0]);
    queenPos = new int[n];
    boolean trace = args.length > 1;
    step(0, trace);
    if (!trace) System.out.println("Solutions: " + found);
  }
}
