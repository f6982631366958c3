public class Bird extends Animal {
    public Bird(String name, int grams) {
        super("bird", name, grams);
    }

    @Override
    public int food() {
        return grams / 4;
    }
}
