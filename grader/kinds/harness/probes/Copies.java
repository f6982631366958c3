package grader;

import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** The compiler for several copies of a test, in one machine: most of its time is its start. */
final class Copies {

    private static final String NEXT = "+";

    /** Compile each copy, whose words come behind a plus; words before the first plus are for all. */
    public static void main(String[] words) {
        List<String> common = new ArrayList<>();
        List<List<String>> copies = new ArrayList<>();
        for (String word : words) {
            if (word.equals(NEXT)) {
                copies.add(new ArrayList<>(common));
            } else {
                (copies.isEmpty() ? common : copies.get(copies.size() - 1)).add(word);
            }
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        int status = 0;
        for (List<String> copy : copies) {
            status = Math.max(status, compiler.run(null, null, null, copy.toArray(new String[0])));
        }
        System.exit(status);
    }
}
