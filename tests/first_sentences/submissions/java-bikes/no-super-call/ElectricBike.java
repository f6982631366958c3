public class ElectricBike extends Bike {

    public ElectricBike(int number) {
        this.number = number;
    }

    @Override
    public int price(int minutes) {
        int price = (minutes + 14) / 15 * 80;
        if (price > 1000) {
            price = 1000;
        }
        return price;
    }
}
