import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Scanner;

public class Jumps {
    public static void main(String[] args) {
        Scanner scanner = new Scanner(System.in);
        List<String> names = new ArrayList<>();
        List<Double> points = new ArrayList<>();
        while (scanner.hasNext()) {
            String name = scanner.next();
            double distance = scanner.nextDouble();
            double[] marks = new double[5];
            for (int i = 0; i < 5; i++) {
                marks[i] = scanner.nextDouble();
            }
            Arrays.sort(marks);
            double result = 60 + (distance - 90) * 2 + marks[1] + marks[2] + marks[3];
            if (result < 0) {
                result = 0;
            }
            names.add(name);
            points.add(result);
            System.out.printf("%s: %.1f%n", name, result);
        }

        for (int i = 0; i < points.size(); i++) {
            for (int j = 0; j < points.size() - 1 - i; j++) {
                if (points.get(j) < points.get(j + 1)) {
                    Double p = points.get(j);
                    points.set(j, points.get(j + 1));
                    points.set(j + 1, p);
                    String n = names.get(j);
                    names.set(j, names.get(j + 1));
                    names.set(j + 1, n);
                }
            }
        }

        int rank = 1;
        for (int i = 0; i < points.size(); i++) {
            if (i > 0 && points.get(i) == points.get(i - 1)) {
                System.out.println(rank + ". " + names.get(i));
            } else {
                rank = i + 1;
                System.out.println(rank + ". " + names.get(i));
            }
        }
        if (points.size() > 1) {
            System.out.printf("Margin: %.1f%n", points.get(0) - points.get(1));
        }
    }
}
