public class Bike {
    protected int number;
    private String renter;
    private int start;

    public Bike(int number) {
        this.number = number;
        this.renter = null;
    }

    public int getNumber() {
        return number;
    }

    public boolean isRented() {
        return renter != null;
    }

    public String getRenter() {
        return renter;
    }

    public void rent(String name, int minute) {
        renter = name;
        start = minute;
    }

    /** Ends the ride and returns its price in cents. */
    public int giveBack(int minute) {
        int cents = price(minute - start);
        renter = null;
        return cents;
    }

    public int price(int minutes) {
        int quarters = (minutes + 14) / 15;
        return Math.min(quarters * 50, 1000);
    }
}
