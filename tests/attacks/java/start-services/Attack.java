// Tries to have a service of its own started by the compiler and the machine. Safe: 0, build-failed.
class Attack {
    public static void main(String[] args) {
        long n = Long.parseLong(args[0]);
        System.out.println(n * (n + 1) / 2);
    }
}
