import java.util.Locale;

public class Savings {
    static double interest(double balance, double monthly, double rate) {
        double half = 0.5 * 12 * monthly;
        return (balance + half) * rate / 100;
    }

    static int yearsToDouble(double start, double rate) {
        int years = 0;
        double balance = start;
        while (balance < 2 * start) {
            balance = balance * (1 + rate / 100);
            years++;
        }
        return years;
    }

    public static void main(String[] args) {
        double start = Double.parseDouble(args[0]);
        double monthly = Double.parseDouble(args[1]);
        double rate = Double.parseDouble(args[2]);
        int years = Integer.parseInt(args[3]);

        double balance = start;
        double total = 0;
        for (int year = 1; year <= years; year++) {
            double interest = interest(balance, monthly, rate);
            balance += 12 * monthly + interest;
            total += interest;
            System.out.println(String.format(Locale.US, "Year %d: interest %.2f, balance %.2f", year, interest, balance));
        }
        System.out.println(String.format(Locale.US, "Interest: %.2f", total));
        int doubled = yearsToDouble(start, rate);
        if (doubled < 0) {
            System.out.println("Doubled: never");
        } else {
            System.out.println("Doubled: after " + doubled + " years");
        }
    }
}
