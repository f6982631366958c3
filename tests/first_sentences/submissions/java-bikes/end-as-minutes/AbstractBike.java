public abstract class AbstractBike {
	private final int nr;
	private String tenant;
	private int from;

	protected AbstractBike(int nr) {
		this.nr = nr;
	}

	abstract int quarterPrice();

	int getNr() { return nr; }

	String getTenant() { return tenant; }

	boolean free() { return tenant == null; }

	void start(String name, int time) {
		tenant = name;
		from = time;
	}

	int stop(int time) {
		int quarters = (time + 14) / 15;
		int price = quarters * quarterPrice();
		tenant = null;
		return Math.min(price, 1000);
	}
}
