import java.util.*;

public class Rain {
    static List<Double> mm = new ArrayList<>();

    static int nassester() {
        int beste = -1;
        for (int i = 0; i < mm.size(); i++) {
            if (mm.get(i) < 0) continue;
            if (beste == -1 || mm.get(i) >= mm.get(beste)) {
                beste = i;
            }
        }
        return beste;
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        while (in.hasNextDouble()) mm.add(in.nextDouble());
        double summe = 0;
        int n = 0, nass = 0, serie = 0, laengste = 0;
        for (double m : mm) {
            if (m >= 0) {
                n++;
                summe += m;
            }
            if (m > 0) nass++;
            if (m == 0) serie++; else serie = 0;
            laengste = Math.max(laengste, serie);
        }
        if (n == 0) {
            System.out.println("No readings");
            return;
        }
        int w = nassester();
        System.out.println("Readings: " + n);
        System.out.printf("Total: %.1f mm%n", summe);
        System.out.printf("Mean: %.2f mm%n", summe / n);
        System.out.printf("Wettest: day %d (%.1f mm)%n", w + 1, mm.get(w));
        System.out.println("Dry spell: " + laengste + " days");
        System.out.println("Rainy: " + Math.round(100.0 * nass / n) + " %");
    }
}
