import java.util.Scanner;

public class Rain {
    private int day, readings, rainy, spell, longest, wettestDay;
    private double total, wettest = -1;

    void read(Scanner in) {
        double total = 0;
        while (in.hasNextDouble()) {
            double mm = in.nextDouble();
            day++;
            if (mm < 0) {
                spell = 0;
                continue;
            }
            readings++;
            total += mm;
            if (mm > wettest) {
                wettest = mm;
                wettestDay = day;
            }
            if (mm > 0) {
                rainy++;
                spell = 0;
            } else {
                spell++;
                longest = Math.max(longest, spell);
            }
        }
    }

    void print() {
        if (readings == 0) {
            System.out.println("No readings");
            return;
        }
        System.out.println("Readings: " + readings);
        System.out.printf("Total: %.1f mm%n", total);
        System.out.printf("Mean: %.2f mm%n", total / readings);
        System.out.printf("Wettest: day %d (%.1f mm)%n", wettestDay, wettest);
        System.out.println("Dry spell: " + longest + " days");
        System.out.println("Rainy: " + Math.round(100.0 * rainy / readings) + " %");
    }

    public static void main(String[] args) {
        Rain rain = new Rain();
        rain.read(new Scanner(System.in));
        rain.print();
    }
}
