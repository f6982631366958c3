import java.util.*;

public class Tasks {
    static class Task {
        private static int made = 0;
        private final int id;
        private final int priority;
        private final String title;
        private boolean done;

        Task(int priority, String title) {
            made++;
            this.id = made;
            this.priority = priority;
            this.title = title;
        }

        int getId() {
            return id;
        }

        boolean isDone() {
            return done;
        }

        void finish() {
            done = true;
        }

        boolean has(String word) {
            return title.toLowerCase().contains(word.toLowerCase());
        }

        @Override
        public String toString() {
            return id + " [" + priority + "] " + title;
        }
    }

    private final List<Task> tasks = new ArrayList<>();

    private Task find(int id) {
        for (Task task : tasks) {
            if (task.getId() == id) {
                return task;
            }
        }
        return null;
    }

    private void list() {
        List<Task> open = new ArrayList<>();
        for (Task task : tasks) {
            if (!task.isDone()) {
                open.add(task);
            }
        }
        open.sort((a, b) -> b.priority - a.priority);
        for (Task task : open) {
            System.out.println(task);
        }
        if (open.isEmpty()) {
            System.out.println("Nothing to do");
        }
    }

    private void stats() {
        int done = 0;
        for (Task task : tasks) {
            if (task.isDone()) {
                done++;
            }
        }
        long percent = tasks.isEmpty() ? 0 : Math.round(100.0 * done / tasks.size());
        System.out.println("Open: " + (tasks.size() - done) + ", done: " + done + " (" + percent + " %)");
    }

    public static void main(String[] args) {
        Tasks all = new Tasks();
        Scanner in = new Scanner(System.in);
        while (in.hasNextLine()) {
            String line = in.nextLine();
            String[] parts = line.split(" ", 3);
            switch (parts[0]) {
                case "add":
                    Task task = new Task(Integer.parseInt(parts[1]), parts[2]);
                    all.tasks.add(task);
                    System.out.println("Added " + task.getId());
                    break;
                case "done":
                    Task found = all.find(Integer.parseInt(parts[1]));
                    if (found == null) {
                        System.out.println("No task " + parts[1]);
                    } else {
                        found.finish();
                        System.out.println("Done: " + found.title);
                    }
                    break;
                case "list":
                    all.list();
                    break;
                case "find":
                    int count = 0;
                    for (Task one : all.tasks) {
                        if (!one.isDone() && one.has(parts[1])) {
                            count++;
                        }
                    }
                    System.out.println("Found " + count);
                    break;
                case "stats":
                    all.stats();
                    break;
                case "quit":
                    System.out.println("Bye");
                    return;
                default:
                    System.out.println("Unknown: " + parts[0]);
            }
        }
    }
}
