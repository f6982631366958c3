import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;

public class Rain {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        List<Double> list = new ArrayList<>();
        while (in.hasNext()) {
            list.add(Double.valueOf(in.next()));
        }
        double maximum = Double.MIN_VALUE;
        int maxDay = 0;
        int count = 0, wet = 0, dry = 0, best = 0;
        double sum = 0;
        for (int d = 1; d <= list.size(); d++) {
            double value = list.get(d - 1);
            if (value >= 0) {
                count++;
                sum += value;
                if (value > maximum) {
                    maximum = value;
                    maxDay = d;
                }
            }
            if (value == 0) {
                dry++;
                best = Math.max(best, dry);
            } else {
                dry = 0;
                if (value > 0) wet++;
            }
        }
        if (count == 0) {
            System.out.println("No readings");
            return;
        }
        System.out.println("Readings: " + count);
        System.out.println(String.format("Total: %.1f mm", sum));
        System.out.println(String.format("Mean: %.2f mm", sum / count));
        System.out.println(String.format("Wettest: day %d (%.1f mm)", maxDay, maximum));
        System.out.println("Dry spell: " + best + " days");
        System.out.println("Rainy: " + Math.round(wet * 100.0 / count) + " %");
    }
}
