import java.util.ArrayList;
import java.util.Scanner;

public class Rental {
    static ArrayList<Bike> bikes = new ArrayList<>();
    static ArrayList<Customer> customers = new ArrayList<>();

    static Bike findBike(int id) {
        for (int i = 0; i < bikes.size(); i++) {
            if (bikes.get(i).getId() == id) {
                return bikes.get(i);
            }
        }
        return null;
    }

    static Customer findCustomer(String name) {
        for (int i = 0; i < customers.size(); i++) {
            if (customers.get(i).getName().equals(name)) {
                return customers.get(i);
            }
        }
        Customer newCustomer = new Customer(name);
        customers.add(newCustomer);
        return newCustomer;
    }

    static int calculatePrice(String type, int minutes) {
        int quarters = minutes / 15;
        if (quarters * 15 < minutes) {
            quarters = quarters + 1;
        }
        int price;
        if (type.equals("electric")) {
            price = quarters * 80;
        } else {
            price = quarters * 50;
        }
        if (price > 1000) {
            return 1000;
        } else {
            return price;
        }
    }

    static String centsToString(int cents) {
        String result = "" + cents % 100;
        if (result.length() == 1) {
            result = "0" + result;
        }
        return cents / 100 + "." + result;
    }

    public static void main(String[] args) {
        Scanner scanner = new Scanner(System.in);
        while (scanner.hasNextLine()) {
            String line = scanner.nextLine();
            String[] parts = line.split(" ");
            int id = Integer.parseInt(parts[1]);
            Bike bike = findBike(id);

            if (parts[0].equals("add")) {
                Bike newBike = new Bike(id, parts[2]);
                if (bikes.contains(newBike)) {
                    System.out.println("bike " + id + " exists");
                } else {
                    bikes.add(newBike);
                }
            } else if (bike == null) {
                System.out.println("no bike " + id);
            } else if (parts[0].equals("rent")) {
                if (bike.isRented()) {
                    System.out.println("bike " + id + " is rented");
                } else {
                    bike.startRide(findCustomer(parts[2]), Integer.parseInt(parts[3]));
                    System.out.println(parts[2] + " takes bike " + id);
                }
            } else {
                if (!bike.isRented()) {
                    System.out.println("bike " + id + " is free");
                } else {
                    int minutes = Integer.parseInt(parts[2]) - bike.getStartTime();
                    int price = calculatePrice(bike.getType(), minutes);
                    bike.getCustomer().pay(price);
                    bike.endRide();
                    System.out.println(bike.getCustomer().getName() + " pays " + centsToString(price));
                }
            }
        }

        int rides = 0;
        int income = 0;
        Customer best = null;
        for (Customer c : customers) {
            rides = rides + c.getRides();
            income = income + c.getPaid();
            if (c.getRides() > 0) {
                if (best == null || c.getPaid() > best.getPaid()) {
                    best = c;
                } else if (c.getPaid() == best.getPaid() && c.getName().compareTo(best.getName()) < 0) {
                    best = c;
                }
            }
        }
        System.out.println("Rides: " + rides);
        System.out.println("Income: " + centsToString(income));
        if (best == null) {
            System.out.println("Best: nobody");
        } else {
            System.out.println("Best: " + best.getName() + " " + centsToString(best.getPaid()));
        }

        ArrayList<Integer> out = new ArrayList<>();
        for (Bike b : bikes) {
            if (b.isRented()) {
                out.add(b.getId());
            }
        }
        out.sort(null);
        if (out.size() == 0) {
            System.out.println("Out: none");
        } else {
            String s = "" + out.get(0);
            for (int i = 1; i < out.size(); i++) {
                s = s + ", " + out.get(i);
            }
            System.out.println("Out: " + s);
        }
    }
}
