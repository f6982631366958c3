"""Crashes and exceptions, and the sentences on the line of the source in which one was raised."""

import time
from collections.abc import Callable
from fractions import Fraction

import pytest

from grader.core.diagnosis import no_lines
from grader.core.judge.case import judge
from grader.core.judge.ending import cause_of_end, crashed, describe_unreadable, source_at
from grader.core.model.execution import Execution
from grader.core.model.report import CaseResult, Message, Verdict
from grader.core.model.spec import Case, Expectation, ExpectedExit, Leaf, Toolchain
from tests.support.languages import TOOLCHAINS
from tests.support.rows import each_row, read_data

Judged = Callable[..., CaseResult]

REAL_PYTHON = TOOLCHAINS["python"]
RIGHT = Expectation(stdout=Leaf(how="text", want=("ok\n",)))
DATA = read_data(__file__)
JAVA = DATA["JAVA"].encode()
PYTHON = DATA["PYTHON"].encode()


@each_row
def test_crashes(judged: Judged, execution: Execution, verdict: Verdict, message: str) -> None:
    result = judged(execution, RIGHT)
    assert (result.verdict, result.credit, result.message.text) == (verdict, Fraction(0), message)


@each_row
def test_no_crash(judged: Judged, execution: Execution, asked: ExpectedExit) -> None:
    assert judged(execution, Expectation(stdout=RIGHT.stdout, exit=asked)).verdict == Verdict.PASSED


@pytest.mark.parametrize("asked", ["any", "failure", "reference", (1,), (0, 1, 2), (2,)])
def test_an_exception_is_a_crash_whatever_status_is_asked_for(judged: Judged, asked: ExpectedExit) -> None:
    reference = Execution(status=1)
    assert judged(Execution(status=1, stderr=JAVA), Expectation(exit=asked), None, reference).verdict == Verdict.CRASHED
    allowed = judged(Execution(status=1, stderr=JAVA), Expectation(exit=asked, crash="allowed"), None, reference)
    assert allowed.verdict == (Verdict.FAILED if asked == (2,) else Verdict.PASSED)
    signal = judged(Execution(signal=11), Expectation(exit="failure", crash="allowed"))
    assert signal.verdict == Verdict.CRASHED


@each_row
def test_a_status_that_no_exception_leaves_is_the_programs(
    status: int, asked: ExpectedExit, command: tuple[str, ...] | None, verdict: Verdict
) -> None:
    case = Case(id="a", command=command, expect=Expectation(exit=asked))
    result = judge(case, Execution(status=status, stderr=PYTHON), None, toolchain=REAL_PYTHON, command="a.py")
    assert result.verdict == verdict


@each_row
def test_what_python_cannot_read_is_no_exception_of_the_program(stderr: bytes, message: str) -> None:
    result = judge(Case(id="a"), Execution(status=1, stderr=stderr), None, toolchain=REAL_PYTHON, command="a.py")
    assert (result.verdict, result.message.text) == (Verdict.CRASHED, message)


def test_the_longest_line_that_python_cannot_read() -> None:
    said = b'  File "%s", line 123456789\n    %s\n    ^\nSyntaxError: %s\n' % (b"f" * 900, b"s" * 900, b"e" * 900)
    result = judge(Case(id="a"), Execution(status=1, stderr=said), None, toolchain=REAL_PYTHON, command="a.py")
    assert result.message.text.startswith("Python cannot read")
    assert len(result.message.text) <= 200


