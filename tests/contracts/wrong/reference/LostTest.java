import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

class LostTest {
    @Test void on() { Assertions.assertThat(Echo.of("a")).isEqualTo("a"); }
}
