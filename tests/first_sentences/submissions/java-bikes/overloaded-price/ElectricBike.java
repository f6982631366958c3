public class ElectricBike extends Bike {

    public ElectricBike(int number) {
        super(number);
    }

    public int price(double minutes) {
        int quarters = (int) Math.ceil(minutes / 15);
        return Math.min(quarters * 80, 1000);
    }
}
