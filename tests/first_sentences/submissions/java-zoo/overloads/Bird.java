public class Bird extends Animal {
    public Bird(String name, int grams) {
        super("bird", name, grams);
    }

    public int food(int grams) {
        return grams / 4;
    }
}
