import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;

public class Cinema {
    static char row(String seat) {
        return seat.charAt(0);
    }

    static String label(String seat) {
        if (row(seat) == 'A') {
            return seat + " (front)";
        }
        return seat;
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        long cents = (long) in.nextInt() * in.nextInt();
        List<Integer> numbers = new ArrayList<>();
        List<String> seats = new ArrayList<>();
        int gone = in.nextInt();
        while (in.hasNext()) {
            seats.add(in.next());
            numbers.add(in.nextInt());
        }
        numbers.remove(gone);
        for (String seat : seats) {
            System.out.println(label(seat));
        }
        System.out.println("Cents: " + cents);
        System.out.println("Left: " + numbers);
    }
}
