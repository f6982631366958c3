"""What a command complained of that failed, before what it left wrong."""

from grader.core.judge.case import judge
from grader.core.model.execution import Execution
from grader.core.model.spec import Case, Expectation, ExpectedFiles, Toolchain
from tests.support.rows import each_row

GONE = Expectation(files=ExpectedFiles(absent=("Queens",)))
LEFT = "`Queens` should not exist after the run."
MAKE = ("make", "clean")


@each_row
def test_says_why_the_command_failed(command: tuple[str, ...] | None, stderr: bytes, told: str) -> None:
    case = Case(id="clean", command=command, expect=GONE)
    execution = Execution(status=2, stderr=stderr, names=("Queens",))
    result = judge(case, execution, None, toolchain=Toolchain(name="any"), command="make clean")
    assert result.message.text == told + LEFT
    assert [deviation.message for deviation in result.deviations] == [LEFT]


def test_of_a_long_log_the_first_64_kibibytes_are_read() -> None:
    case = Case(id="clean", command=MAKE, expect=GONE)
    for blanks, told in ((2**16 - 100, "`make clean` failed: `missing separator`. "), (2**16, "`make clean` failed. ")):
        stderr = b"\n" * blanks + b"make: *** missing separator\n"
        execution = Execution(status=2, stderr=stderr, names=("Queens",))
        result = judge(case, execution, None, toolchain=Toolchain(name="any"), command="make clean")
        assert result.message.text == told + LEFT


@each_row
def test_what_is_right_or_asked_for_is_no_failure(expect: Expectation, status: int, names: tuple[str, ...]) -> None:
    execution = Execution(status=status, stderr=b"rm: no\n", names=names)
    case = Case(id="clean", command=MAKE, expect=expect)
    assert "failed" not in judge(case, execution, None, toolchain=Toolchain(name="any"), command="").message.text


def test_with_the_status_that_is_asked_for_it_says_why_there_is_another() -> None:
    case = Case(id="clean", command=MAKE, expect=Expectation(exit="success"))
    execution = Execution(status=2, stderr=b"rm: missing operand\n")
    result = judge(case, execution, None, toolchain=Toolchain(name="any"), command="make clean")
    assert (
        result.message.text
        == "`make clean` failed: `rm: missing operand`. `make clean` ended with status 2; the assignment asks for 0."
    )
