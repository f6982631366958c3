// Tries to overflow the stack of the thread of all methods. Safe: 6, passed or failed or crashed.
public class Sum {
    static int total(int number) {
        return number * (number + 1) / 2;
    }

    static int first(int number) {
        return total(number);
    }

    static int guess(int number) {
        return guess(number + 1) + 1;
    }
}
