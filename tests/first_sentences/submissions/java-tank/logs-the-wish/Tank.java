import java.util.ArrayList;
import java.util.List;

public class Tank {
    private int capacity;
    private int level;
    private int peak;
    private List<String> log = new ArrayList<>();

    public Tank(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity");
        }
        this.capacity = capacity;
    }

    public int fill(int litres) {
        int room = Math.min(litres, capacity - level);
        level += room;
        peak = Math.max(peak, level);
        log.add("+" + litres);
        return litres - room;
    }

    public int drain(int litres) {
        int out = Math.min(litres, level);
        level -= out;
        log.add("-" + out);
        return out;
    }

    public int level() {
        return level;
    }

    public double percent() {
        return 100.0 * level / capacity;
    }

    public List<String> log() {
        return log;
    }

    public int peak() {
        return peak;
    }
}
