import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;

public class Statement {
    static String money(long cents) {
        return String.format("%.2f", cents / 100.0);
    }

    static void printMonth(String month, long in, long out, long balance) {
        System.out.println(month + ": in " + money(in) + ", out " + money(out) + ", balance " + money(balance));
    }

    public static void main(String[] args) {
        Scanner scanner = new Scanner(System.in);
        List<String> expenses = new ArrayList<>();
        String lastMonth = "";
        long in = 0;
        long out = 0;
        long balance = 0;
        long allOut = 0;
        int below = 0;
        long largest = 0;
        String largestText = "none";
        while (scanner.hasNextLine()) {
            String line = scanner.nextLine();
            String[] parts = line.split(";");
            String month = parts[0].substring(0, 7);
            long cents = Math.round(Double.parseDouble(parts[2]) * 100);
            if (!month.equals(lastMonth)) {
                if (!lastMonth.isEmpty()) {
                    printMonth(lastMonth, in, out, balance);
                }
                lastMonth = month;
                in = 0;
            }
            balance += cents;
            if (cents >= 0) {
                in += cents;
            } else {
                out -= cents;
                allOut -= cents;
                expenses.add(parts[1]);
                if (-cents > largest) {
                    largest = -cents;
                    largestText = parts[1] + " " + money(largest) + " on " + parts[0];
                }
            }
            if (balance < 0) {
                below++;
            }
        }
        if (!lastMonth.isEmpty()) {
            printMonth(lastMonth, in, out, balance);
        }
        System.out.println("Largest expense: " + largestText);
        System.out.println("Below zero: " + below);
        if (!expenses.isEmpty()) {
            System.out.println("Mean expense: " + money(Math.round((double) allOut / expenses.size())));
        }
    }
}
