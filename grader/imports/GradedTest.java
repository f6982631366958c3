import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** What the tests say of themselves; `max_score` is the weight of a method. */
@Retention(RetentionPolicy.RUNTIME)
public @interface GradedTest {
    String name() default "";

    String number() default "";

    double max_score() default 1;

    String visibility() default "visible";
}
