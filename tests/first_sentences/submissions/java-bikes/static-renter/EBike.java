public class EBike extends AbstractBike {
	EBike(int nr) { super(nr); }

	@Override
	int quarterPrice() { return 80; }
}
