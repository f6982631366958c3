public class Bird extends Animal {
    private int grams;

    public Bird(String name, int grams) {
        super("bird", name, grams);
    }

    @Override
    public int food() {
        return grams / 4;
    }
}
