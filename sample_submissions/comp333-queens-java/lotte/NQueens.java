public class NQueens {
    static int n = 8;
    static int[] queenPos = new int[8];
    static int solutions;

    public static void main(String[] args) {
        n = Integer.parseInt(args[0]);
        boolean done = search(0, args.length > 1);
        if (args.length == 1) {
            System.out.println("Solutions: " + solutions);
        }
    }

    public static boolean nc(int a, int b) {
        int rows = Math.abs(queenPos[a] - queenPos[b]);
        return rows > 0 && rows != b - a;
    }

    static boolean search(int curcol, boolean trace) {
        for (int row = 0; row < n; row++) {
            queenPos[curcol] = row;
            boolean conflict = false;
            for (int i = 0; i < curcol; i++) {
                if (!nc(i, curcol)) conflict = true;
            }
            if (conflict) continue;
            if (trace) snapshot(curcol);
            if (curcol < n - 1) {
                if (search(curcol + 1, trace)) return true;
            } else if (trace) {
                return true;
            } else {
                solutions++;
                for (int i = 0; i < n; i++) System.out.print(queenPos[i] + " ");
                System.out.println();
            }
        }
        return false;
    }

    static void snapshot(int curcol) {
        System.out.println("\ncurcol = " + curcol + "\n\nSnapshot");
        for (int row = 0; row < n; row++) {
            System.out.print(" " + row + ":");
            for (int i = 0; i <= curcol; i++) System.out.print("|" + (queenPos[i] == row ? "Q" : "_"));
            System.out.println("|");
        }
    }
}
