package grader;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that use what most tests use, so that those classes get into an archive. No student's code is near. */
@DisplayName("what most tests use")
class Warmup {

    private int number;

    @BeforeEach
    void set() {
        number = 2;
    }

    @AfterEach
    void unset() {
        number = 0;
    }

    @Test
    void passes() {
        assertEquals(2, number);
        assertEquals(2.0, number, 0.1);
        assertEquals("2", String.valueOf(number));
        assertEquals(List.of(2), List.of(number));
        assertTrue(number == 2);
        assertFalse(number == 3, "with a message");
        assertNull(null);
        assertNotNull(this);
        assertSame(this, this);
        assertArrayEquals(new int[] {2}, new int[] {number});
        assertThrows(IllegalStateException.class, () -> {
            throw new IllegalStateException();
        });
        assertAll(() -> assertTrue(true));
        assertTimeout(Duration.ofSeconds(9), () -> number);
    }

    @Test
    void fails() {
        assertEquals(3, number);
    }

    @Test
    void crashes() {
        throw new IllegalStateException("4711");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void varies(int given) {
        assertTrue(given > 0);
    }

    @ParameterizedTest
    @CsvSource({"1, one", "2, two"})
    void reads(int given, String name) {
        assertEquals(3, name.length() + given - given);
    }

    @Nested
    class Inner {

        @Test
        void passes() {
            assertEquals(2, number);
        }
    }
}
