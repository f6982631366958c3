import java.util.Scanner;

public class Rain {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int day = 0, readings = 0, rainy = 0, spell = 0, longest = 0, wettestDay = 0;
        double total = 0, wettest = -1;
        while (in.hasNextDouble()) {
            double mm = in.nextDouble();
            day++;
            if (mm == 0) {
                spell++;
            } else {
                if (spell > longest) {
                    longest = spell;
                }
                spell = 0;
            }
            if (mm < 0) {
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
            }
        }
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
}
