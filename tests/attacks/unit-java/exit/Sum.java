// Tries to end the machine. Safe: 0, crashed.
public class Sum {

    public Sum(int number) { System.exit(0); }
    public char letter() { return 0; }
    public double share() { return 9; }
    public int value() { return 0; }
}
