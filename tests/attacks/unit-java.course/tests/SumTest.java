import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SumTest {
    private Sum four;

    @BeforeEach void setUp() { four = new Sum(4); }

    @Test void value() {
        assertEquals(10, four.value(), "the sum");
    }

    @ParameterizedTest @ValueSource(ints = {2, 6})
    void many(int number) {
        Sum sum = new Sum(number);
        assertEquals(number * (number + 1) / 2, sum.value());
    }

    @Test void letters() {
        assertEquals('A' + 0, four.letter());
        assertEquals(four.share(), 0.1f, 0.001f);
    }

    @Test void equal() {
        assertEquals(new Sum(4), four);
    }

    @Test void refuses() {
        IllegalArgumentException error = assertThrows(IllegalArgumentException.class, () -> new Sum(-1));
        assertTrue(error.getMessage().contains("negative"));
    }
}
