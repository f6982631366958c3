import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.*;
import static org.junit.jupiter.api.Assertions.assertEquals;

class NoValuesTest {
    @ParameterizedTest @CsvFileSource(resources = "/rows.csv")
    void rows(String word) { assertEquals(word, new Echo().say(word)); }
}
