class Account {
    private double money;

    Account(double money) {
        this.money = money;
    }

    void deposit(double amount) {
        if (amount <= 0) {
            throw new IllegalArgumentException("deposit something");
        }
        money += amount;
    }

    void withdraw(double amount) {
        money -= amount;
    }

    double balance() {
        return money;
    }
}
