import static org.junit.jupiter.api.Assertions.*;

import java.util.List;
import org.junit.jupiter.api.Test;

class TankTest {
    private Tank filled(int... litres) {
        Tank tank = new Tank(80);
        for (int some : litres) {
            tank.fill(some);
        }
        return tank;
    }

    @Test
    void runsOver() {
        assertEquals(0, filled(50).fill(30));
        assertEquals(15, filled(50).fill(45));
        assertEquals(80, filled(50, 45).level());
    }

    @Test
    void drains() {
        Tank tank = filled(20);
        assertEquals(5, tank.drain(5));
        assertEquals(15, tank.drain(40));
        assertEquals(0, tank.level());
    }

    @Test
    void percent() {
        assertEquals(37.5, filled(30).percent(), 0.001);
    }

    @Test
    void peak() {
        Tank tank = filled(60);
        tank.drain(50);
        tank.fill(20);
        assertEquals(60, tank.peak());
    }

    @Test
    void log() {
        Tank tank = filled(30, 60);
        tank.drain(5);
        assertEquals(List.of("+30", "+50", "-5"), tank.log());
    }

    @Test
    void capacity() {
        assertThrows(IllegalArgumentException.class, () -> new Tank(0));
    }
}
