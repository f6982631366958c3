public class BankAccount {
    private String owner;
    private double balance;

    public BankAccount(String o) {
        owner = o;
        balance = 0;
    }

    public void deposit(double amount) {
        if (amount > 0) balance += amount;
    }

    public boolean withdraw(double amount) {
        if (amount > 0 && amount <= balance) {
            balance -= amount;
            return true;
        }
        return false;
    }

    // It prints what it should return.
    public void getBalance() {
        System.out.println(balance);
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