@each_row
def test_hostile_words_of_python_cost_no_more_than_their_length(piece: bytes) -> None:
    execution = Execution(status=1, stderr=b'  File "a", line 1\n    ' + piece * (2**20 // len(piece)))
    judge(Case(id="a"), execution, None, toolchain=REAL_PYTHON, command="a.py")  # in quadratic time it would not end


def test_patterns_over_many_lines_cost_little_in_long_errors() -> None:
    java = TOOLCHAINS["java"]
    run, began = Execution(status=1, stderr=b"A.java:1: error: x\n" * 60_000), time.process_time()
    crashed(Case(id="a"), run, java, no_lines)
    assert time.process_time() - began < 0.4


def test_an_exception_is_cut_and_escaped(judged: Judged) -> None:
    result = judged(Execution(status=1, stderr=b'Exception in thread "\xff' + b"x" * 10_000), RIGHT)
    assert r"\xff" in result.message.text
    assert len(result.message.text) < 300


@pytest.mark.parametrize("stderr", [b"Traceback (most recent call last):", b"Traceback (most recent call last):\n  at"])
def test_half_a_traceback(judged: Judged, stderr: bytes) -> None:
    assert judged(Execution(status=1, stderr=stderr), RIGHT).message.text.endswith("exception: `Traceback`.")


REAL_JAVA = TOOLCHAINS["java"]
SOURCES = {
    ("Queens.java", 7): "    int n = Integer.parseInt(args[0]);  ",
    ("a.py", 3): "fail()",
    ("n.py", 1): "x" * 900,
    ("Packed.java", 3): "package a.b ; // of Eclipse",
    ("Free.java", 1): "// package a;",
}
NO_LINE = b'Exception in thread "main" java.util.NoSuchElementException: No line found\n'


def with_sources(stderr: bytes, language: Toolchain, args: tuple[str, ...] = (), stdout: bytes = b"") -> str:
    case = Case(id="a", args=args, expect=RIGHT)
    execution = Execution(status=1, stderr=stderr, stdout=stdout)
    return judge(
        case, execution, None, toolchain=language, command="a", read_line=lambda *at: SOURCES.get(at, "")
    ).message.text


@each_row
def test_an_exception_is_told_with_its_line(stderr: bytes, language: str, told: str) -> None:
    assert with_sources(stderr, TOOLCHAINS[language], ("-v", "4")) == told


def test_the_longest_exception_with_its_line() -> None:
    said = PYTHON.replace(b"a.py", b"n.py").replace(b"line 3", b"line 1").replace(b"no number", b"x" * 900)
    told = with_sources(said, REAL_PYTHON)
    assert "in line 1 of `n.py`" in told
    assert len(told) <= 200


def test_of_a_command_of_its_own_nothing_is_an_argument() -> None:
    case = Case(id="a", args=("8",), command=("python3", "a.py"))
    told = judge(case, Execution(status=1, stderr=NO_LINE), None, toolchain=REAL_JAVA, command="a").message.text
    assert told.endswith(" Your program reads input, but there is none.")


def test_memory_may_run_out_while_an_exception_is_printed() -> None:
    said = b'\nException: java.lang.OutOfMemoryError thrown from the UncaughtExceptionHandler in thread "main"\n'
    result = judge(Case(id="a"), Execution(status=1, stderr=said), None, toolchain=REAL_JAVA, command="a")
    assert result.verdict is Verdict.MEMORY


def test_who_has_something_to_read_is_not_told_so() -> None:
    case, execution = Case(id="a", stdin=b"8\n", args=("8",)), Execution(status=1, stderr=NO_LINE)
    assert "reads input, but" not in judge(case, execution, None, toolchain=REAL_JAVA, command="a").message.text


CASE = Case(id="a")


@each_row
def test_an_exception_is_looked_for_in_the_last_that_was_said(stderr: bytes, *, is_crash: bool) -> None:
    toolchain = Toolchain(name="any", crash=("(?m)^Oops",))
    assert bool(crashed(CASE, Execution(status=1, stderr=stderr), toolchain, no_lines)) is is_crash


@each_row
def test_which_part_of_a_line_is_quoted(stderr: bytes, told: str) -> None:
    toolchain = Toolchain(name="any", crash=("Oops",), out_of_memory=("MemoryError",))
    found = crashed(CASE, Execution(status=1, stderr=stderr), toolchain, no_lines)
    assert found
    assert found[1].text == told


def test_what_a_language_cannot_read_may_be_told_without_its_file() -> None:
    pattern = r"(?:(?P<file>\w+):)?(?P<line>\d+): bad (?P<error>\w+)(?: <(?P<source>.*)>)?"
    toolchain = Toolchain(name="awk", title="AWK", unreadable=(pattern,))
    told = [
        describe_unreadable(toolchain, text, no_lines) for text in (b"7: bad sign", b"a:7: bad sign <x y>", b"fine")
    ]
    assert [one and one.text for one in told] == [
        "AWK cannot read your program: `sign` in line 7.",
        "AWK cannot read your program: `sign` in line 7 of `a`, `x y`.",
        None,
    ]


@pytest.mark.parametrize(("line", "is_told"), [(1, True), (60, True), (61, False)])
def test_a_package_line_is_looked_for_at_the_head_of_a_source(line: int, *, is_told: bool) -> None:
    asked: list[int] = []

    def read_line(_file: str, number: int) -> str:
        asked.append(number)
        return "package queens;" if number == line else "// licence"

    toolchain = Toolchain(name="java", crash=("Error",), no_class=(r"class (?P<name>\w+)",))
    found = crashed(CASE, Execution(status=1, stderr=b"Error: class Queens"), toolchain, read_line)
    assert found
    assert (f"it is in a package in line {line} of `Queens.java`" in found[1].text) is is_told
    assert (min(asked), max(asked)) == (1, min(line, 60))


@pytest.mark.parametrize(("inwards", "line"), [(False, 1), (True, 2)])
def test_the_innermost_line_is_told(line: int, *, inwards: bool) -> None:
    toolchain = Toolchain(
        name="any", crash=("Oops",), frames=(r"(?P<file>\w+\.x):(?P<line>\d+)",), frames_inwards=inwards
    )
    found = crashed(CASE, Execution(status=1, stderr=b"Oops a.x:1 a.x:2"), toolchain, lambda _, number: f"l{number}")
    assert found
    assert f"in line {line} of `a.x`, `l{line}`" in found[1].text


@pytest.mark.parametrize("place", ["../a.py:1", "a.py:x", "a.py:12345678", ":1"])
def test_only_a_line_of_a_file_is_read(place: str) -> None:
    assert source_at(place, lambda *_: "secret") == ""


OOPS = Toolchain(name="any", title="Any", crash=("Oops",), frames=(r"(?P<file>\w+\.x):(?P<line>\d+)",))


@each_row
def test_an_ending_has_a_verdict_a_key_and_a_sentence(
    case: Case,
    execution: Execution,
    toolchain: Toolchain,
    sources: dict[str, str],
    found: tuple[Verdict, tuple[str, ...], str] | None,
) -> None:
    ending = crashed(case, execution, toolchain, lambda file, line: sources.get(f"{file}:{line}", ""))
    assert (ending and (ending[0], ending[1].key, ending[1].text)) == found


@each_row
def test_why_a_program_did_not_do_its_work(
    verdict: Verdict, key: tuple[str, ...], execution: Execution, toolchain: Toolchain, cause: str | None
) -> None:
    assert cause_of_end((verdict, Message(key=key)), execution, toolchain) == cause
