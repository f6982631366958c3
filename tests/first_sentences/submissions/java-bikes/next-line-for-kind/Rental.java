import java.util.Map;
import java.util.Scanner;
import java.util.TreeMap;

public class Rental {
	private static final Map<Integer, AbstractBike> BIKES = new TreeMap<>();
	private static final Map<String, Integer> PAID = new TreeMap<>();
	private static int rides, income;

	public static void main(String[] args) {
		try (Scanner sc = new Scanner(System.in)) {
			while (sc.hasNext()) {
				switch (sc.next()) {
					case "add" -> add(sc.nextInt(), sc.nextLine());
					case "rent" -> rent(sc.nextInt(), sc.next(), sc.nextInt());
					case "return" -> giveBack(sc.nextInt(), sc.nextInt());
				}
			}
		}
		print();
	}

	private static void add(int nr, String kind) {
		if (BIKES.containsKey(nr)) {
			System.out.println("bike " + nr + " exists");
			return;
		}
		AbstractBike bike;
		if (kind.equals("city")) {
			bike = new CityBike(nr);
		} else {
			bike = new EBike(nr);
		}
		BIKES.put(nr, bike);
	}

	private static void rent(int nr, String name, int time) {
		AbstractBike bike = BIKES.get(nr);
		if (bike == null) {
			System.out.println("no bike " + nr);
			return;
		}
		if (!bike.free()) {
			System.out.println("bike " + nr + " is rented");
			return;
		}
		bike.start(name, time);
		System.out.println(name + " takes bike " + nr);
	}

	private static void giveBack(int nr, int time) {
		AbstractBike bike = BIKES.get(nr);
		if (bike == null) {
			System.out.println("no bike " + nr);
			return;
		}
		if (bike.free()) {
			System.out.println("bike " + nr + " is free");
			return;
		}
		String name = bike.getTenant();
		int price = bike.stop(time);
		rides++;
		income += price;
		if (PAID.containsKey(name)) {
			PAID.put(name, PAID.get(name) + price);
		} else {
			PAID.put(name, price);
		}
		System.out.println(name + " pays " + toText(price));
	}

	private static void print() {
		System.out.println("Rides: " + rides);
		System.out.println("Income: " + toText(income));
		String best = "nobody";
		int max = -1;
		for (Map.Entry<String, Integer> e : PAID.entrySet()) {
			if (e.getValue() > max) {
				max = e.getValue();
				best = e.getKey() + " " + toText(max);
			}
		}
		System.out.println("Best: " + best);
		StringBuilder out = new StringBuilder();
		for (AbstractBike bike : BIKES.values()) {
			if (!bike.free()) {
				out.append(out.length() > 0 ? ", " : "").append(bike.getNr());
			}
		}
		System.out.println("Out: " + (out.length() == 0 ? "none" : out));
	}

	private static String toText(int cents) {
		int rest = cents % 100;
		return cents / 100 + (rest < 10 ? ".0" : ".") + rest;
	}
}
