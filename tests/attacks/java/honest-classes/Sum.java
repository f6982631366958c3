import java.util.List;

record Sum(List<Integer> numbers) {
    @Override
    public String toString() {
        return String.valueOf(numbers.stream().mapToInt(Integer::intValue).sum());
    }
}
