import java.util.*;

public class Lockers {
    private final String[] owners;
    private int rented = 0;
    private int income = 0;

    public Lockers(int count) {
        owners = new String[count];
    }

    /** the number of the first free one, from 1; 0 if there is none */
    public int rent(String name) {
        for (int i = 0; i < owners.length; i++) {
            if (owners[i] == null) {
                owners[i] = name;
                rented++;
                return i + 1;
            }
        }
        return 0;
    }

    public int give(int number, int minutes) {
        if (number < 1 || number > owners.length || owners[number - 1] == null) {
            throw new IllegalArgumentException("not rented");
        }
        owners[number - 1] = null;
        rented--;
        int price = fee(minutes);
        income += price;
        return price;
    }

    /** 50 for each hour begun, the first 10 minutes are free, at most 300 */
    public static int fee(int minutes) {
        if (minutes <= 10) {
            return 0;
        }
        int hours = minutes / 60;
        return Math.min(hours * 50, 300);
    }

    public int free() {
        return owners.length - rented;
    }

    public int income() {
        return income;
    }

    public List<String> names() {
        TreeSet<String> names = new TreeSet<>();
        for (String owner : owners) {
            if (owner != null) {
                names.add(owner);
            }
        }
        return new ArrayList<>(names);
    }

    /** the length of the longest row of free ones */
    public int longestFreeRow() {
        int longest = 0;
        int row = 0;
        for (String owner : owners) {
            if (owner == null) {
                row++;
            } else {
                row = 0;
            }
            longest = Math.max(longest, row);
        }
        return longest;
    }
}
