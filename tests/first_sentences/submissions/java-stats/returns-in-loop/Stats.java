public class Stats {
    static double average(int[] values) {
        int sum = 0;
        for (int i = 0; i < values.length; i++) {
            sum += values[i];
        }
        return (double) sum / values.length;
    }

    static int largest(int[] values) {
        int max = values[0];
        for (int i = 0; i < values.length; i++) {
            if (values[i] > max) {
                max = values[i];
            }
            return max;
        }
        return max;
    }

    public static void main(String[] args) {
        int[] test = {4, 6, 5};
        System.out.println(average(test) + " " + largest(test));
    }
}
