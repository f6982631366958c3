import java.util.*;

public class Boxes {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int box = 1;
        int weight = 0;
        int count = 0;
        int fragile = 0;
        int heaviest = 0;
        int heaviestBox = 0;
        List<String> lines = new ArrayList<>();
        while (in.hasNext()) {
            String name = in.next();
            int grams = in.nextInt();
            if (weight + grams > 1000) {
                System.out.printf("Box %d: %d things, %d g%n", box, count, weight);
                if (weight > heaviest) {
                    heaviest = weight;
                    heaviestBox = box;
                }
                box++;
                weight = 0;
                count = 0;
            }
            weight += grams;
            count++;
            if (name.endsWith("!")) {
                fragile++;
            }
        }
        if (count > 0) {
            System.out.printf("Box %d: %d things, %d g%n", box, count, weight);
            if (weight > heaviest) {
                heaviest = weight;
                heaviestBox = box;
            }
        }
        System.out.println("Boxes: " + (count > 0 ? box : 0));
        System.out.println("Fragile: " + fragile);
        if (heaviestBox > 0) {
            System.out.println("Heaviest: " + heaviest);
        }
    }
}
