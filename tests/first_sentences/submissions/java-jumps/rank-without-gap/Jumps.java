import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;

public class Jumps {
    static class Jumper {
        String name;
        double points;

        Jumper(String name, double points) {
            this.name = name;
            this.points = points;
        }
    }

    static double pointsOf(String[] parts) {
        double distance = Double.parseDouble(parts[1]);
        double sum = 0;
        double lowest = 100;
        double highest = 0;
        for (int i = 2; i < parts.length; i++) {
            double mark = Double.parseDouble(parts[i]);
            sum += mark;
            if (mark < lowest) {
                lowest = mark;
            }
            if (mark > highest) {
                highest = mark;
            }
        }
        double points = 60 + (distance - 90) * 2 + sum - lowest - highest;
        return Math.max(points, 0);
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        List<Jumper> jumpers = new ArrayList<>();
        while (in.hasNextLine()) {
            String[] parts = in.nextLine().split(" ");
            jumpers.add(new Jumper(parts[0], pointsOf(parts)));
        }
        for (Jumper jumper : jumpers) {
            System.out.printf("%s: %.1f%n", jumper.name, jumper.points);
        }
        jumpers.sort((a, b) -> Double.compare(b.points, a.points));
        int rank = 1;
        for (int i = 0; i < jumpers.size(); i++) {
            if (i > 0 && jumpers.get(i).points < jumpers.get(i - 1).points) {
                rank++;
            }
            System.out.println(rank + ". " + jumpers.get(i).name);
        }
        if (jumpers.size() > 1) {
            System.out.printf("Margin: %.1f%n", jumpers.get(0).points - jumpers.get(1).points);
        }
    }
}
