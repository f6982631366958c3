public class Animal {
    protected String kind;
    protected String name;
    protected int grams;

    public Animal(String kind, String name, int grams) {
        this.kind = kind;
        this.name = name;
        this.grams = grams;
    }

    public String getKind() {
        return kind;
    }

    public String getName() {
        return name;
    }

    public int food() {
        return grams / 10;
    }

    @Override
    public String toString() {
        return name + " (" + kind + ", " + food() + " g)";
    }
}
