import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;

class Room {
    private int number;
    private int guests;
    private String name;

    Room(int number, int guests, String name) {
        this.number = number;
        this.guests = guests;
        this.name = name;
    }

    int getNumber() {
        return number;
    }

    int getGuests() {
        return guests;
    }

    String getName() {
        return name;
    }

    boolean isFree() {
        return name.equals("");
    }
}

public class Hotel {
    private List<Room> rooms;

    void read() {
        Scanner in = new Scanner(System.in);
        String line = in.nextLine();
        while (!line.equals("end")) {
            String[] parts = line.split(";", -1);
            try {
                Room room = new Room(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), parts[2]);
                rooms.add(room);
                System.out.println(describe(room));
            } catch (NumberFormatException e) {
                System.out.println("Wrong: " + line);
            }
            line = in.nextLine();
        }
    }

    String describe(Room room) {
        if (room.isFree()) {
            return room.getNumber() + ": free";
        }
        return room.getNumber() + ": " + room.getName() + " (" + room.getGuests() + ")";
    }

    void report() {
        int free = 0;
        int guests = 0;
        int[] floors = new int[4];
        String longest = "";
        for (Room room : rooms) {
            if (room.isFree()) {
                free++;
            } else {
                floors[room.getNumber() / 10]++;
            }
            guests += room.getGuests();
            if (room.getName().length() > longest.length()) {
                longest = room.getName();
            }
        }
        System.out.println("Free: " + free);
        System.out.println("Guests: " + guests);
        for (int floor = 1; floor <= 3; floor++) {
            System.out.println("Floor " + floor + ": " + floors[floor]);
        }
        System.out.println("Long: " + longest);
    }

    public static void main(String[] args) {
        Hotel hotel = new Hotel();
        hotel.read();
        hotel.report();
    }
}
