import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

class EchoTest {
    @Test void says() { assertEquals("a", new Echo().say("a")); }
}
