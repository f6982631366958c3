"""What an interpreter says of a wrong program shows of the reason."""

from grader.core.explain.reasons import warning_of_interpreter
from tests.support.rows import each_row


@each_row
def test_what_an_interpreter_says(errors: bytes, told: str) -> None:
    said = warning_of_interpreter(errors, "Pascal" if told.startswith("Runtime") else "Ruby")
    assert (said.startswith(told), bool(said)) == (True, bool(told))


def test_nobody_is_told_to_ask_for_a_line_that_is_there() -> None:
    errors = b"Runtime error 200 at $0000000000401076\n  $0000000000401076  MAIN,  line 6 of a.pas\n"
    assert warning_of_interpreter(errors, "Pascal") == "Runtime error 200: your program divides by zero."
