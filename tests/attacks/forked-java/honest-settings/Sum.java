import java.util.Locale;
import java.util.TimeZone;

public class Sum {
    static int total(int number) {
        return number * (number + 1) / 2;
    }

    static int first(int number) {
        Locale.setDefault(new Locale("ar"));
        TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));
        System.getProperties().clear();
        return total(number);
    }

    static int guess(int number) {
        if (number < 0) throw new IllegalArgumentException("negative");
        return total(number);
    }
}
