// Tries to have a manager that refuses the others everything. Safe: 0, crashed or failed.
public class Sum {
    static int total(int number) {
        return number * (number + 1) / 2;
    }

    static int first(int number) {
        try {
            System.setSecurityManager(new SecurityManager() {
                @Override public void checkPermission(java.security.Permission asked) {
                    throw new SecurityException("no");
                }
            });
        } catch (UnsupportedOperationException | SecurityException none) {
        }
        return total(number);
    }

    static int guess(int number) {
        return 0;
    }
}
