"""What an error of a compiler or a runtime means."""

from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from grader.core.explain.explaining import _source, explain_build
from grader.core.explain.reasons import meaning_of_error
from grader.core.model.execution import Execution
from grader.core.model.layout import BuildResult
from grader.core.model.report import CaseResult, Message, Verdict
from grader.core.model.spec import Case
from tests.support.rows import each_row


@each_row
def test_what_an_error_means(language: str, text: str, told: str) -> None:
    assert meaning_of_error(text, language) == told


def test_nobody_is_told_to_ask_for_a_line_that_is_there() -> None:
    errors = "Runtime error 200 at $0000000000401076\n  $0000000000401076  MAIN,  line 6 of a.pas\n"
    assert meaning_of_error(errors, "pascal") == "Runtime error 200: your program divides by zero."


def test_what_a_program_wrote_itself_is_no_error_of_a_compiler() -> None:
    """However much it wrote: the patterns take quadratic time."""
    wrote = Execution(stderr=b"a.cpp:3:1: error: redefinition of \xe2\x80\x98" + b"a" * 2**16, stdout=b"5\n", status=0)
    ran: Any = SimpleNamespace(execution=wrote, launch=SimpleNamespace(folder=None))
    attempt: Any = SimpleNamespace(toolchain=SimpleNamespace(name="cpp"))
    said = Message("Line 1 is `5`.")
    result = CaseResult(id="a", verdict=Verdict.FAILED, credit=Fraction(0), command="", message=said)
    assert _source(Case(id="a"), ran, result, attempt) == result.message


def test_what_an_interpreter_complains_of_is_explained_by_its_line(tmp_path: Path) -> None:
    (tmp_path / "a.pl").write_text("use warnings;\nprint $x + 1;\n")
    complaint = b"Use of uninitialized value $x in addition (+) at a.pl line 2.\n"
    long = b"at a.pl line 2 " * 2**11 + b"\n"
    wrote = Execution(stderr=long + complaint + b"again\n" * 200, stdout=b"1\n", status=0)
    ran: Any = SimpleNamespace(execution=wrote, launch=SimpleNamespace(folder=tmp_path))
    attempt: Any = SimpleNamespace(toolchain=SimpleNamespace(name="perl"))
    said = Message("Line 1 is `1`.")
    result = CaseResult(id="a", verdict=Verdict.FAILED, credit=Fraction(0), command="", message=said)
    told = _source(Case(id="a"), ran, result, attempt).text
    assert told == "Line 1 is `1`. `$x` has no value in line 2 of `a.pl`, `print $x + 1;`."


def test_an_error_in_a_file_of_the_course_is_not_explained_to_a_student() -> None:
    build = SimpleNamespace(files={"tests/Main.java": b"", "main.c": b""})
    attempt: Any = SimpleNamespace(toolchain=SimpleNamespace(name="java"), spec=SimpleNamespace(build=build))

    def said(name: str) -> str:
        error = f"`javac` failed: {name}:3: error: not a statement (`x;`)"
        return explain_build(BuildResult(ok=False, message=error), attempt).message.partition("`)")[2]

    assert said("Zoo.java").startswith(". The line computes something")
    assert said("tests/Main.java") == ""
