"""What an error of a compiler or a runtime means."""

from grader.core.explain.reasons import meaning_of_error
from tests.support.rows import each_row


@each_row
def test_what_an_error_means(language: str, text: str, told: str) -> None:
    assert meaning_of_error(text, language) == told


def test_nobody_is_told_to_ask_for_a_line_that_is_there() -> None:
    errors = "Runtime error 200 at $0000000000401076\n  $0000000000401076  MAIN,  line 6 of a.pas\n"
    assert meaning_of_error(errors, "pascal") == "Runtime error 200: your program divides by zero."
