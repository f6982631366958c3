import java.util.*;

class Bike
{
    int id;
    String kind;
    String user;
    int since;

    Bike(int id, String kind)
    {
        this.id = id;
        this.kind = kind;
        user = "";
    }

    int cost(int end)
    {
        int perQuarter = kind.equals("electric") ? 80 : 50;
        int minutes = end - since;
        int quarters = minutes / 15;
        if (minutes % 15 != 0)
        {
            quarters++;
        }
        int cost = quarters * perQuarter;
        if (cost > 1000)
        {
            cost = 1000;
        }
        return cost;
    }
}

class Garage
{
    ArrayList<Bike> bikes = new ArrayList<Bike>();

    Bike find(int id)
    {
        for (Bike b : bikes)
        {
            if (b.id == id)
            {
                return b;
            }
        }
        return null;
    }

    void add(int id, String kind)
    {
        if (find(id) != null)
        {
            System.out.println("bike " + id + " exists");
            return;
        }
        bikes.add(new Bike(id, kind));
    }

    String out()
    {
        TreeSet<Integer> ids = new TreeSet<Integer>();
        for (Bike b : bikes)
        {
            if (!b.user.equals(""))
            {
                ids.add(b.id);
            }
        }
        if (ids.isEmpty())
        {
            return "none";
        }
        String s = ids.toString();
        return s.substring(1, s.length() - 1);
    }
}

public class Rental
{
    static int rides = 0;
    static int income = 0;
    static TreeMap<String, Integer> customers = new TreeMap<String, Integer>();

    String francs(int cents)
    {
        return String.format("%.2f", cents / 100.0);
    }

    public static void main(String[] args)
    {
        Scanner in = new Scanner(System.in);
        Garage garage = new Garage();
        while (in.hasNext())
        {
            String command = in.next();
            int id = in.nextInt();
            Bike bike = garage.find(id);
            if (command.equals("add"))
            {
                garage.add(id, in.next());
            }
            else if (command.equals("rent"))
            {
                String name = in.next();
                int time = in.nextInt();
                if (bike == null)
                {
                    System.out.println("no bike " + id);
                }
                else if (!bike.user.equals(""))
                {
                    System.out.println("bike " + id + " is rented");
                }
                else
                {
                    bike.user = name;
                    bike.since = time;
                    System.out.println(name + " takes bike " + id);
                }
            }
            else
            {
                int time = in.nextInt();
                if (bike == null)
                {
                    System.out.println("no bike " + id);
                }
                else if (bike.user.equals(""))
                {
                    System.out.println("bike " + id + " is free");
                }
                else
                {
                    int cost = bike.cost(time);
                    rides++;
                    income += cost;
                    customers.put(bike.user, customers.getOrDefault(bike.user, 0) + cost);
                    System.out.println(bike.user + " pays " + francs(cost));
                    bike.user = "";
                }
            }
        }
        System.out.println("Rides: " + rides);
        System.out.println("Income: " + francs(income));
        String best = "nobody";
        int most = -1;
        for (String name : customers.keySet())
        {
            if (customers.get(name) > most)
            {
                most = customers.get(name);
                best = name;
            }
        }
        if (most >= 0)
        {
            best = best + " " + francs(most);
        }
        System.out.println("Best: " + best);
        System.out.println("Out: " + garage.out());
    }
}
