public class Lesson {
    private String subject;
    private int day;
    private int start;
    private int minutes;

    public Lesson(String subject, int day, int start, int minutes) {
        this.subject = subject;
        this.day = day;
        this.start = start;
        this.minutes = minutes;
    }

    public String getSubject() {
        return subject;
    }

    public int getDay() {
        return day;
    }

    public int getStart() {
        return start;
    }

    public int getMinutes() {
        return minutes;
    }

    public int end() {
        return start + minutes;
    }

    public String time() {
        return String.format("%02d:%02d-%02d:%02d", start / 60, start % 60, end() / 60, end() % 60);
    }
}
