import java.util.Scanner;

public class Quiz {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        String key = in.next();
        int[] right = new int[key.length()];
        int people = 0;
        int total = 0;
        int most = -1;
        String best = "-";
        while (in.hasNext()) {
            String name = in.next();
            String answers = in.next();
            int score = 0;
            for (int i = 0; i < key.length(); i++) {
                String given = answers.substring(i, i + 1);
                if (given.equals(key.substring(i, i + 1))) {
                    score++;
                    right[i]++;
                }
            }
            System.out.println(name + ": " + score + " of " + key.length());
            people++;
            total += score;
            if (score > most) {
                most = score;
                best = name;
            }
        }
        if (people == 0) {
            System.out.println("Nobody came");
            return;
        }
        int hardest = 0;
        for (int i = 1; i < right.length; i++) {
            if (right[i] < right[hardest]) {
                hardest = i;
            }
        }
        System.out.println("Best: " + best);
        System.out.println("Hardest: question " + (hardest + 1));
        System.out.printf("Average: %.2f%n", (double) (total / people));
    }
}
