import java.util.Locale;
import java.util.Scanner;

public class Bank {
    static class Account {
        private double balance = 0;

        void deposit(double amount) {
            balance += amount;
        }

        boolean withdraw(double amount) {
            if (amount > balance) {
                return false;
            }
            balance -= amount;
            return true;
        }

        double getBalance() {
            return balance;
        }
    }

    static Account account;

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        while (in.hasNext()) {
            String command = in.next();
            if (command.equals("deposit")) {
                account.deposit(Double.parseDouble(in.next()));
            } else if (command.equals("withdraw")) {
                double amount = Double.parseDouble(in.next());
                if (!account.withdraw(amount)) {
                    System.out.println("Not enough money");
                }
            } else if (command.equals("balance")) {
                System.out.printf(Locale.US, "Balance: %.2f%n", account.getBalance());
            } else if (command.equals("quit")) {
                return;
            } else {
                System.out.println("Unknown command");
            }
        }
    }
}
