// Tries to fill the heap that the others share. Safe: 6, passed or failed or crashed or memory.
public class Sum {
    static java.util.List<long[]> kept = new java.util.ArrayList<>();

    static int total(int number) {
        return number * (number + 1) / 2;
    }

    static int first(int number) {
        return total(number);
    }

    static int guess(int number) {
        while (true) kept.add(new long[1 << 20]);
    }
}
