// Tries to end the machine in a method. Safe: 6, passed or crashed or failed.
public class Sum {
    static int total(int number) {
        return number * (number + 1) / 2;
    }

    static int first(int number) {
        return total(number);
    }

    static int guess(int number) {
        Runtime.getRuntime().halt(0);
        return 0;
    }
}
