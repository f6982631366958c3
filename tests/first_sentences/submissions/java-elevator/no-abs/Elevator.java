import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;

public class Elevator {
    public static void main(String[] args) {
        int floors = Integer.parseInt(args[0]);
        Scanner in = new Scanner(System.in);
        int floor = 0;
        int travelled = 0;
        int stops = 0;
        List<Integer> refused = new ArrayList<>();
        while (in.hasNext()) {
            String word = in.next();
            if (word.equals("home")) {
                word = "0";
            }
            int goal = Integer.parseInt(word);
            if (goal < 0 || goal > floors) {
                refused.add(goal);
                continue;
            }
            if (goal == floor) {
                System.out.println("Already on floor " + goal);
                continue;
            }
            String way = goal > floor ? "up" : "down";
            System.out.println(way + " to " + goal);
            travelled += goal - floor;
            floor = goal;
            stops++;
        }
        System.out.println("Travelled: " + travelled);
        System.out.println("Stops: " + stops);
        if (stops > 0) {
            System.out.printf("Mean: %.1f%n", (double) travelled / stops);
        }
        System.out.println("Refused: " + refused.size());
    }
}
