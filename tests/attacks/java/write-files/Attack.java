// Tries to write into the world and the course from Java, and to leave a file. Safe: 0, failed.
import java.nio.file.Files;
import java.nio.file.Path;

class Attack {
    public static void main(String[] args) {
        String room = System.getenv("ROOM");
        String[] places = {room + "/world/precious", room + "/course/left-behind", "/usr/left-behind", "/etc/left-behind"};
        for (String place : places) {
            try {
                Files.writeString(Path.of(place), "harm");
                System.out.println("harm: wrote " + place);
            } catch (java.io.IOException refused) {
                System.out.println("refused");
            }
        }
    }
}
