class EightQueens {
  // an empty column has 0, and a column without untried rows has n
  static int n = 8;
  static int[] queensPositions = new int[100], firstUntried = new int[100];

  static void initQueensPositions() { for (int i = 0; i < 100; i++) queensPositions[i] = 0; }

  static boolean hasConflict(int a, int b, int bpos) {
    if (queensPositions[a] == bpos) return true;
    if (queensPositions[a] + a == bpos + b) return true;
    return queensPositions[a] - a == bpos - b;
  }

  static boolean hasConflictCumulative(int b, int bpos) {
    for (int a = 0; a < b; a++) {
      if (hasConflict(a, b, bpos)) return true;
    }
    return false;
  }

  static void setQueenPosition(int col, int pos) { queensPositions[col] = pos; }

  static int getQueenPosition(int col) { return queensPositions[col]; }

  static String getPositionsSnapshot() {
    String s = "";
    for (int i = 0; i < n; i++) s += queensPositions[i] + " ";
    return s;
  }

  static void initStates() { for (int i = 0; i < 100; i++) firstUntried[i] = 0; }

  static int getUntriedPosition(int col) { return firstUntried[col]; }

  static void setPositionTried(int col) { firstUntried[col]++; }

  static void setAllPositionsUntried(int col) { firstUntried[col] = 0; }
}
