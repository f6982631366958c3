// One half of the program; it does not say which of the two files is to be started.
class Solver {
    public static void main(String[] args) {
        System.out.println(new Board(Integer.parseInt(args[0])).count(0) + " solutions");
    }
}
