import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;

public class Tickets {
    private final int seats;
    private int left;
    private final List<String> names = new ArrayList<>();
    private final List<Integer> numbers = new ArrayList<>();

    public Tickets(int seats) {
        this.seats = seats;
        this.left = seats;
    }

    public boolean request(String name, int number) {
        if (number > left) {
            return false;
        }
        left -= number
        names.add(name);
        numbers.add(number);
        return true;
    }

    public double percentSold() {
        return 100.0 * (seats - left) / seats;
    }

    public String largest() {
        String best = "-";
        int most = 0;
        for (int i = 0; i < names.size(); i++) {
            if (numbers.get(i) > most) {
                most = numbers.get(i);
                best = names.get(i);
            }
        }
        return best;
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        Tickets hall = new Tickets(in.nextInt());
        while (in.hasNext()) {
            String name = in.next();
            int number = in.nextInt();
            if (hall.request(name, number)) {
                System.out.println(name + ": " + number);
            } else {
                System.out.println(name + ": sorry");
            }
        }
        System.out.println("Left: " + hall.left);
        System.out.printf("Sold: %.1f%n", hall.percentSold());
        System.out.println("Largest: " + hall.largest());
    }
}
