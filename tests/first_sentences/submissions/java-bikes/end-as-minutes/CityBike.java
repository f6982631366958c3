public class CityBike extends AbstractBike {
	CityBike(int nr) { super(nr); }

	@Override
	int quarterPrice() { return 50; }
}
