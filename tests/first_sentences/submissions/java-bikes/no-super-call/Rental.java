import java.util.Scanner;

public class Rental {
    public static void main(String[] args) {
        Scanner scanner = new Scanner(System.in);
        Station station = new Station();
        while (scanner.hasNextLine()) {
            String[] words = scanner.nextLine().split(" ");
            int number = Integer.parseInt(words[1]);
            switch (words[0]) {
                case "add":
                    if (words[2].equals("electric")) {
                        station.add(new ElectricBike(number));
                    } else {
                        station.add(new Bike(number));
                    }
                    break;
                case "rent":
                    station.rent(number, words[2], Integer.parseInt(words[3]));
                    break;
                case "return":
                    station.giveBack(number, Integer.parseInt(words[2]));
                    break;
            }
        }
        station.report();
    }
}
