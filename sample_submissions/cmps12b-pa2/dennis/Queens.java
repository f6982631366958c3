import java.util.ArrayDeque;
import java.util.Deque;

// Queens as a stack of columns
public class Queens {
	public static void main(String[] args) {
		Deque<String> words = new ArrayDeque<>();
		for (String arg : args) words.add(arg);
		boolean v = words.size() == 2 && words.peekFirst().equals("-v");
		if (v) words.pollFirst();
		int n = -1;
		try {
			if (words.size() == 1) n = Integer.parseInt(words.pollFirst());
		} catch (NumberFormatException ignored) {
		}
		if (n < 0) {
			System.err.println("Usage: Queens [-v] number");
			System.err.println("Option: -v  verbose output, print all solutions");
			return;
		}
		System.out.println(n + "-Queens has " + go(new ArrayDeque<Integer>(), n, v) + " solutions");
	}

	static int go(Deque<Integer> placed, int n, boolean v) {
		if (placed.size() == n) {
			if (v) {
				StringBuilder b = new StringBuilder();
				for (int c : placed) b.append(b.length() == 0 ? "(" : ", ").append(c);
				System.out.println(b + ")");
			}
			return 1;
		}
		int sum = 0;
		for (int c = 1; c <= n; c++) {
			if (free(placed, c)) {
				placed.addLast(c);
				sum += go(placed, n, v);
				placed.removeLast();
			}
		}
		return sum;
	}

	static boolean free(Deque<Integer> placed, int c) {
		int away = placed.size();
		for (int other : placed) {
			if (other == c || Math.abs(other - c) == away) return false;
			away--;
		}
		return true;
	}
}
