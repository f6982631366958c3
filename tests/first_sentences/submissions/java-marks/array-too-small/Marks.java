import java.io.*;
import java.util.*;

public class Marks
{
    public static void main(String[] args) throws IOException
    {
        if (args.length != 1)
        {
            System.err.println("Usage: java Marks FILE");
            System.exit(1);
        }
        if (!new File(args[0]).exists())
        {
            System.err.println("Cannot read " + args[0]);
            System.exit(2);
        }
        String[] names = new String[5];
        int[] marks = new int[5];
        int n = 0;
        int sum = 0;
        int passed = 0;
        int best = 0;
        Scanner in = new Scanner(new File(args[0]));
        while (in.hasNext())
        {
            names[n] = in.next();
            marks[n] = in.nextInt();
            sum += marks[n];
            if (marks[n] >= 50)
                passed++;
            if (marks[n] > marks[best])
                best = n;
            n++;
        }
        if (n == 0)
        {
            System.out.println("No marks");
            return;
        }
        System.out.println("Students: " + n);
        System.out.println("Best: " + names[best] + " (" + marks[best] + ")");
        System.out.printf(Locale.US, "Average: %.2f%n", (double) sum / n);
        System.out.println("Passed: " + passed);
    }
}
