import static org.junit.jupiter.api.Assertions.*;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LockersTest {
    private Lockers lockers;

    @BeforeEach
    void rentSome() {
        lockers = new Lockers(6);
        lockers.rent("Mia");
        lockers.rent("Ben");
        lockers.rent("Mia");
    }

    @Test
    void numbers() {
        assertEquals(4, lockers.rent("Zoe"));
        lockers.give(2, 5);
        assertEquals(2, lockers.rent("Ali"));
    }

    @Test
    void full() {
        assertEquals(4, lockers.rent("a"));
        assertEquals(5, lockers.rent("b"));
        assertEquals(6, lockers.rent("c"));
        assertEquals(0, lockers.rent("d"));
        assertEquals(0, lockers.free());
    }

    @Test
    void fees() {
        assertEquals(0, Lockers.fee(10));
        assertEquals(50, Lockers.fee(11));
        assertEquals(50, Lockers.fee(60));
        assertEquals(100, Lockers.fee(61));
        assertEquals(300, Lockers.fee(600));
    }

    @Test
    void income() {
        assertEquals(100, lockers.give(1, 90));
        assertEquals(50, lockers.give(3, 30));
        assertEquals(150, lockers.income());
        assertEquals(5, lockers.free());
    }

    @Test
    void notRented() {
        assertThrows(IllegalArgumentException.class, () -> lockers.give(5, 10));
        assertThrows(IllegalArgumentException.class, () -> lockers.give(7, 10));
    }

    @Test
    void names() {
        assertEquals(List.of("Ben", "Mia"), lockers.names());
    }

    @Test
    void row() {
        assertEquals(3, lockers.longestFreeRow());
        lockers.rent("Zoe");
        lockers.give(1, 1);
        lockers.give(2, 1);
        lockers.rent("Zoe");
        assertEquals(2, lockers.longestFreeRow());
    }
}
