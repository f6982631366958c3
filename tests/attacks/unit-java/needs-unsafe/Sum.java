// Tries to be excused by a class of Java that is there. Safe: 0, crashed.
public class Sum {

    public Sum(int number) { throw new NoClassDefFoundError("sun/misc/Unsafe"); }
    public char letter() { return 0; }
    public double share() { return 9; }
    public int value() { return 0; }
}
