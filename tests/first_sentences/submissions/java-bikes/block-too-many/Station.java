import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

public class Station {
    private final Map<Integer, Bike> bikes = new HashMap<>();
    private final Map<String, Integer> paid = new TreeMap<>();
    private int rides = 0;
    private int income = 0;

    public void add(Bike bike) {
        if (bikes.containsKey(bike.getNumber())) {
            System.out.println("bike " + bike.getNumber() + " exists");
        } else {
            bikes.put(bike.getNumber(), bike);
        }
    }

    public void rent(int number, String name, int minute) {
        Bike bike = bikes.get(number);
        if (bike == null) {
            System.out.println("no bike " + number);
        } else if (bike.isRented()) {
            System.out.println("bike " + number + " is rented");
        } else {
            bike.rent(name, minute);
            System.out.println(name + " takes bike " + number);
        }
    }

    public void giveBack(int number, int minute) {
        Bike bike = bikes.get(number);
        if (bike == null) {
            System.out.println("no bike " + number);
        } else if (!bike.isRented()) {
            System.out.println("bike " + number + " is free");
        } else {
            String name = bike.getRenter();
            int cents = bike.giveBack(minute);
            rides++;
            income += cents;
            paid.put(name, paid.getOrDefault(name, 0) + cents);
            System.out.println(name + " pays " + money(cents));
        }
    }

    public void report() {
        System.out.println("Rides: " + rides);
        System.out.println("Income: " + money(income));
        String best = null;
        for (String name : paid.keySet()) {
            if (best == null || paid.get(name) > paid.get(best)) {
                best = name;
            }
        }
        System.out.println("Best: " + (best == null ? "nobody" : best + " " + money(paid.get(best))));
        List<Integer> out = new ArrayList<>();
        for (Bike bike : bikes.values()) {
            if (bike.isRented()) {
                out.add(bike.getNumber());
            }
        }
        Collections.sort(out);
        String text = "";
        for (int number : out) {
            if (!text.isEmpty()) {
                text += ", ";
            }
            text += number;
        }
        System.out.println("Out: " + (text.isEmpty() ? "none" : text));
    }

    private static String money(int cents) {
        return String.format("%d.%02d", cents / 100, cents % 100);
    }
}
