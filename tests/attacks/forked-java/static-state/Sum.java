// Tries to count the methods in what is static, and know the further runs. Safe: 6, passed or failed.
public class Sum {
    static int calls;

    static int total(int number) {
        return number * (number + 1) / 2;
    }

    static int first(int number) {
        calls++;
        return total(number);
    }

    static int guess(int number) {
        return calls;
    }
}
