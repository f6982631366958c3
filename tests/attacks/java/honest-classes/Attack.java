import java.util.ArrayList;
import java.util.List;

class Attack {
    public static void main(String[] args) throws InterruptedException {
        List<Integer> numbers = new ArrayList<>();
        Thread thread = new Thread(() -> {
            for (int i = 1; i <= Integer.parseInt(args[0]); i++) {
                numbers.add(i);
            }
        });
        thread.start();
        thread.join();
        System.out.println(new Sum(numbers));
    }
}
