import java.util.Scanner;

public class Runs {
    public static void main(String[] args) {
        Scanner scanner = new Scanner(System.in);
        int commands = 0;
        int count = 0;
        int sum = 0;
        while (true) {
            String line = scanner.nextLine();
            if (line == "q") {
                break;
            }
            commands++;
            String word = line.substring(2);
            char what = line.charAt(0);
            if (what == 'e') {
                System.out.println(encode(word));
                count++;
                sum += word.length();
            } else if (what == 'd') {
                System.out.println(decode(word));
            } else if (what == 's') {
                longest(word);
            }
        }
        System.out.println("Commands: " + commands);
        if (count > 0) {
            double average = (double) sum / count;
            System.out.printf("Average length: %.1f\n", average);
        }
    }

    public static String encode(String word) {
        String result = "";
        int run = 1;
        for (int i = 1; i < word.length(); i++) {
            if (word.charAt(i) == word.charAt(i - 1)) {
                run++;
            } else {
                if (run > 1) {
                    result += run;
                }
                result += word.charAt(i - 1);
                run = 1;
            }
        }
        if (run > 1) {
            result += run;
        }
        result += word.charAt(word.length() - 1);
        return result;
    }

    public static String decode(String word) {
        String result = "";
        String number = "";
        for (int i = 0; i < word.length(); i++) {
            char c = word.charAt(i);
            if (Character.isDigit(c)) {
                number += c;
            } else {
                int times = 1;
                if (!number.isEmpty()) {
                    times = Integer.parseInt(number);
                }
                for (int j = 0; j < times; j++) {
                    result += c;
                }
                number = "";
            }
        }
        return result;
    }

    public static void longest(String word) {
        int best = 1;
        char letter = word.charAt(0);
        int run = 1;
        int runs = 1;
        for (int i = 1; i < word.length(); i++) {
            if (word.charAt(i) == word.charAt(i - 1)) {
                run++;
            } else {
                run = 1;
                runs++;
            }
            if (run > best) {
                best = run;
                letter = word.charAt(i);
            }
        }
        System.out.println(letter + " " + best + ", runs: " + runs);
    }
}
