class Queens
{
  static void placeQueen(int[][] B, int i, int j)
  {
    B[i][j] += 1;
    B[i][0] = j;
    int n = B.length - 1;
    for (int k = 1; i + k <= n; k++)
    {
      B[i + k][j] -= 1;
      if (j + k <= n) B[i + k][j + k] -= 1;
      if (j - k >= 1) B[i + k][j - k] -= 1;
    }
  }

  static void removeQueen(int[][] B, int i, int j)
  {
    B[i][j] -= 1;
    B[i][0] = 0;
    int n = B.length - 1;
    for (int k = 1; i + k <= n; k++)
    {
      B[i + k][j] += 1;
      if (j + k <= n) B[i + k][j + k] += 1;
      if (j - k >= 1) B[i + k][j - k] += 1;
    }
  }

  static void printBoard(int[][] B)
  {
    System.out.print("(" + B[1][0]);
    for (int i = 2; i < B.length; i++) System.out.print(", " + B[i][0]);
    System.out.print(")");
  }

  static int findSolutions(int[][] B, int i, String mode)
  {
    int sum = 0;
    if (i == B.length)
    {
      if (mode.equals("verbose")) printBoard(B);
      return 1;
    }
    for (int j = 1; j < B.length; j++)
    {
      if (B[i][j] == 0)
      {
        placeQueen(B, i, j);
        sum += findSolutions(B, i + 1, mode);
        removeQueen(B, i, j);
      }
    }
    return sum;
  }

  static void usage()
  {
    System.err.println("Usage: Queens [-v] number");
    System.err.println("Option: -v  verbose output, print all solutions");
    System.exit(1);
  }

  public static void main(String[] args)
  {
    boolean v = args.length == 2 && args[0].equals("-v");
    if (args.length != 1 && !v) usage();
    int n = 0;
    try
    {
      n = Integer.parseInt(args[args.length - 1]);
    }
    catch (NumberFormatException e)
    {
      usage();
    }
    int sum = findSolutions(new int[n + 1][n + 1], 1, v ? "verbose" : "");
    System.out.println(n + "-Queens has " + sum + " solutions");
  }
}
