import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;

public class Timetable {
    private List<Lesson> lessons = new ArrayList<>();

    public boolean add(Lesson lesson) {
        for (Lesson other : lessons) {
            if (other.getDay() == lesson.getDay()
                    && lesson.getStart() <= other.end()
                    && other.getStart() < lesson.end()) {
                return false;
            }
        }
        lessons.add(lesson);
        return true;
    }

    public int size() {
        return lessons.size();
    }

    public double hours(String subject) {
        int sum = 0;
        for (Lesson lesson : lessons) {
            if (lesson.getSubject().equals(subject)) {
                sum += lesson.getMinutes();
            }
        }
        return sum / 60.0;
    }

    public int busiestDay() {
        int best = -1;
        int most = 0;
        for (int day = 0; day < 5; day++) {
            int sum = 0;
            for (Lesson lesson : lessonsOn(day)) {
                sum += lesson.getMinutes();
            }
            if (sum > most) {
                most = sum;
                best = day;
            }
        }
        return best;
    }

    public List<Lesson> lessonsOn(int day) {
        List<Lesson> found = new ArrayList<>();
        for (Lesson lesson : lessons) {
            if (lesson.getDay() == day) {
                found.add(lesson);
            }
        }
        found.sort(Comparator.comparing(Lesson::getStart));
        return found;
    }

    public int remove(String subject) {
        int count = 0;
        Iterator<Lesson> all = lessons.iterator();
        while (all.hasNext()) {
            if (all.next().getSubject().equals(subject)) {
                all.remove();
                count++;
            }
        }
        return count;
    }
}
