import java.util.Scanner;

public class Queens {
    static void placeQueen(int[][] B, int i, int j) {
        update(B, i, j, 1);
        B[i][0] = j;
    }

    static void removeQueen(int[][] B, int i, int j) {
        update(B, i, j, -1);
        B[i][0] = 0;
    }

    static void update(int[][] B, int i, int j, int sign) {
        B[i][j] += sign;
        for (int k = i + 1; k < B.length; k++) {
            for (int l = 1; l < B.length; l++) {
                if (l == j || l - j == k - i || j - l == k - i) {
                    B[k][l] -= sign;
                }
            }
        }
    }

    static void printBoard(int[][] B) {
        String text = "(";
        for (int i = 1; i < B.length; i++) {
            text += B[i][0];
            if (i < B.length - 1) {
                text += ", ";
            }
        }
        System.out.println(text + ")");
    }

    static int findSolutions(int[][] B, int i, String mode) {
        if (i > B.length - 1) {
            if (mode.equals("verbose")) {
                printBoard(B);
            }
            return 1;
        }
        int number = 0;
        for (int j = 1; j < B.length; j++) {
            if (B[i][j] == 0) {
                placeQueen(B, i, j);
                number += findSolutions(B, i + 1, mode);
                removeQueen(B, i, j);
            }
        }
        return number;
    }

    public static void main(String[] args) {
        Scanner keyboard = new Scanner(System.in);
        System.out.print("How many queens? ");
        int n = keyboard.nextInt();
        System.out.print("Print the solutions (y/n)? ");
        String mode = keyboard.next().startsWith("y") ? "verbose" : "";
        System.out.println(n + "-Queens has " + findSolutions(new int[n + 1][n + 1], 1, mode) + " solutions");
    }
}
