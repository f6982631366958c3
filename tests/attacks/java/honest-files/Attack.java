import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;

class Attack {
    public static void main(String[] args) throws IOException {
        Path path = Files.createTempFile("n", ".txt");
        Files.writeString(path, args[0]);
        BigInteger n = new BigInteger(Files.readString(path));
        Files.delete(path);
        System.out.println(n.multiply(n.add(BigInteger.ONE)).shiftRight(1));
    }
}
