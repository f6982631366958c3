import java.util.*;

class Parcel implements Comparable<Parcel> {
    private final String town;
    private final int number;
    private final double weight;

    Parcel(String town, int number, double weight) {
        this.town = town;
        this.number = number;
        this.weight = weight;
    }

    public int compareTo(Parcel other) {
        return Double.compare(weight, other.weight);
    }

    public boolean equals(Object other) {
        return other instanceof Parcel && ((Parcel) other).number == number;
    }

    public String toString() {
        return town + " " + number + ": " + weight + " kg";
    }
}

public class Parcels {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in).useLocale(Locale.US);
        List<Parcel> parcels = new ArrayList<>();
        Set<Parcel> different = new HashSet<>();
        List<Integer> numbers = new ArrayList<>();
        while (in.hasNext()) {
            String town = in.next();
            int number = in.nextInt();
            double weight = in.nextDouble();
            parcels.add(new Parcel(town, number, weight));
            different.add(new Parcel(town, number, weight));
            numbers.add(number);
        }
        Collections.sort(parcels);
        int row = 0;
        for (Parcel parcel : parcels) {
            System.out.println((char) ('A' + row) + " " + parcel);
            row++;
        }
        int again = 0;
        for (int i = 1; i < numbers.size(); i++) {
            if (numbers.get(i).equals(numbers.get(i - 1))) {
                again++;
            }
        }
        System.out.println("Different: " + different.size());
        System.out.println("Twice in a row: " + again);
    }
}
