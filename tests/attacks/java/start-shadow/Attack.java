// Tries to shadow classes of the machine. Safe: 0, failed or crashed or build-failed.
class Attack {
    static void harm() {
        new String("x").harm();
    }

    public static void main(String[] args) {
        harm();
        long n = Long.parseLong(args[0]);
        System.out.println(n * (n + 1) / 2);
    }
}
