record Bike(int number, boolean electric) {
    int pricePerQuarter() {
        return electric ? 80 : 50;
    }
}
