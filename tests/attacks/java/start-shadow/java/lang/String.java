package java.lang;

public class String {
    public void harm() {
        System.out.println("harm");
    }
}
