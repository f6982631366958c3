import org.junit.jupiter.api.*;

class OffTest {
    @Test void on() { Assertions.assertEquals("a", Echo.of("a")); }
    @Disabled("later") @Test void off() { Assertions.fail(); }
}
