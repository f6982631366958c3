"""The forms that a test in Java may have: each method is a case, or lint says why it is none."""

from grader.kinds.unit_tests.java_text import find_java_methods
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)


@each_row
def test_each_method_is_a_case_or_has_a_reason(source: str, methods: dict[str, str]) -> None:
    assert {one.name: one.idle for one in find_java_methods(DATA[source])} == methods
