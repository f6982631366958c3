"""The working folder after the run."""

from collections.abc import Callable
from fractions import Fraction

from grader.core.model.execution import MAX_NAMES, Execution
from grader.core.model.report import CaseResult
from grader.core.model.spec import Expectation, ExpectedFiles, Leaf
from tests.support.rows import each_row

Judged = Callable[..., CaseResult]

NAMES = ("Makefile", "Queens.class", "Queens.java", "build/", "build/Queens.class", "link")


@each_row
def test_files(judged: Judged, files: ExpectedFiles, message: str) -> None:
    execution = Execution(status=0, names=NAMES, files={"out": b"a\n"})
    reference = Execution(status=0, files={"out": b"b\n"})
    result = judged(execution, Expectation(files=files), None, reference)
    assert result.message.text == message
    assert {deviation.stream for deviation in result.deviations} == ({"files"} if message else set())


def test_deviations_in_a_file_are_tolerated(judged: Judged) -> None:
    execution = Execution(status=0, names=("out",), files={"out": b"a"})
    expect = Expectation(files=ExpectedFiles(contents={"out": Leaf(how="text", want=("a\n",))}))
    assert judged(execution, expect, {"final-newline": Fraction(3, 4)}).credit == Fraction(3, 4)


def test_a_name_that_is_no_text(judged: Judged) -> None:
    execution = Execution(status=0, names=("\udcff.class",))
    result = judged(execution, Expectation(files=ExpectedFiles(absent=("*.class",))))
    assert result.message.text == r"`\xff.class` should not exist after the run."


def test_among_too_many_files_nothing_is_taken_for_absent(judged: Judged) -> None:
    execution = Execution(status=0, names=tuple(f"{number:06}" for number in range(MAX_NAMES + 1)))
    result = judged(execution, Expectation(files=ExpectedFiles(absent=("*.class",))))
    assert result.credit == 0
    assert result.message.text.startswith("There are more than 20,000 files after the run")
    assert judged(execution, Expectation(files=ExpectedFiles(present=("000001",)))).credit == 1
