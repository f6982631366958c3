import java.util.Scanner;

public class Runs {
    static String encode(String text) {
        StringBuilder code = new StringBuilder();
        int i = 0;
        while (i < text.length()) {
            int j = i;
            while (j < text.length() && text.charAt(j) == text.charAt(i)) {
                j++;
            }
            if (j - i > 1) {
                code.append(j - i);
            }
            code.append(text.charAt(i));
            i = j;
        }
        return code.toString();
    }

    static String decode(String code) {
        StringBuilder text = new StringBuilder();
        int count = 0;
        for (char c : code.toCharArray()) {
            if (Character.isDigit(c)) {
                count = 10 * count + (c - '0');
            } else {
                text.append(String.valueOf(c).repeat(Math.max(count, 1)));
                count = 0;
            }
        }
        return text.toString();
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int commands = 0;
        int encoded = 0;
        int letters = 0;
        String command = in.next();
        while (!command.equals("q")) {
            commands++;
            String text = in.next();
            if (command.equals("e")) {
                System.out.println(encode(text));
                encoded++;
                letters += text.length();
            } else if (command.equals("d")) {
                System.out.println(decode(text));
            } else {
                int runs = 0;
                int longest = 0;
                char letter = ' ';
                int length = 0;
                for (int i = 0; i < text.length(); i++) {
                    if (i > 0 && text.charAt(i) == text.charAt(i - 1)) {
                        length++;
                    } else {
                        runs++;
                        length = 1;
                    }
                    if (length > longest) {
                        longest = length;
                        letter = text.charAt(i);
                    }
                }
                System.out.println(letter + " " + longest + ", runs: " + runs);
            }
            command = in.next();
        }
        System.out.println("Commands: " + commands);
        if (encoded > 0) {
            System.out.printf("Average length: %.1f%n", (double) letters / encoded);
        }
    }
}
