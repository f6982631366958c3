// Tries to have the compiler and the machine read options from beside the source. Safe: 10, passed.
class Attack {
    public static void main(String[] args) {
        long n = Long.parseLong(args[0]);
        System.out.println(n * (n + 1) / 2);
    }
}
