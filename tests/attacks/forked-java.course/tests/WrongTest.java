import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** What no attacker can do, behind a method that each has right. */
@TestMethodOrder(MethodOrderer.MethodName.class)
class WrongTest {
    @Test void a() {
        assertEquals(10, Sum.first(4));
    }

    @Test void b() {
        assertEquals(21, Sum.guess(6));
    }

    @Test void c() {
        assertThrows(IllegalArgumentException.class, () -> Sum.guess(-1));
    }
}
