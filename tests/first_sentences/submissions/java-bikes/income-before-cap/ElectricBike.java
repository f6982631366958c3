public class ElectricBike extends Bike {

    public ElectricBike(int number) {
        super(number);
    }

    @Override
    public int price(int minutes) {
        int quarters = (minutes + 14) / 15;
        return quarters * 80;
    }
}
