import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Two tests, and what has them run by the driver in an archive: the classes that this takes are what machines share. */
public class Warmup {
    public static void main(String[] driver) throws Exception {
        URL[] place = {Path.of(driver[0]).toUri().toURL()};
        Class<?> probe = new URLClassLoader(place, Warmup.class.getClassLoader()).loadClass("grader.UnitProbe");
        probe.getMethod("main", String[].class).invoke(null, (Object) driver);
    }

    @Test void passes() { assertEquals(1, 1); }
    @Test void fails() { assertEquals("a", "b"); }
}
