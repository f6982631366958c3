/*
 * Queens.java
 * prints the number of solutions to n queens, or with -v every solution
 */
public class Queens
{
    public static void main(String[] args)
    {
        int n;
        String mode = "normal";
        if (args.length < 1 || args.length > 2)
        {
            printUsage();
        }
        if (args.length == 2)
        {
            if (!args[0].equals("-v"))
            {
                printUsage();
            }
            mode = "verbose";
        }
        try
        {
            n = Integer.parseInt(args[args.length - 1]);
            int[][] B = new int[n + 1][n + 1];
            int solutions = findSolutions(B, 1, mode);
            System.out.println(n + "-Queens has " + solutions + " solutions");
        }
        catch (NumberFormatException e)
        {
            printUsage();
        }
    }

    static void printUsage()
    {
        System.out.println("Usage: Queens [-v] number");
        System.out.println("Option: -v  verbose output, print all solutions");
        System.exit(0);
    }

    static void placeQueen(int[][] B, int i, int j)
    {
        B[i][0] = j;
        mark(B, i, j, 1);
    }

    static void removeQueen(int[][] B, int i, int j)
    {
        B[i][0] = 0;
        mark(B, i, j, -1);
    }

    static void mark(int[][] B, int i, int j, int by)
    {
        B[i][j] += by;
        for (int k = i + 1; k < B.length; k++)
        {
            for (int l = 1; l < B.length; l++)
            {
                if (l == j || Math.abs(l - j) == k - i)
                {
                    B[k][l] -= by;
                }
            }
        }
    }

    static void printBoard(int[][] B)
    {
        System.out.print("(");
        for (int i = 1; i < B.length; i++)
        {
            System.out.print(B[i][0]);
            System.out.print(i < B.length - 1 ? ", " : ")\n");
        }
    }

    static int findSolutions(int[][] B, int i, String mode)
    {
        if (i == B.length)
        {
            if (mode.equals("verbose"))
            {
                printBoard(B);
            }
            return 1;
        }
        int total = 0;
        for (int j = 1; j < B.length; j++)
        {
            if (B[i][j] == 0)
            {
                placeQueen(B, i, j);
                total += findSolutions(B, i + 1, mode);
                removeQueen(B, i, j);
            }
        }
        return total;
    }
}
