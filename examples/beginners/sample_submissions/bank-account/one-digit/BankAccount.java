public class BankAccount {
    private String owner;
    private double balance;

    public BankAccount(String owner) {
        this.owner = owner;
        this.balance = 0.0;
    }

    public void deposit(double amount) {
        if (amount <= 0) return;
        this.balance += amount;
    }

    public boolean withdraw(double amount) {
        if (amount <= 0) return false;
        if (this.balance < amount) return false;
        this.balance -= amount;
        return true;
    }

    public double getbalance() {
        return this.balance;
    }

    public boolean transfer(BankAccount other, double amount) {
        if (this.withdraw(amount) == true) {
            other.deposit(amount);
            return true;
        } else {
            return false;
        }
    }

    // Java's own way to write the number, and a small letter in the name above.
    public String toString() {
        return owner + ": " + balance;
    }
}
