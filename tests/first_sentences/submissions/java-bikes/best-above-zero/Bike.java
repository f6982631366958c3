public class Bike {
    private int id;
    private String type;
    private boolean rented;
    private Customer customer;
    private int startTime;

    public Bike(int id, String type) {
        this.id = id;
        this.type = type;
        this.rented = false;
    }

    public int getId() { return this.id; }
    public String getType() { return this.type; }
    public boolean isRented() { return this.rented; }
    public Customer getCustomer() { return this.customer; }
    public int getStartTime() { return this.startTime; }

    public void startRide(Customer customer, int time) {
        this.customer = customer;
        this.startTime = time;
        this.rented = true;
    }

    public void endRide() {
        this.rented = false;
    }
}
