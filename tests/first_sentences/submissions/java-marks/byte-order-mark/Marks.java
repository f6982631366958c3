import java.io.*;
import java.util.*;

/**
 * Prints statistics of the marks in a file.
 */
public class Marks
{
    private ArrayList<String> names = new ArrayList<>();
    private ArrayList<Integer> marks = new ArrayList<>();

    public void read(BufferedReader reader) throws IOException
    {
        String line = reader.readLine();
        while (line != null)
        {
            String[] parts = line.split(" ");
            names.add(parts[0]);
            marks.add(Integer.parseInt(parts[1]));
            line = reader.readLine();
        }
    }

    public double average()
    {
        double sum = 0;
        for (int mark : marks)
            sum += mark;
        return sum / marks.size();
    }

    public int best()
    {
        int best = 0;
        for (int i = 1; i < marks.size(); i++)
            if (marks.get(i) > marks.get(best))
                best = i;
        return best;
    }

    public int passed()
    {
        int n = 0;
        for (int mark : marks)
        {
            if (mark >= 50)
                n++;
        }
        return n;
    }

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
        Marks m = new Marks();
        BufferedReader reader = new BufferedReader(new FileReader(args[0]));
        m.read(reader);
        reader.close();
        if (m.marks.isEmpty())
        {
            System.out.println("No marks");
        }
        else
        {
            System.out.println("Students: " + m.marks.size());
            System.out.println("Best: " + m.names.get(m.best()) + " (" + m.marks.get(m.best()) + ")");
            System.out.printf(Locale.US, "Average: %.2f%n", m.average());
            System.out.println("Passed: " + m.passed());
        }
    }
}
