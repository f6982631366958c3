public class ElectricBike extends Bike {

    public ElectricBike(int number) {
        super(number);
    }

    @Override
    public int price(int minutes) {
        int blocks = minutes / 15 + 1;
        int cents = blocks * 80;
        return cents > 1000 ? 1000 : cents;
    }
}
