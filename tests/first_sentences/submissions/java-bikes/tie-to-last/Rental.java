import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

public class Rental {
  private final Map<Integer, Bike> bikes = new HashMap<>();
  private final Map<Integer, Ride> open = new TreeMap<>();
  private final Map<String, Integer> totals = new TreeMap<>();
  private int ended = 0;

  void execute(String line) {
    String[] parts = line.split("\\s+");
    int number = Integer.parseInt(parts[1]);
    if (parts[0].equals("add")) {
      if (bikes.containsKey(number)) {
        System.out.printf("bike %d exists%n", number);
      } else {
        bikes.put(number, new Bike(number, parts[2].equals("electric")));
      }
      return;
    }
    if (!bikes.containsKey(number)) {
      System.out.printf("no bike %d%n", number);
      return;
    }
    if (parts[0].equals("rent")) {
      if (open.containsKey(number)) {
        System.out.printf("bike %d is rented%n", number);
      } else {
        open.put(number, new Ride(parts[2], bikes.get(number), Integer.parseInt(parts[3])));
        System.out.printf("%s takes bike %d%n", parts[2], number);
      }
    } else {
      Ride ride = open.remove(number);
      if (ride == null) {
        System.out.printf("bike %d is free%n", number);
      } else {
        int cents = ride.cents(Integer.parseInt(parts[2]));
        ended++;
        totals.merge(ride.customer(), cents, Integer::sum);
        System.out.printf("%s pays %s%n", ride.customer(), format(cents));
      }
    }
  }

  static String format(int cents) {
    return cents / 100 + "." + String.format("%02d", cents % 100);
  }

  String best() {
    String winner = "nobody";
    int highest = 0;
    for (String customer : totals.keySet()) {
      int amount = totals.get(customer);
      if (amount >= highest) {
        highest = amount;
        winner = customer;
      }
    }
    return totals.isEmpty() ? winner : winner + " " + format(highest);
  }

  void summary() {
    int income = totals.values().stream().mapToInt(Integer::intValue).sum();
    System.out.println("Rides: " + ended);
    System.out.println("Income: " + format(income));
    System.out.println("Best: " + best());
    String out = open.keySet().stream().map(String::valueOf).collect(Collectors.joining(", "));
    System.out.println("Out: " + (out.isEmpty() ? "none" : out));
  }

  public static void main(String[] args) throws IOException {
    Rental rental = new Rental();
    BufferedReader reader = new BufferedReader(new InputStreamReader(System.in));
    String line;
    while ((line = reader.readLine()) != null) {
      rental.execute(line);
    }
    rental.summary();
  }
}
