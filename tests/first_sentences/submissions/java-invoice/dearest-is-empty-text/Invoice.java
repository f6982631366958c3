import java.util.Scanner;

public class Invoice {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        double sum = 0;
        double most = 0;
        String dearest = "";
        int pieces = 0;
        int number = 0;
        while (in.hasNextLine()) {
            String line = in.nextLine().trim();
            number++;
            if (line.isEmpty()) {
                continue;
            }
            String[] parts = line.split(";");
            int count;
            double price;
            try {
                count = Integer.parseInt(parts[1]);
                price = Double.parseDouble(parts[2]);
            } catch (NumberFormatException error) {
                System.err.println("Line " + number + ": not a number");
                System.exit(1);
                return;
            }
            double cost = count * price;
            System.out.printf("%s: %d x %.2f = %.2f%n", parts[0], count, price, cost);
            sum += cost;
            pieces += count;
            if (cost > most) {
                most = cost;
                dearest = parts[0];
            }
        }
        if (dearest == null) {
            System.out.println("Nothing to pay");
            return;
        }
        double discount = 0;
        if (sum >= 100) {
            discount = sum * 0.1;
        }
        System.out.printf("Discount: %.2f%n", discount);
        System.out.printf("Total: %.2f%n", sum - discount);
        System.out.println("Dearest: " + dearest);
        System.out.println("Pieces: " + pieces);
    }
}
