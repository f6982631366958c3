import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Counts in a thread of its own, and waits for it; the wait is over as soon as a solution is there. */
public class Queens {
    static final CountDownLatch first = new CountDownLatch(1);
    static int total;

    static void solve(int[] q, int i, boolean verbose) {
        if (i == q.length) {
            total++;
            first.countDown();
            if (verbose) print(q);
            return;
        }
        for (int j = 1; j <= q.length; j++) {
            boolean ok = true;
            for (int k = 0; k < i && ok; k++) ok = q[k] != j && Math.abs(q[k] - j) != i - k;
            if (ok) {
                q[i] = j;
                solve(q, i + 1, verbose);
            }
        }
    }

    static void print(int[] q) {
        StringBuilder s = new StringBuilder().append('(').append(q[0]);
        for (int i = 1; i < q.length; i++) s.append(", ").append(q[i]);
        System.out.println(s.append(')'));
    }

    static void usage() {
        System.err.println("Usage: Queens [-v] number");
        System.err.println("Option: -v  verbose output, print all solutions");
        System.exit(1);
    }

    public static void main(String[] args) throws InterruptedException {
        int n = 0;
        boolean verbose = args.length == 2;
        if (args.length < 1 || args.length > 2 || verbose && !args[0].equals("-v")) usage();
        try {
            n = Integer.parseInt(args[args.length - 1]);
        } catch (NumberFormatException e) {
            usage();
        }
        int[] q = new int[n];
        if (verbose) {
            solve(q, 0, true);
        } else {
            Thread worker = new Thread(() -> solve(q, 0, false));
            worker.start();
            first.await(60, TimeUnit.SECONDS);     // with no solution it would wait for ever
            worker.join();
        }
        System.out.println(n + "-Queens has " + total + " solutions");
    }
}
