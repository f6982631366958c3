import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

public class Bank {
    private final List<Account> accounts = new ArrayList<>();

    public Account open(String owner, int cents) {
        Account account = new Account(owner, cents);
        accounts.add(account);
        return account;
    }

    public Account find(String owner) {
        for (Account account : accounts) {
            if (account.getOwner().equals(owner)) {
                return account;
            }
        }
        return null;
    }

    public boolean transfer(String from, String to, int cents) {
        Account source = find(from);
        Account target = find(to);
        if (source == null || target == null || !source.withdraw(cents)) {
            return false;
        }
        target.deposit(cents);
        return true;
    }

    public int total() {
        int sum = 0;
        for (Account account : accounts) {
            sum += account.getBalance();
        }
        return sum;
    }

    public List<String> owners() {
        List<String> names = new ArrayList<>();
        for (Account account : accounts) {
            names.add(account.getOwner());
        }
        Collections.sort(names);
        return names;
    }

    public Account richest() {
        Account richest = null;
        for (Account account : accounts) {
            if (richest == null || account.getBalance() > richest.getBalance()) {
                richest = account;
            }
        }
        return richest;
    }

    public int closeEmpty() {
        int before = accounts.size();
        accounts.removeIf(account -> account.getBalance() == 0);
        return before - accounts.size();
    }
}
