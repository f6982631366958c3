import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Scanner;

public class Zoo {
    void show(Animal animal) {
        System.out.println(animal);
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        List<Animal> animals = new ArrayList<>();
        while (in.hasNextLine()) {
            String line = in.nextLine();
            line = line.trim();
            String[] parts = line.split("\\.");
            int grams = Integer.parseInt(parts[2]);
            if (parts[0].equals("bird")) {
                animals.add(new Bird(parts[1], grams));
            } else {
                animals.add(new Animal(parts[0], parts[1], grams));
            }
        }
        Map<String, Integer> kinds = new LinkedHashMap<>();
        String[] names = new String[animals.size()];
        int food = 0;
        for (int i = 0; i < animals.size(); i++) {
            Animal animal = animals.get(i);
            show(animal);
            kinds.put(animal.getKind(), kinds.getOrDefault(animal.getKind(), 0) + 1);
            names[i] = animal.getName();
            food += animal.food();
        }
        for (String kind : kinds.keySet()) {
            System.out.println(kind + ": " + kinds.get(kind));
        }
        System.out.println("Names: " + Arrays.toString(names));
        System.out.println("Food: " + food);
    }
}
