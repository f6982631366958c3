import java.util.ArrayList;
import java.util.List;

public class Account {
    private final String owner;
    private int balance;
    private final List<String> history = new ArrayList<>();

    public Account(String owner, int cents) {
        this.owner = owner;
        this.balance = cents;
    }

    public String getOwner() {
        return owner;
    }

    public int getBalance() {
        return balance;
    }

    public void deposit(int cents) {
        if (cents <= 0) {
            throw new IllegalArgumentException("Not above 0: " + cents);
        }
        balance += cents;
        history.add("+" + cents);
    }

    public boolean withdraw(int cents) {
        if (cents > balance) {
            return false;
        }
        balance -= cents;
        history.add("-" + cents);
        return true;
    }

    public void addInterest(int percent) {
        int interest = balance * percent / 100;
        balance += interest;
        history.add("+" + interest);
    }

    public List<String> history() {
        return new ArrayList<>(history);
    }
}
