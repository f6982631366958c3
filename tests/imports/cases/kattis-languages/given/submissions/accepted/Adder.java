import java.util.*;
// class Other { void main() {} }
public class Adder {
  static int add(int a, int b) { return a + b; }
  public static void main(String[] args) {
    Scanner in = new Scanner(System.in);
    System.out.println(add(in.nextInt(), in.nextInt()));
  }
}
