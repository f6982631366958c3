import java.io.File;
import java.io.FileNotFoundException;
import java.util.Locale;
import java.util.Scanner;

public class Marks {
    public double average(int sum, int n) {
        return (double) sum / n;
    }

    public static void main(String[] args) {
        if (args.length != 1) {
            System.err.println("Usage: java Marks FILE");
            System.exit(1);
        }
        Scanner in = null;
        try {
            in = new Scanner(new File(args[0]));
        } catch (FileNotFoundException e) {
            System.err.println("Cannot read " + args[0]);
            System.exit(2);
        }
        int students = 0;
        int sum = 0;
        int passed = 0;
        int max = -1;
        String best = "";
        while (in.hasNext()) {
            String name = in.next();
            int mark = in.nextInt();
            students++;
            sum += mark;
            if (mark >= 50) {
                passed++;
            }
            if (mark > max) {
                max = mark;
                best = name;
            }
        }
        if (students == 0) {
            System.out.println("No marks");
            return;
        }
        double average = average(sum, students);
        System.out.println("Students: " + students);
        System.out.println("Best: " + best + " (" + max + ")");
        System.out.println("Average: " + String.format(Locale.US, "%.2f", average));
        System.out.println("Passed: " + passed);
    }
}
