public class BankAccount {
    private static String owner;
    private static double balance;

    public BankAccount(String owner) {
        BankAccount.owner = owner;
    }

    public void deposit(double amount) {
        if (amount > 0) {
            balance += amount;
        }
    }

    public boolean withdraw(double amount) {
        if (amount <= 0 || amount > balance) {
            return false;
        }
        balance -= amount;
        return true;
    }

    public double getBalance() {
        return balance;
    }

    public boolean transfer(BankAccount other, double amount) {
        if (withdraw(amount)) {
            other.deposit(amount);
            return true;
        }
        return false;
    }

    public String toString() {
        return String.format("%s: %.2f", owner, balance);
    }
}
