import java.io.*;
import java.util.ArrayList;

public class Tasks {
    static ArrayList<String> titles = new ArrayList<>();
    static ArrayList<Integer> priorities = new ArrayList<>();
    static ArrayList<Boolean> done = new ArrayList<>();

    static void list() {
        boolean nothing = true;
        for (int p = highest(); p >= 0; p--) {
            for (int i = 0; i < titles.size(); i++) {
                if (priorities.get(i) == p && !done.get(i)) {
                    System.out.println((i + 1) + " [" + p + "] " + titles.get(i));
                    nothing = false;
                }
            }
        }
        if (nothing) {
            System.out.println("Nothing to do");
        }
    }

    static int highest() {
        int max = -1;
        for (int p : priorities) {
            if (p > max) {
                max = p;
            }
        }
        return max;
    }

    static int finished() {
        int n = 0;
        for (boolean d : done) {
            if (d) {
                n++;
            }
        }
        return n;
    }

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        String line = in.readLine();
        while (line != null) {
            int blank = line.indexOf(' ');
            String command = blank < 0 ? line : line.substring(0, blank);
            String rest = blank < 0 ? "" : line.substring(blank + 1);
            if (command.equals("add")) {
                int second = rest.indexOf(' ');
                priorities.add(Integer.parseInt(rest.substring(0, second)));
                titles.add(rest.substring(second + 1));
                done.add(false);
                System.out.println("Added " + titles.size());
            } else if (command.equals("done")) {
                int number = Integer.parseInt(rest);
                if (number < 1 || number > titles.size() || done.get(number - 1)) {
                    System.out.println("No task " + number);
                } else {
                    done.set(number - 1, true);
                    System.out.println("Done: " + titles.get(number - 1));
                }
            } else if (command.equals("list")) {
                list();
            } else if (command.equals("find")) {
                int n = 0;
                for (int i = 0; i < titles.size(); i++) {
                    if (!done.get(i) && titles.get(i).toLowerCase().contains(rest)) {
                        n++;
                    }
                }
                System.out.println("Found " + n);
            } else if (command.equals("stats")) {
                int n = finished();
                int percent = 0;
                if (titles.size() > 0) {
                    percent = (int) Math.round(n * 100.0 / titles.size());
                }
                System.out.println("Open: " + (titles.size() - n) + ", done: " + n + " (" + percent + " %)");
            } else if (command.equals("quit")) {
                System.out.println("Bye");
                break;
            } else {
                System.out.println("Unknown: " + command);
            }
            line = in.readLine();
        }
    }
}
