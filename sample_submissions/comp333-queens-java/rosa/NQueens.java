// Asks for the number of queens, whatever its arguments are.
import java.util.Scanner;

public class NQueens {
    static int[] queenPos = new int[100];

    static boolean nc(int a, int b) {
        int d = queenPos[b] - queenPos[a];
        return d != 0 && Math.abs(d) != b - a;
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        System.out.print("n = ");
        int n = Integer.parseInt(in.nextLine().trim());
        System.out.println("Solutions: " + count(0, n));
    }

    static int count(int col, int n) {
        if (col == n) {
            for (int i = 0; i < n; i++) System.out.print(queenPos[i] + (i == n - 1 ? "\n" : " "));
            return 1;
        }
        int total = 0;
        for (int row = 0; row < n; row++) {
            queenPos[col] = row;
            int a = 0;
            while (a < col && nc(a, col)) a++;
            if (a == col) total += count(col + 1, n);
        }
        return total;
    }
}
