import java.util.Scanner;

class Menu {
    public static void main(String[] args) {
        Account account = new Account(0);
        Scanner in = new Scanner(System.in);
        System.out.print("> ");
        while (in.hasNextLine()) {
            String[] words = in.nextLine().trim().split(" ");
            if (words[0].equals("q")) {
                return;
            }
            try {
                if (words[0].equals("d")) {
                    account.deposit(Double.parseDouble(words[1]));
                } else if (words[0].equals("w")) {
                    account.withdraw(Double.parseDouble(words[1]));
                } else if (!words[0].equals("b")) {
                    throw new IllegalArgumentException();
                }
                System.out.printf("%.2f%n> ", account.balance());
            } catch (ArrayIndexOutOfBoundsException | IllegalArgumentException e) {
                System.out.print("No.\n> ");
            }
        }
    }
}
