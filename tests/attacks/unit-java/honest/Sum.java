public class Sum {
    private final int value;
    public Sum(int number) {
        if (number < 0) throw new IllegalArgumentException("negative");
        value = number * (number + 1) / 2;
    }
    public char letter() { return 'A'; }
    public double share() { return 0.1; }
    public int value() { return value; }
    @Override public boolean equals(Object other) { return other instanceof Sum && ((Sum) other).value == value; }
    @Override public int hashCode() { return value; }
    public static void main(String[] args) { System.out.println(new Sum(4).value()); }
}
