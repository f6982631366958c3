import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** What every submission has right; `first` may do harm to the others. */
@TestMethodOrder(MethodOrderer.MethodName.class)
class RightTest {
    @Test void a() {
        assertEquals(6, Sum.first(3));
    }

    @Test void b() {
        assertEquals(15, Sum.total(5));
    }

    @Test void c() {
        assertTrue(Sum.total(10) == 55);
    }
}
