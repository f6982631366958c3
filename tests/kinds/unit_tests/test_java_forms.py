"""The forms that a test in Java may have: each method is a case, or lint says why it is none."""

import pytest

from grader.kinds.unit_tests.java_text import find_java_methods
from tests.support.rows import read_data

DATA = read_data(__file__)
_OVERRIDDEN = DATA["_OVERRIDDEN"]
_INTERFACE = DATA["_INTERFACE"]
FORMS = {
    "an annotation of the file's own": (DATA["_COMPOSED"], {"T.one": ""}),
    "overridden": (_OVERRIDDEN, {"T.one": "is overridden without @Test", "T.two": "", "T.three": ""}),
    "overridden between": (DATA["_BETWEEN"], {"T.one": "is overridden without @Test"}),
    "a result": (
        DATA["_RETURNS"],
        {"T.one": "returns a value", "T.two": "", "T.three": "returns a value", "T.four": ""},
    ),
    "an interface": (_INTERFACE, {"T.one": "", "T.two": ""}),
    "JUnit 3": (
        DATA["_JUNIT_3"],
        {
            "T.testOne": "",
            "T.testTwo": "returns a value",
            "T.testThree": "",
            "T.testFour": "has parameters",
            "T.testFive": "is not public",
        },
    ),
    "JUnit 4": (DATA["_JUNIT_4"], {"T.one": "", "T.two": "has @Ignore", "T.three": "", "T$In.four": ""}),
}


@pytest.mark.parametrize("form", FORMS)
def test_each_method_is_a_case_or_has_a_reason(form: str) -> None:
    source, methods = FORMS[form]
    assert {one.name: one.idle for one in find_java_methods(source)} == methods
