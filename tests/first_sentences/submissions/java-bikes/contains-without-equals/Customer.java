public class Customer {
    private String name;
    private int paid;
    private int rides;

    public Customer(String name) {
        this.name = name;
        this.paid = 0;
        this.rides = 0;
    }

    public String getName() { return this.name; }
    public int getPaid() { return this.paid; }
    public int getRides() { return this.rides; }

    public void pay(int cents) {
        this.paid = this.paid + cents;
        this.rides = this.rides + 1;
    }
}
