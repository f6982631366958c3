import static org.junit.jupiter.api.Assertions.*;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PlaylistTest {
    private Playlist list;

    @BeforeEach
    void fill() {
        list = new Playlist();
        list.add(new Song("Blue", "Ann", 65));
        list.add(new Song("Red", "Bob", 70));
        list.add(new Song("Red", "Cleo", 70));
        list.add(new Song("Green", new String("Ann"), 40));
    }

    @Test
    void size() {
        assertEquals(4, list.size());
    }

    @Test
    void totalSeconds() {
        assertEquals(245, list.totalSeconds());
    }

    @Test
    void length() {
        assertEquals("4:05", list.length());
    }

    @Test
    void longest() {
        assertEquals("Bob", list.longest().getArtist());
    }

    @Test
    void longestOfNone() {
        assertNull(new Playlist().longest());
    }

    @Test
    void byArtist() {
        assertEquals(List.of("Blue", "Green"), list.byArtist(String.join("", "A", "nn")));
    }

    @Test
    void remove() {
        assertTrue(list.remove("Red"));
        assertEquals(2, list.size());
    }

    @Test
    void removeUnknown() {
        assertFalse(list.remove("Black"));
    }

    @Test
    void noNull() {
        assertThrows(IllegalArgumentException.class, () -> list.add(null));
    }

    @Test
    void equalSongs() {
        assertEquals(new Song("Blue", "Ann", 65), new Song("Blue", "Ann", 65));
    }
}
