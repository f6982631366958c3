class Queens {
    static int count(int[] q, int i) {
        if (i == q.length) return 1;
        int sum = 0;
        for (int j = 1; j <= q.length; j++) {
            q[i] = j
            if (safe(q, i)) sum += count(q, i + 1);
        }
        return sum;
    }

    static boolean safe(int[] q, int i) {
        for (int k = 0; k < i; k++) {
            if (q[k] == q[i] || Math.abs(q[k] - q[i]) == i - k) return false;
        }
        return true;
    }

    public static void main(String[] args) {
        if (args.length != 1) {
            System.err.println("Usage: Queens [-v] number");
            System.exit(1);
        }
        int n = Integer.parseInt(args[0]);
        System.out.println(n + "-Queens has " + count(new int[n], 0) + " solutions");
    }
}
