class EightQueens {
  static int n = 8, conflicts = 0;
  static int[] queensPositions = new int[100], firstUntried = new int[100];

  static void initQueensPositions() { for (int i = 0; i < 100; i++) queensPositions[i] = -1; }

  // counts every conflict of the whole search
  static boolean hasConflict(int a, int b, int bpos) {
    if (queensPositions[a] == bpos) conflicts++;
    if (queensPositions[a] + a == bpos + b) conflicts++;
    if (queensPositions[a] - a == bpos - b) conflicts++;
    return conflicts > 0;
  }

  static boolean hasConflictCumulative(int b, int bpos) {
    System.out.println("checking column " + b + " row " + bpos);
    conflicts = 0;
    for (int a = 0; a < b; a++) hasConflict(a, b, bpos);
    return conflicts > 0;
  }

  static void setQueenPosition(int col, int pos) { queensPositions[col] = pos; }

  static int getQueenPosition(int col) { return queensPositions[col]; }

  static String getPositionsSnapshot() {
    String s = "";
    for (int i = 0; i < n; i++) s += queensPositions[i] + " ";
    return s;
  }

  static void initStates() { for (int i = 0; i < 100; i++) firstUntried[i] = 0; }

  static int getUntriedPosition(int col) { return firstUntried[col] == n ? -1 : firstUntried[col]; }

  static void setPositionTried(int col) { firstUntried[col]++; }

  static void setAllPositionsUntried(int col) { firstUntried[col] = 0; }
}
