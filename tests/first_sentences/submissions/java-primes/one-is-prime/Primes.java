import java.util.ArrayList;

public class Primes {
    static boolean isPrime(int number) {
        for (int i = 2; i * i <= number; i++) {
            if (number % i == 0) {
                return false;
            }
        }
        return true;
    }

    public static void main(String[] args) {
        int limit = Integer.parseInt(args[0]);
        ArrayList<Integer> primes = new ArrayList<>();
        for (int n = 1; n <= limit; n++) {
            if (isPrime(n)) {
                primes.add(n);
            }
        }
        String line = "";
        for (int i = 0; i < primes.size(); i++) {
            line += (line.isEmpty() ? "" : " ") + primes.get(i);
            if (i % 5 == 4 || i == primes.size() - 1) {
                System.out.println(line);
                line = "";
            }
        }
        int twins = 0;
        for (int i = 0; i + 1 < primes.size(); i++) {
            if (primes.get(i + 1) - primes.get(i) == 2) {
                twins++;
            }
        }
        System.out.println("Primes: " + primes.size());
        System.out.println("Twins: " + twins);
        if (primes.isEmpty()) {
            System.out.println("Largest: none");
        } else {
            System.out.println("Largest: " + primes.get(primes.size() - 1));
        }
    }
}
