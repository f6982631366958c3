import java.util.*;

public class Bank
{
    static double money = 0;

    public static void main(String[] args)
    {
        Scanner scanner = new Scanner(System.in);
        boolean running = true;
        while (running && scanner.hasNextLine())
        {
            String line = scanner.nextLine();
            String[] words = line.split(" ");
            switch (words[0])
            {
                case "deposit":
                    money = money + Double.parseDouble(words[1]);
                case "withdraw":
                    double amount = Double.parseDouble(words[1]);
                    if (amount > money)
                        System.out.println("Not enough money");
                    else
                        money = money - amount;
                    break;
                case "balance":
                    System.out.println("Balance: " + String.format(Locale.ENGLISH, "%.2f", money));
                    break;
                case "quit":
                    running = false;
                    break;
                default:
                    System.out.println("Unknown command");
            }
        }
    }
}
