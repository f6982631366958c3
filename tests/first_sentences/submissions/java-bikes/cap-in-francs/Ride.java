record Ride(String customer, Bike bike, int begin) {
    static final int MAX_PRICE = 10;

    int cents(int end) {
        int quarters = (int) Math.ceil((end - begin) / 15.0);
        return Math.min(MAX_PRICE, quarters * bike.pricePerQuarter());
    }
}
