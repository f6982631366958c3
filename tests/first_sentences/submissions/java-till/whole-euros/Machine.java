import java.util.Scanner;

public class Machine {
    static int[] coins = {200, 100, 50, 20, 10, 5};

    static boolean isCoin(int cents) {
        for (int coin : coins) {
            if (coin == cents) {
                return true;
            }
        }
        return false;
    }

    static String change(int cents) {
        String result = "";
        for (int coin : coins) {
            while (cents >= coin) {
                result += " " + coin;
                cents -= coin;
            }
        }
        if (result.isEmpty()) {
            return " none";
        }
        return result;
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int credit = 0;
        int sold = 0;
        int income = 0;
        int dearest = 0;
        String dearestName = "nothing";
        String command = in.next();
        while (!command.equals("end")) {
            if (command.equals("coin")) {
                int cents = in.nextInt();
                if (isCoin(cents)) {
                    credit += cents;
                } else {
                    System.out.println("refused");
                }
            } else if (command.equals("buy")) {
                String name = in.next();
                int price = in.nextInt();
                if (credit < price) {
                    System.out.println("not enough: " + (price - credit) + " missing");
                } else {
                    System.out.println(name + ", change:" + change(credit - price));
                    credit = 0;
                    sold++;
                    income += price;
                    if (price > dearest) {
                        dearest = price;
                        dearestName = name;
                    }
                }
            } else if (command.equals("back")) {
                System.out.println("back:" + change(credit));
                credit = 0;
            }
            command = in.next();
        }
        System.out.println("Sold: " + sold);
        System.out.printf("Income: %.2f%n", (double) (income / 100));
        System.out.println("Dearest: " + dearestName);
    }
}
