import java.util.stream.LongStream;

class Attack {
    public static void main(String[] args) {
        System.out.println(LongStream.rangeClosed(1, Long.parseLong(args[0])).parallel().sum());
    }
}
