package grader;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Two tests that are compiled and run once: the classes that this takes are what machines share. */
class Warmup {
    @Test void passes() { assertEquals(1, 1); }
    @Test void fails() { assertEquals("a", "b"); }
}
