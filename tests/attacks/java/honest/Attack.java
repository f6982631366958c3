class Attack {
    public static void main(String[] args) {
        long number = Long.parseLong(args[0]);
        System.out.println(number * (number + 1) / 2);
    }
}
