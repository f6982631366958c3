import java.util.Scanner;

public class Rain {
    static int rainy;
    static int readings;

    static long percent() {
        double share = rainy / readings;
        return Math.round(share * 100);
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int day = 0, spell = 0, longest = 0, wettestDay = 0;
        double total = 0, wettest = -1;
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
        if (readings == 0) {
            System.out.println("No readings");
            return;
        }
        System.out.println("Readings: " + readings);
        System.out.printf("Total: %.1f mm%n", total);
        System.out.printf("Mean: %.2f mm%n", total / readings);
        System.out.printf("Wettest: day %d (%.1f mm)%n", wettestDay, wettest);
        System.out.println("Dry spell: " + longest + " days");
        System.out.println("Rainy: " + percent() + " %");
    }
}
