import java.util.BitSet;

public class Queens {
	private BitSet columns = new BitSet(), up = new BitSet(), down = new BitSet();
	private int n;
	private boolean verbose;

	public static void main(String[] args) {
		Queens q = new Queens();
		int at = 0;
		if (args.length == 2) {
			q.verbose = args[0].equals("-v");
			at = 1;
			if (!q.verbose) Usage();
		}
		try {
			q.n = Integer.parseInt(args[at]);
		} catch (RuntimeException e) {
			Usage();
		}
		System.out.println(q.n + "-Queens has " + q.solve(1, "") + " solutions");
	}

	static void Usage() {
		System.err.println("Usage: Queens [-v] number");
		System.err.println("Options: -v  verbose output, print all soultions");
		System.exit(1);
	}

	private int solve(int row, String text) {
		if (row > n) {
			if (verbose) System.out.println("(" + text + ")");
			return 1;
		}
		int result = 0;
		for (int c = 1; c <= n; c++) {
			if (columns.get(c) || up.get(row + c) || down.get(row - c + n)) continue;
			flip(row, c);
			result += solve(row + 1, !verbose ? "" : row > 1 ? text + ", " + c : "" + c);
			flip(row, c);
		}
		return result;
	}

	private void flip(int row, int c) {
		columns.flip(c);
		up.flip(row + c);
		down.flip(row - c + n);
	}
}
