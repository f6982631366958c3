import java.util.Scanner;

public class Hangman {
    public static void main(String[] args) {
        String word = args[0];
        Scanner in = new Scanner(System.in);
        String said = "";
        int wrong = 0;
        while (wrong < 6) {
            boolean all = true;
            String shown = "";
            for (int i = 0; i < word.length(); i++) {
                if (said.indexOf(word.charAt(i)) >= 0) {
                    shown += word.charAt(i) + " ";
                } else {
                    shown += "_ ";
                    all = false;
                }
            }
            if (all) {
                System.out.println("You won: " + word);
                return;
            }
            System.out.println(shown.trim());
            System.out.print("Letter: ");
            String letter = in.nextLine().trim();
            if (said.contains(letter)) {
                System.out.println("You had that.");
            } else if (word.contains(letter)) {
                said += letter;
                System.out.println("Right!");
            } else {
                said += letter;
                wrong++;
                System.out.println("Wrong!");
            }
        }
        System.out.println("You lost: " + word);
    }
}
