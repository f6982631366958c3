// Tries to be graded although it needs a module that is withheld. Safe: 0, crashed.
public class Sum {

    public Sum(int number) { throw new NoClassDefFoundError("sun/misc/Unsafe"); }
    public char letter() { return 0; }
    public double share() { return 9; }
    public int value() { return 0; }
}
