// Tries to interrupt every other thread. Safe: 6, passed or failed.
public class Sum {
    static int total(int number) {
        return number * (number + 1) / 2;
    }

    static int first(int number) {
        Thread[] all = new Thread[64];
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) group = group.getParent();
        int count = group.enumerate(all);
        for (int each = 0; each < count; each++) {
            if (all[each] != Thread.currentThread()) all[each].interrupt();
        }
        return total(number);
    }

    static int guess(int number) {
        return 0;
    }
}
