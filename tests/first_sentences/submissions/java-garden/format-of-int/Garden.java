import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Scanner;

class Plant {
    private String name;
    private int every;
    private int dose;

    Plant(String name, int every, int dose) {
        this.name = name;
        this.every = every;
        this.dose = dose;
    }

    String getName() {
        return name;
    }

    int times(int days) {
        return days / every;
    }

    int water(int days) {
        return times(days) * dose;
    }
}

public class Garden {
    private static List<Plant> plants = new ArrayList<>();

    static Plant find(String name) {
        for (Plant plant : plants) {
            if (plant.getName().equals(name)) {
                return plant;
            }
        }
        return null;
    }

    static void plant(String name, int every, int dose) {
        Plant old = find(name);
        if (old != null) {
            plants.remove(old);
        }
        plants.add(new Plant(name, every, dose));
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int days = Integer.parseInt(in.nextLine());
        while (in.hasNextLine()) {
            String line = in.nextLine();
            String[] parts = line.split(", ");
            plant(parts[0], Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
        }
        plants.sort(Comparator.comparing(Plant::getName));
        int total = 0;
        Plant thirstiest = null;
        for (Plant plant : plants) {
            int water = plant.water(days);
            System.out.println(plant.getName() + ": " + plant.times(days) + " times, " + water + " ml");
            total += water;
            if (thirstiest == null || water > thirstiest.water(days)) {
                thirstiest = plant;
            }
        }
        System.out.printf("Total: %.1f l%n", total / 1000);
        if (thirstiest != null) {
            System.out.println("Thirstiest: " + thirstiest.getName());
        }
    }
}
