package org.prairielearn.autograder;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** What the tests say of themselves. */
@Retention(RetentionPolicy.RUNTIME)
public @interface AutograderInfo {
    String name() default "";

    String description() default "";

    double points() default 0;
}
