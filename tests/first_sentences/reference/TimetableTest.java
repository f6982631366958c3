import static org.junit.jupiter.api.Assertions.*;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TimetableTest {
    private Timetable table;

    @BeforeEach
    void fill() {
        table = new Timetable();
        table.add(new Lesson("Maths", 0, 600, 90));
        table.add(new Lesson("Art", 0, 485, 90));
        table.add(new Lesson("Music", 2, 480, 45));
        table.add(new Lesson("Music", 2, 540, 45));
        table.add(new Lesson("Latin", 2, 600, 45));
    }

    private List<String> subjects(int day) {
        return table.lessonsOn(day).stream().map(Lesson::getSubject).collect(Collectors.toList());
    }

    @Test
    void lesson() {
        Lesson lesson = new Lesson("Art", 3, 485, 90);
        assertEquals("Art", lesson.getSubject());
        assertEquals(3, lesson.getDay());
        assertEquals(575, lesson.end());
        assertEquals("08:05-09:35", lesson.time());
    }

    @Test
    void sizeOfAll() {
        assertEquals(5, table.size());
    }

    @Test
    void overlapIsRefused() {
        assertFalse(table.add(new Lesson("Sport", 0, 560, 60)));
        assertEquals(5, table.size());
    }

    @Test
    void anotherMayBeginWhenOneEnds() {
        assertTrue(table.add(new Lesson("Sport", 0, 690, 45)));
    }

    @Test
    void otherDay() {
        assertTrue(table.add(new Lesson("Sport", 1, 600, 90)));
    }

    @Test
    void hours() {
        assertEquals(1.5, table.hours("Music"), 0.001);
        assertEquals(0.75, table.hours(new String("Latin")), 0.001);
        assertEquals(0.0, table.hours("Physics"), 0.001);
    }

    @Test
    void busiestDay() {
        assertEquals(0, table.busiestDay());
        assertEquals(-1, new Timetable().busiestDay());
    }

    @Test
    void earliestFirst() {
        assertEquals(List.of("Art", "Maths"), subjects(0));
        assertEquals(List.of("Music", "Music", "Latin"), subjects(2));
    }

    @Test
    void remove() {
        assertEquals(2, table.remove("Music"));
        assertEquals(3, table.size());
        assertEquals(0, table.remove("Physics"));
    }
}
