"""The forms that a test in Java may have: each method is a case, or lint says why it is none."""

import pytest

from grader.kinds.unit_tests.java_text import find_java_methods

_COMPOSED = """
class T {
    @Test @Tag("fast") @interface Fast { }
    @interface Slow { }
    @Fast void one() { }
    @Slow void two() { }
}
"""
_OVERRIDDEN = """
abstract class B { @Test void one() { } @Test void two() { } @Test void three() { } }
class T extends B { void one() { } @Override @Test void two() { } void three(int n) { } private void four() { } }
"""
_BETWEEN = """
abstract class B { @Test void one() { } }
abstract class C extends B { void one() { } }
class T extends C { }
"""
_RETURNS = """
class T {
    @Test int one() { return 1; }
    @TestFactory List<DynamicTest> two() { return null; }
    @RepeatedTest(2) String three() { return null; }
    @Test <T> void four() { }
}
"""
_INTERFACE = """
interface I { @Test default void one() { } }
class T implements I { @Test void two() { } }
"""
_JUNIT_3 = """
import junit.framework.TestCase;
public class T extends TestCase {
    public void testOne() { }
    public int testTwo() { return 1; }
    public static void testThree() { }
    public void testFour(int n) { }
    void testFive() { }
    public void helps() { }
}
"""
_JUNIT_4 = """
import org.junit.*;
public class T {
    @Test(expected = A.class) public void one() { }
    @Ignore @Test public void two() { }
    @Theory public void three(int n) { }
    public static class In { @Test(timeout = 5) public void four() { } }
}
"""
FORMS = {
    "an annotation of the file's own": (_COMPOSED, {"T.one": ""}),
    "overridden": (_OVERRIDDEN, {"T.one": "is overridden without @Test", "T.two": "", "T.three": ""}),
    "overridden between": (_BETWEEN, {"T.one": "is overridden without @Test"}),
    "a result": (_RETURNS, {"T.one": "returns a value", "T.two": "", "T.three": "returns a value", "T.four": ""}),
    "an interface": (_INTERFACE, {"T.one": "", "T.two": ""}),
    "JUnit 3": (
        _JUNIT_3,
        {
            "T.testOne": "",
            "T.testTwo": "returns a value",
            "T.testThree": "",
            "T.testFour": "has parameters",
            "T.testFive": "is not public",
        },
    ),
    "JUnit 4": (_JUNIT_4, {"T.one": "", "T.two": "has @Ignore", "T.three": "", "T$In.four": ""}),
}


@pytest.mark.parametrize("form", FORMS)
def test_each_method_is_a_case_or_has_a_reason(form: str) -> None:
    source, methods = FORMS[form]
    assert {one.name: one.idle for one in find_java_methods(source)} == methods
