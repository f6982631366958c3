public class BankAccount {
    String owner;
    double balance = 0;

    BankAccount(String owner) {
        this.owner = owner;
    }

    void deposit(double amount) {
        if (amount > 0) {
            balance = balance + amount;
        }
    }

    // There is no look at whether that much is there.
    boolean withdraw(double amount) {
        if (amount > 0) {
            balance = balance - amount;
            return true;
        } else {
            return false;
        }
    }

    double getBalance() {
        return balance;
    }

    boolean transfer(BankAccount other, double amount) {
        boolean done = withdraw(amount);
        if (done) {
            other.deposit(amount);
        }
        return done;
    }

    public String toString() {
        return owner + ": " + String.format("%.2f", balance);
    }
}
