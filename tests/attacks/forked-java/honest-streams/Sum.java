public class Sum {
    static int total(int number) {
        return number * (number + 1) / 2;
    }

    static int first(int number) {
        System.out.close();
        System.setErr(null);
        System.setIn(null);
        return total(number);
    }

    static int guess(int number) {
        if (number < 0) throw new IllegalArgumentException("negative");
        return total(number);
    }
}
