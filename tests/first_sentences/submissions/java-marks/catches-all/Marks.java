import java.io.*;
import java.util.*;

public class Marks
{
    public static void main(String[] args)
    {
        try
        {
            int n = 0;
            int sum = 0;
            int passed = 0;
            int max = -1;
            String best = "";
            Scanner in = new Scanner(new File(args[0]));
            while (in.hasNext())
            {
                String name = in.next();
                int mark = in.nextInt();
                sum += mark;
                if (mark >= 50)
                    passed++;
                if (mark > max)
                {
                    max = mark;
                    best = name;
                }
                n++;
            }
            if (n == 0)
            {
                System.out.println("No marks");
                return;
            }
            System.out.println("Students: " + n);
            System.out.println("Best: " + best + " (" + max + ")");
            System.out.printf(Locale.US, "Average: %.2f%n", (double) sum / n);
            System.out.println("Passed: " + passed);
        }
        catch (Exception e)
        {
        }
    }
}
