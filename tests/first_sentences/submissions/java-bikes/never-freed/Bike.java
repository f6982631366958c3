public class Bike {
    protected int number;
    private String customer;
    private int start;

    public Bike(int number) {
        this.number = number;
        this.customer = null;
    }

    public int getNumber() {
        return number;
    }

    public boolean isTaken() {
        return customer != null;
    }

    public String getCustomer() {
        return customer;
    }

    public void rent(String name, int minute) {
        customer = name;
        start = minute;
    }

    /** Ends the ride and returns its price in cents. */
    public int giveBack(int minute) {
        return price(minute - start);
    }

    public int price(int minutes) {
        int quarters = (minutes + 14) / 15;
        return Math.min(quarters * 50, 1000);
    }
}
