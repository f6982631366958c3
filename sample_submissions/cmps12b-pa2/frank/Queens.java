class Queens
{
	static int[] queen;		// queen[i] = column of the queen in row i
	static String text = "";

	static boolean safe(int i)
	{
		for (int k = 1; k < i; k++)
			if (queen[k] == queen[i] || queen[i] - queen[k] == i - k || queen[k] - queen[i] == i - k)
				return false;
		return true;
	}

	static int count(int i, boolean verbose)
	{
		int n = queen.length - 1, sum = 0;
		if (i > n) {
			if (verbose) {
				for (int k = 1; k <= n; k++)
					text += (k == 1 ? "(" : ", ") + queen[k];
				text += ")\n";
			}
			return 1;
		}
		for (int j = 1; j <= n; j++) {
			queen[i] = j;
			if (safe(i))
				sum += count(i + 1, verbose);
		}
		return sum;
	}

	public static void main(String[] args)
	{
		int n = -1;
		boolean verbose = args.length == 2 && args[0].equals("-v");
		if (verbose || args.length == 1) {
			try {
				n = Integer.parseInt(args[args.length - 1]);
			} catch (Exception e) {
				n = -1;
			}
		}
		if (n < 0) {
			System.err.println("Usage: Queens [-v] number");
			System.err.println("Option: -v  verbose output, print all solutions");
			return;
		}
		queen = new int[n + 1];
		int total = count(1, verbose);
		System.out.print(text + n + "-Queens has " + total + " solutions");
	}
}
