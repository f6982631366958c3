import java.util.*;

public class Rental {
    static class Bike {
        final int id;
        final double price;
        String by;
        int at;

        Bike(int id, double price) {
            this.id = id;
            this.price = price;
        }

        double fee(int until) {
            double quarters = Math.ceil((until - at) / 15.0);
            double fee = quarters * price;
            return fee > 10.0 ? 10.0 : fee;
        }
    }

    private Map<Integer, Bike> bikes = new TreeMap<>();
    private Map<String, Double> sums = new HashMap<>();
    private int count;
    private double income;

    private void add(String[] w) {
        int id = Integer.parseInt(w[1]);
        if (bikes.get(id) != null) {
            System.out.println("bike " + id + " exists");
        } else {
            bikes.put(id, new Bike(id, w[2].equals("electric") ? 0.8 : 0.5));
        }
    }

    private void rent(Bike bike, String name, int time) {
        if (bike.by != null) {
            System.out.println("bike " + bike.id + " is rented");
            return;
        }
        bike.by = name;
        bike.at = time;
        System.out.println(name + " takes bike " + bike.id);
    }

    private void bringBack(Bike bike, int time) {
        if (bike.by == null) {
            System.out.println("bike " + bike.id + " is free");
            return;
        }
        double fee = bike.fee(time);
        System.out.println(String.format("%s pays %d.%02d", bike.by, fee, (fee * 100) % 100));
        sums.put(bike.by, sums.getOrDefault(bike.by, 0.0) + fee);
        count++;
        income += fee;
        bike.by = null;
    }

    private void end() {
        System.out.printf("Rides: %d\nIncome: %.2f\n", count, income);
        List<String> names = new ArrayList<>(sums.keySet());
        names.sort(Comparator.comparing((String n) -> -sums.get(n)).thenComparing(n -> n));
        if (names.isEmpty()) {
            System.out.println("Best: nobody");
        } else {
            System.out.printf("Best: %s %.2f\n", names.get(0), sums.get(names.get(0)));
        }
        List<String> out = new ArrayList<>();
        for (Bike bike : bikes.values()) {
            if (bike.by != null) {
                out.add(String.valueOf(bike.id));
            }
        }
        System.out.println("Out: " + (out.isEmpty() ? "none" : String.join(", ", out)));
    }

    public static void main(String[] args) {
        Rental rental = new Rental();
        Scanner s = new Scanner(System.in);
        while (s.hasNextLine()) {
            String[] w = s.nextLine().trim().split(" ");
            Bike bike = rental.bikes.get(Integer.parseInt(w[1]));
            if (w[0].equals("add")) {
                rental.add(w);
            } else if (bike == null) {
                System.out.println("no bike " + w[1]);
            } else if (w[0].equals("rent")) {
                rental.rent(bike, w[2], Integer.parseInt(w[3]));
            } else if (w[0].equals("return")) {
                rental.bringBack(bike, Integer.parseInt(w[2]));
            }
        }
        rental.end();
    }
}
