"""Limits, crashes and statuses."""

from collections.abc import Callable
from fractions import Fraction

import pytest
import yaml
from msgspec.structs import replace

from grader.core.build.toolchains import TOOLCHAINS_FILE, toolchain
from grader.core.comparators.base import Wanted
from grader.core.deviations.undo import last_request
from grader.core.diagnosis import no_lines
from grader.core.errors import HostError
from grader.core.judge import judge
from grader.core.judge.ending import (
    MAX_ERROR_TAIL_BYTES,
    crashed,
    describe_disagreement,
    describe_unreadable,
    hint_no_stdin,
    source_at,
    stopped,
)
from grader.core.judge.ending import _last_line as last_line
from grader.core.model import (
    Case,
    CaseResult,
    Execution,
    Expectation,
    Expected,
    ExpectedExit,
    FailedStep,
    Interactor,
    LimitName,
    Measurement,
    Step,
    Toolchain,
    Verdict,
)
from grader.kinds.dialogue.model import Dialogue
from grader.kinds.unit_tests.model import UnitMethod
from tests.support.functions import function

Judged = Callable[..., CaseResult]

REAL_PYTHON = toolchain("python", yaml.safe_load(TOOLCHAINS_FILE.read_text()))
PRINTED = " It had printed 1 line, last `ok`."
LOOP = " It wrote {} over and over, as in an endless loop."
SILENT = " It was busy all the time: probably an endless loop, or too much work."
BUSY = " It was busy all the time: either a loop never ends, or there is too much to do."
IDLE = " It was idle most of the time: it is probably waiting for input."
RIGHT = Expectation(stdout=Expected(how="text", want=("ok\n",)))
JAVA = b"""Exception in thread "main" java.lang.NumberFormatException: For input string: "blah"
\tat java.base/java.lang.Integer.parseInt(Integer.java:652)
\tat Queens.main(Queens.java:7)
"""
JAVA_TELLS = 'java.lang.NumberFormatException: For input string: "blah"'
NO_MEMORY = b'Exception in thread "main" java.lang.OutOfMemoryError: Java heap space'
PYTHON = b"""working
Traceback (most recent call last):
  File "a.py", line 1, in <module>
    int("blah")
ValueError: invalid literal for int() with base 10: 'blah'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "a.py", line 3, in <module>
    fail()
RuntimeError: no number
"""


@pytest.mark.parametrize(
    ("limit", "verdict", "message"),
    [
        (
            "time",
            Verdict.TIMEOUT,
            "Your program was stopped after 10 s (it had used 9.8 s of processor time); the limit is 10 s."
            + PRINTED
            + BUSY,
        ),
        (
            "cpu",
            Verdict.TIMEOUT,
            "Your program was stopped after 9.8 s of processor time (10 s by the clock); the limit is 10 s."
            + PRINTED
            + BUSY,
        ),
        ("memory", Verdict.MEMORY, "Your program was stopped because it used more than 512 MiB of memory."),
        (
            "output",
            Verdict.OUTPUT,
            "Your program was stopped because it wrote more than 8 MiB to standard output." + PRINTED,
        ),
        ("processes", Verdict.CRASHED, "Your program was stopped because it started more than 64 processes at once."),
    ],
)
def test_limits(judged: Judged, limit: LimitName, verdict: Verdict, message: str) -> None:
    execution = Execution(stdout=b"ok\n", signal=9, limit=limit, time=10.02, cpu=9.81)
    result = judged(execution, RIGHT)
    assert (result.verdict, result.credit, result.message) == (verdict, Fraction(0), message)
    assert result.expected_stdout == "ok\n"


SLOW = Measurement(time=31.2, cpu=1.4, waited=29.9, limit="time")
SLOWER = Measurement(time=103, cpu=4, waited=96, limit="time")
SPENT = Measurement(time=12, cpu=11, waited=0.4, limit="cpu")


def test_what_the_machine_was_too_busy_for_is_ungraded_and_never_a_timeout(judged: Judged) -> None:
    result = judged(
        Execution(signal=9, limit="time", cpu_starved=True, measured=(SLOW, SLOWER), time=103, cpu=4), RIGHT
    )
    assert (result.verdict, result.credit) == (Verdict.UNGRADED, Fraction(0))
    assert result.message == (
        "The machine was too busy to measure your program: it took 31.2 s (1.4 s on a processor) and 103 s (4 s "
        "on a processor); "
        "the limit is 10 s. Grade it again when fewer programs run."
    )


def test_what_a_dialogue_waited_for_in_vain_on_a_busy_machine_is_ungraded(judged: Judged) -> None:
    stop = FailedStep(step=Step(do="expect", text="n? ", within=4), number=2, ended=False, waited=4)
    result = judged(Execution(signal=9, cpu_starved=True, stop=stop, measured=(SLOW, SLOWER)), RIGHT)
    assert (result.verdict, result.credit) == (Verdict.UNGRADED, Fraction(0))
    assert result.message.endswith(
        "and 103 s (4 s on a processor); step 2 of the dialogue waits 4 s. Grade it again when fewer programs run."
    )


def test_when_the_last_measurement_says_something_else_that_is_told(judged: Judged) -> None:
    result = judged(Execution(signal=9, limit="cpu", measured=(SLOW, SPENT), time=12, cpu=11), RIGHT)
    assert result.verdict == Verdict.TIMEOUT
    assert result.message == (
        "Your program was stopped after 11 s of processor time (12 s by the clock); the limit is 10 s. "
        "It was run 2 times; the last run counts. It had printed nothing." + SILENT
    )


@pytest.mark.parametrize(
    ("first", "told"),
    [
        (Measurement(time=10.5, cpu=1, waited=0, limit="time"), True),
        (Measurement(time=5.1, cpu=1, waited=0, limit="time"), False),  # by an option of ours
        (Measurement(time=5.1, cpu=1, waited=0), False),
    ],
)
def test_when_only_the_first_measurement_was_late_that_is_told_of_a_wrong_answer(
    judged: Judged, first: Measurement, *, told: bool
) -> None:
    measured = (first, Measurement(time=9, cpu=1, waited=0))
    wrong = judged(Execution(status=0, stdout=b"no\n", measured=measured), RIGHT)
    assert wrong.message.endswith(" Your program was run 2 times and ended differently; the last run counts.") is told
    assert judged(Execution(status=0, stdout=b"ok\n", measured=measured), RIGHT).message == ""


@pytest.mark.parametrize(
    ("execution", "verdict", "message"),
    [
        (Execution(signal=11), Verdict.CRASHED, "Your program crashed: segmentation fault (SIGSEGV)."),
        (Execution(signal=63), Verdict.CRASHED, "Your program crashed: signal 63."),
        (
            Execution(signal=11, by_status=True),
            Verdict.CRASHED,
            (
                "Your program ended with status 139, which is also how a shell reports a signal: segmentation fault "
                "(SIGSEGV)."
            ),
        ),
        (
            Execution(signal=6, by_status=True, stderr=b"terminate called without an active exception\n"),
            Verdict.CRASHED,
            "Your program crashed: aborted (SIGABRT), `terminate called without an active exception`.",
        ),
        (
            Execution(signal=6, stderr=b"terminate called without an active exception\n"),
            Verdict.CRASHED,
            "Your program crashed: aborted (SIGABRT), `terminate called without an active exception`.",
        ),
        (
            Execution(status=1, stderr=JAVA),
            Verdict.CRASHED,
            f"Your program ended with an uncaught exception: `{JAVA_TELLS}`.",
        ),
        (
            Execution(status=1, stderr=PYTHON),
            Verdict.CRASHED,
            "Your program ended with an uncaught exception: `RuntimeError: no number`.",
        ),
        (
            Execution(status=1, stderr=NO_MEMORY + b"\n\tat Queens.main(Queens.java:9)\n"),
            Verdict.MEMORY,
            "Your program ran out of memory (it may use 512 MiB): `java.lang.OutOfMemoryError: Java heap space`.",
        ),
    ],
)
def test_crashes(judged: Judged, execution: Execution, verdict: Verdict, message: str) -> None:
    result = judged(execution, RIGHT)
    assert (result.verdict, result.credit, result.message) == (verdict, Fraction(0), message)


@pytest.mark.parametrize(
    ("execution", "asked"),
    [
        (Execution(stdout=b"ok\n", status=0, stderr=JAVA), "any"),
        (Execution(stdout=b"ok\n", status=1, stderr=b"usage\n"), "any"),
        (Execution(stdout=b"ok\n", status=1, stderr=b"an Exception in thread\n"), "failure"),
        (Execution(stdout=b"ok\n", status=1, stderr=JAVA), (1,)),
        (Execution(stdout=b"ok\n", signal=6), (0, 134)),
    ],
)
def test_no_crash(judged: Judged, execution: Execution, asked: ExpectedExit) -> None:
    assert judged(execution, Expectation(stdout=RIGHT.stdout, exit=asked)).verdict == Verdict.PASSED


@pytest.mark.parametrize("asked", ["any", "failure", "reference", (2,)])
def test_an_exception_is_a_crash_unless_its_status_is_named(judged: Judged, asked: ExpectedExit) -> None:
    reference = Execution(status=1)
    assert judged(Execution(status=1, stderr=JAVA), Expectation(exit=asked), None, reference).verdict == Verdict.CRASHED


IMPORTED = b'Traceback (most recent call last):\n  File "/w/b.py", line 1, in <module>\n    import a\n'
FOLLOWED = b"\nDuring handling of the above exception, another exception occurred:\n\n"


@pytest.mark.parametrize(
    ("stderr", "message"),
    [
        (
            b'  File "/w/a.py", line 2\n    def f(:\n          ^\nSyntaxError: invalid syntax\n',
            "Python cannot read your program: `SyntaxError: invalid syntax` in line 2 of `a.py`, `def f(:`.",
        ),
        (
            b'  File "c.py", line 12\n    pass\n    ^\nIndentationError: unexpected indent\n',
            "Python cannot read your program: `IndentationError: unexpected indent` in line 12 of `c.py`, `pass`.",
        ),
        (
            IMPORTED + b"  File \"/w/a.py\", line 2\n    x = )\n        ^\nSyntaxError: unmatched ')'\n",
            "Python cannot read your program: `SyntaxError: unmatched ')'` in line 2 of `a.py`, `x = )`.",
        ),
        (
            b"SyntaxError: Non-UTF-8 code starting with '\\xff' in file /w/d.py on line 1, but no encoding declared\n",
            "Python cannot read your program: `SyntaxError: Non-UTF-8 code starting with '\\xff'` in line 1 of `d.py`.",
        ),
        (
            IMPORTED + b'  File "<string>", line 1\n    1 +\nSyntaxError: invalid syntax\n',
            "Your program ended with an uncaught exception: `SyntaxError: invalid syntax`.",
        ),
        (
            b'  File "a.py", line 1\n    )\n    ^\nSyntaxError: unmatched\n' + FOLLOWED + PYTHON,
            "Your program ended with an uncaught exception: `RuntimeError: no number`.",
        ),
    ],
)
def test_what_python_cannot_read_is_no_exception_of_the_program(stderr: bytes, message: str) -> None:
    result = judge(Case(id="a"), Execution(status=1, stderr=stderr), None, toolchain=REAL_PYTHON, command="a.py")
    assert (result.verdict, result.message) == (Verdict.CRASHED, message)


def test_the_longest_line_that_python_cannot_read() -> None:
    said = b'  File "%s", line 123456789\n    %s\n    ^\nSyntaxError: %s\n' % (b"f" * 900, b"s" * 900, b"e" * 900)
    result = judge(Case(id="a"), Execution(status=1, stderr=said), None, toolchain=REAL_PYTHON, command="a.py")
    assert result.message.startswith("Python cannot read")
    assert len(result.message) <= 200


@pytest.mark.parametrize(
    "piece", [b" ", b'  File "a", line 1\n', b'  File "a", line 1\n    ', b"SyntaxError: a\n", b"\n"]
)
def test_hostile_words_of_python_cost_no_more_than_their_length(piece: bytes) -> None:
    execution = Execution(status=1, stderr=b'  File "a", line 1\n    ' + piece * (2**20 // len(piece)))
    judge(Case(id="a"), execution, None, toolchain=REAL_PYTHON, command="a.py")  # in quadratic time it would not end


def test_an_exception_is_cut_and_escaped(judged: Judged) -> None:
    result = judged(Execution(status=1, stderr=b'Exception in thread "\xff' + b"x" * 10_000), RIGHT)
    assert r"\xff" in result.message
    assert len(result.message) < 300


@pytest.mark.parametrize("stderr", [b"Traceback (most recent call last):", b"Traceback (most recent call last):\n  at"])
def test_half_a_traceback(judged: Judged, stderr: bytes) -> None:
    assert judged(Execution(status=1, stderr=stderr), RIGHT).message.endswith("exception: `Traceback`.")


@pytest.mark.parametrize(
    ("asked", "status", "message"),
    [
        ("any", 7, ""),
        ("success", 0, ""),
        ("success", 1, "Your program ended with status 1; the assignment asks for 0."),
        ("failure", 3, ""),
        ("failure", 0, "Your program ended with status 0; the assignment asks for any but 0."),
        ((0, 2), 2, ""),
        ((0, 2), 1, "Your program ended with status 1; the assignment asks for 0 or 2."),
        ("reference", 5, ""),
        ("reference", 0, "Your program ended with status 0; the assignment asks for 5."),
    ],
)
def test_exit(judged: Judged, asked: ExpectedExit, status: int, message: str) -> None:
    reference = Execution(status=5) if asked == "reference" else None
    result = judged(Execution(status=status), Expectation(exit=asked), None, reference)
    assert result.message == message
    assert [deviation.kind for deviation in result.deviations] == (["exit-status"] if message else [])


def test_a_status_can_be_tolerated(judged: Judged) -> None:
    execution = Execution(stdout=b"ok", status=1)
    expect = Expectation(stdout=RIGHT.stdout, exit="success")
    result = judged(execution, expect, {"exit-status": Fraction(1, 2), "final-newline": Fraction(1, 2)})
    assert (result.verdict, result.credit) == (Verdict.PARTIAL, Fraction(1, 4))


def test_a_runner_that_tells_nothing_is_our_fault(judged: Judged) -> None:
    with pytest.raises(HostError, match="neither a status nor a signal"):
        judged(Execution(), Expectation(exit="success"))


@pytest.mark.parametrize(
    ("execution", "told"),
    [
        (
            Execution(limit="time", time=10, cpu=0.1),
            " It had printed nothing. It was idle most of the time: it is probably waiting for input.",
        ),
        (
            Execution(limit="time", time=10, cpu=0.1, stderr=b"a\nb"),
            (
                " It had printed 2 lines to standard error, last `b`. It was idle most of the time: it is probably "
                "waiting for input."
            ),
        ),
        (
            Execution(limit="output", stdout=b"n = \nagain\n" * 900),
            PRINTED.replace("1 line", "1800 lines").replace("`ok`", "`again`") + LOOP.format("`again` and `n = `"),
        ),
        (
            Execution(limit="cpu", cpu=10, stdout=b"".join(b"%d\n" % number for number in range(90))),
            f" It had printed 90 lines, last `89`.{BUSY}",
        ),
    ],
)
def test_what_was_stopped_is_told_with_what_it_had_done(judged: Judged, execution: Execution, told: str) -> None:
    assert judged(replace(execution, signal=9), RIGHT).message.endswith(told)


REAL_JAVA = toolchain("java", yaml.safe_load(TOOLCHAINS_FILE.read_text()))
SOURCES = {
    ("Queens.java", 7): "    int n = Integer.parseInt(args[0]);  ",
    ("a.py", 3): "fail()",
    ("n.py", 1): "x" * 900,
    ("Packed.java", 3): "package a.b ; // of Eclipse",
    ("Free.java", 1): "// package a;",
}
AT_JAVA = " in line 7 of `Queens.java`, `int n = Integer.parseInt(args[0]);`."
AT_PACKAGE = " in line 3 of `Packed.java`, `package a.b ; // of Eclipse`"
KEYBOARD = " Your program reads input, but the number comes as an argument: `-v 4`."
NO_LINE = b'Exception in thread "main" java.util.NoSuchElementException: No line found\n'
NULL = b'Exception in thread "main" java.lang.NumberFormatException: Cannot parse null string: null\n'
NO_CLASS = b"Error: Could not find or load main class "
BECAUSE = b'java.lang.NullPointerException: Cannot invoke "String.length()" because "a[1]" is null'
NO_MAIN = b"Error: Main method not found in class Queens, please define the main method as:\n   public static\n"


def with_sources(stderr: bytes, language: Toolchain, args: tuple[str, ...] = (), stdout: bytes = b"") -> str:
    case = Case(id="a", args=args, expect=RIGHT)
    execution = Execution(status=1, stderr=stderr, stdout=stdout)
    return judge(
        case, execution, None, toolchain=language, command="a", read_line=lambda *at: SOURCES.get(at, "")
    ).message


@pytest.mark.parametrize(
    ("stderr", "language", "told"),
    [
        (JAVA, REAL_JAVA, f"Your program ended with an uncaught exception: `{JAVA_TELLS}`{AT_JAVA}"),
        (
            PYTHON,
            REAL_PYTHON,
            "Your program ended with an uncaught exception: `RuntimeError: no number` in line 3 of `a.py`, `fail()`.",
        ),
        (JAVA.replace(b":7)", b":9)"), REAL_JAVA, f"Your program ended with an uncaught exception: `{JAVA_TELLS}`."),
        (
            JAVA.replace(b":7)", b":7777777777)"),
            REAL_JAVA,
            f"Your program ended with an uncaught exception: `{JAVA_TELLS}`.",
        ),
        (JAVA.replace(b"(Q", b"(../Q"), REAL_JAVA, f"Your program ended with an uncaught exception: `{JAVA_TELLS}`."),
        (NO_MAIN, REAL_JAVA, "There is no `main` to start in `Queens`."),
        (NO_CLASS + b"Queens\n", REAL_JAVA, "There is no class `Queens` to start."),
        (NO_CLASS + b"Free\nCaused by: x\n", REAL_JAVA, "There is no class `Free` to start."),
        (
            NO_CLASS + b"a.Packed\n",
            REAL_JAVA,
            f"There is no class `a.Packed` to start: it is in a package{AT_PACKAGE}, so take that line out.",
        ),
        (
            JAVA.replace(JAVA_TELLS.encode(), BECAUSE),
            REAL_JAVA,
            (
                f'Your program ended with an uncaught exception: `java.lang.NullPointerException: … because "a[1]" '
                f"is null`{AT_JAVA}"
            ),
        ),
        (NO_LINE, REAL_JAVA, f"Your program ended with an uncaught exception: `{NO_LINE.decode()[27:-1]}`.{KEYBOARD}"),
        (NULL, REAL_JAVA, f"Your program ended with an uncaught exception: `{NULL.decode()[27:-1]}`.{KEYBOARD}"),
        (
            PYTHON.replace(b"RuntimeError: no number", b"EOFError: EOF when reading a line"),
            REAL_PYTHON,
            "Your program ended with an uncaught exception: `EOFError: EOF when reading a line` in line 3 of "
            "`a.py`, `fail()`." + KEYBOARD,
        ),
    ],
)
def test_an_exception_is_told_with_its_line(stderr: bytes, language: Toolchain, told: str) -> None:
    assert with_sources(stderr, language, ("-v", "4")) == told


def test_the_longest_exception_with_its_line() -> None:
    said = PYTHON.replace(b"a.py", b"n.py").replace(b"line 3", b"line 1").replace(b"no number", b"x" * 900)
    told = with_sources(said, REAL_PYTHON)
    assert "in line 1 of `n.py`" in told
    assert len(told) <= 200


def test_of_a_command_of_its_own_nothing_is_an_argument() -> None:
    case = Case(id="a", args=("8",), command=("python3", "a.py"))
    told = judge(case, Execution(status=1, stderr=NO_LINE), None, toolchain=REAL_JAVA, command="a").message
    assert told.endswith(" Your program reads input, but there is none.")


def test_who_has_something_to_read_is_not_told_so() -> None:
    case, execution = Case(id="a", stdin=b"8\n", args=("8",)), Execution(status=1, stderr=NO_LINE)
    assert "reads input, but" not in judge(case, execution, None, toolchain=REAL_JAVA, command="a").message


@pytest.mark.parametrize(
    ("args", "stdout", "told"),
    [
        (("8",), b"Enter a number: ", " Your program reads input, but the number comes as an argument: `8`."),
        (("a",), b"\nHow many queens? 0\n", " Your program reads input, but arguments are given: `a`."),
        ((), b"Please type n: ", " Your program reads input, but there is none."),
        (("8",), b"entered: 8\n", "expected `ok`."),
    ],
)
def test_who_asks_at_the_keyboard_is_told_that_nobody_types(args: tuple[str, ...], stdout: bytes, told: str) -> None:
    assert with_sources(b"", REAL_PYTHON, args, stdout).endswith(told)


@pytest.mark.parametrize(
    "asked",
    [Expected(how="text", want=("Enter n: 4\nok\n",)), Expected(how="text", want=("ok\n",), skip="^Enter")],
    ids=["the right program asks too", "such lines do not count"],
)
def test_who_asks_as_the_right_program_does_is_not_said_to_read(asked: Expected) -> None:
    case = Case(id="a", args=("8",), expect=Expectation(stdout=asked))
    told = judge(
        case, Execution(status=0, stdout=b"Enter n: 4\nno\n"), None, toolchain=REAL_PYTHON, command="a"
    ).message
    assert "`no`" in told
    assert "reads input" not in told


@pytest.mark.parametrize(
    ("stdout", "printed"),
    [
        (b"a\n" + b" \n" * 200_000, "200001 lines, last `a`"),
        (b"a\n  b\n" + b" " * 2**16, "3 lines, last `  b`"),
        (b"a\n" + b"x" * 200_000, f"2 lines, last `{'x' * 40}…`"),
        (b" " * 2**16 + b"a\n", f"1 line, last `{' ' * 40}…`"),
        (b" \n" * 100_000, "nothing"),
    ],
)
def test_the_last_line_of_a_long_output_is_told(judged: Judged, stdout: bytes, printed: str) -> None:
    result = judged(Execution(stdout=stdout, signal=9, limit="output"), RIGHT)
    assert f"It had printed {printed}." in result.message


# ---------------------------------------------------------------- at the edges

CASE = Case(id="a")
ANY = Toolchain(name="any")
UNIT = UnitMethod(framework="pytest", file="t.py", source=b"", method="test_x")


def describe_of(execution: Execution, case: Case = CASE) -> str:
    found = stopped(case, execution)
    assert found
    return found[1]


def test_a_time_out_that_was_measured_twice_alike_needs_no_word_about_it() -> None:
    runs = tuple(Measurement(time=10, cpu=1, waited=0, limit="time") for _ in range(2))
    assert "It was run" not in describe_of(Execution(signal=9, limit="time", time=10, cpu=5, measured=runs))
    other = (replace(runs[0], limit=None), runs[1])
    assert "It was run 2 times" in describe_of(Execution(signal=9, limit="time", time=10, cpu=5, measured=other))


@pytest.mark.parametrize(("stderr", "where"), [(b"", "output"), (b"ab", "output"), (b"abc", "error")])
def test_the_stream_that_holds_more_is_that_of_too_much_output(stderr: bytes, where: str) -> None:
    assert f"to standard {where}." in describe_of(Execution(signal=9, limit="output", stdout=b"ab", stderr=stderr))


@pytest.mark.parametrize(("time", "is_told"), [(9.9, False), (10, True)])
def test_a_run_that_our_options_had_stopped_early_was_no_measurement(time: float, *, is_told: bool) -> None:
    runs = (
        Measurement(time=time, cpu=1, waited=0, limit="time"),
        Measurement(time=1, cpu=1, waited=0),
    )
    assert bool(describe_disagreement(Execution(status=0, measured=runs), Verdict.FAILED)) is is_told


def test_what_the_machine_lacked_is_told() -> None:
    again = " Grade it again when fewer programs run."
    assert describe_of(Execution(signal=9, killed_by_host=True, memory=2**20)) == (
        f"The machine ran out of memory when your program used 1 MiB of its 512 MiB.{again}"
    )
    assert describe_of(Execution(signal=9, cpu_starved=True, limit="time", time=11, cpu=1)) == (
        "The machine was too busy to measure your program: it took 11 s (1 s on a processor); the limit is 10 s."
        f"{again}"
    )


@pytest.mark.parametrize(
    ("output", "line"), [(b"", b""), (b"\nabc", b"abc"), (b"a\nb\n", b"b"), (b"x" * 70_000, b"x" * 65_536)]
)
def test_the_last_line_is_never_copied_whole(output: bytes, line: bytes) -> None:
    assert last_line(output) == line


@pytest.mark.parametrize(
    ("lines", "again"),
    [
        ([b"a"] * 40, "that"),
        ([b"a"] * 39, ""),
        ([b"a", b"b", b"c", b"d"] * 11, "`d`, `a`, `b` and `c`"),
        ([b"a", b"b", b"c", b"d", b"e"] * 9, ""),
        ([b"x"] * 9 + [b"a"] * 41, "that"),
        ([b"x"] * 9 + [b"a"] * 40, "`x` and `a`"),
        ([b"a" * 2000] * 50, ""),  # of which it is not looked at enough
    ],
)
def test_lines_that_come_again_and_again(lines: list[bytes], again: str) -> None:
    output = b"\n".join(lines) + b"\n"
    told = describe_of(Execution(signal=9, limit="output", stdout=output))
    assert ("over and over" in told) is bool(again)
    assert LOOP.format(again) in told or not again


@pytest.mark.parametrize(
    ("limit", "cpu", "told"),
    [
        ("time", 8, BUSY),
        ("time", 7.9, ""),
        ("time", 5, ""),
        ("time", (1 - 0.8) * 10, IDLE),
        ("time", 2.1, ""),
        ("output", 1, ""),
        ("cpu", 1, BUSY),
        ("output", 9, ""),
    ],
)
def test_how_much_of_its_time_it_worked(limit: LimitName, cpu: float, told: str) -> None:
    said = describe_of(Execution(signal=9, limit=limit, time=10, cpu=cpu, stdout=b"ok\n"))
    assert said.endswith(PRINTED + told)


@pytest.mark.parametrize(
    ("time", "cpu", "waited", "slept", "told"),
    [
        (10, 0.1, 0.0, None, IDLE),
        (10, 0.1, 0.5, 1.0, IDLE),
        # Two that were seen on a machine with ten times too much to do: what they waited is known in part alone.
        (75, 11, 9.0, 0.0, ""),
        (84.9, 10.9, 18.9, 0.1, ""),
        (84.9, 10.9, 0.0, 0.1, ""),  # a virtual machine that has no processor itself tells nobody
        (20, 0.1, 10.0, 1.0, ""),  # it slept at the looks, and waited for a processor in between
        (30, 9, 20.0, 0.0, BUSY),
        (30, 4, 20.0, 0.0, ""),
    ],
)
def test_what_a_busy_machine_starved_is_not_called_idle(
    time: float, cpu: float, waited: float, slept: float | None, told: str
) -> None:
    execution = Execution(signal=9, limit="time", time=time, cpu=cpu, waited=waited, slept=slept, stdout=b"ok\n")
    assert describe_of(execution).endswith(PRINTED + told)


@pytest.mark.parametrize(
    "case", [replace(CASE, kind="unit", payload=UNIT), replace(CASE, kind="functions", payload=function("def f(b)", 1))]
)
def test_of_what_is_called_it_is_not_told_what_it_printed(case: Case) -> None:
    said = describe_of(Execution(signal=9, limit="time", time=10, cpu=5, stdout=b"ok\n"), case)
    assert said.endswith("the limit is 10 s.")


@pytest.mark.parametrize(
    ("stderr", "is_crash"),
    [
        (b"y" * (MAX_ERROR_TAIL_BYTES - 7) + b"\nOops: 1", True),
        (b"y\n" * MAX_ERROR_TAIL_BYTES + b"Oops: 1", True),
        (b"Oops: 1\n" + b"y\n" * MAX_ERROR_TAIL_BYTES, False),
    ],
)
def test_an_exception_is_looked_for_in_the_last_that_was_said(stderr: bytes, *, is_crash: bool) -> None:
    toolchain = Toolchain(name="any", crash=("(?m)^Oops",))
    assert bool(crashed(CASE, Execution(status=1, stderr=stderr), toolchain, no_lines)) is is_crash


@pytest.mark.parametrize(
    ("stderr", "told"),
    [
        (b"Number: MemoryError: x", "Your program ran out of memory (it may use 512 MiB): `Number: MemoryError: x`."),
        (b"\nMemoryError", "Your program ran out of memory (it may use 512 MiB): `MemoryError`."),
        (b"a\nNumber: Oops: 1\nb", "Your program ended with an uncaught exception: `Oops: 1`."),
        (
            b"Oops: " + b"x" * 99 + b": a because b: c because d",
            "Your program ended with an uncaught exception: `Oops: … because b: c because d`.",
        ),
        (
            b"Oops: x because " + b"y" * 94,
            f"Your program ended with an uncaught exception: `Oops: x because {'y' * 94}`.",
        ),
    ],
)
def test_which_part_of_a_line_is_quoted(stderr: bytes, told: str) -> None:
    toolchain = Toolchain(name="any", crash=("Oops",), out_of_memory=("MemoryError",))
    found = crashed(CASE, Execution(status=1, stderr=stderr), toolchain, no_lines)
    assert found
    assert found[1] == told


def test_what_a_language_cannot_read_may_be_told_without_its_file() -> None:
    pattern = r"(?:(?P<file>\w+):)?(?P<line>\d+): bad (?P<error>\w+)(?: <(?P<source>.*)>)?"
    toolchain = Toolchain(name="awk", title="AWK", unreadable=(pattern,))
    assert describe_unreadable(toolchain, b"7: bad sign") == "AWK cannot read your program: `sign` in line 7."
    told = describe_unreadable(toolchain, b"a:7: bad sign <x y>")
    assert told == "AWK cannot read your program: `sign` in line 7 of `a`, `x y`."
    assert describe_unreadable(toolchain, b"fine") == ""


@pytest.mark.parametrize(("line", "is_told"), [(1, True), (60, True), (61, False)])
def test_a_package_line_is_looked_for_at_the_head_of_a_source(line: int, *, is_told: bool) -> None:
    asked: list[int] = []

    def read_line(_file: str, number: int) -> str:
        asked.append(number)
        return "package queens;" if number == line else "// licence"

    toolchain = Toolchain(name="java", crash=("Error",), no_class=(r"class (?P<name>\w+)",))
    found = crashed(CASE, Execution(status=1, stderr=b"Error: class Queens"), toolchain, read_line)
    assert found
    assert (f"it is in a package in line {line} of `Queens.java`" in found[1]) is is_told
    assert (min(asked), max(asked)) == (1, min(line, 60))


@pytest.mark.parametrize(("inwards", "line"), [(False, 1), (True, 2)])
def test_the_innermost_line_is_told(line: int, *, inwards: bool) -> None:
    toolchain = Toolchain(
        name="any", crash=("Oops",), frames=(r"(?P<file>\w+\.x):(?P<line>\d+)",), frames_inwards=inwards
    )
    found = crashed(CASE, Execution(status=1, stderr=b"Oops a.x:1 a.x:2"), toolchain, lambda _, number: f"l{number}")
    assert found
    assert f"in line {line} of `a.x`, `l{line}`" in found[1]


@pytest.mark.parametrize("place", ["../a.py:1", "a.py:x", "a.py:12345678", ":1"])
def test_only_a_line_of_a_file_is_read(place: str) -> None:
    assert source_at(place, lambda *_: "secret") == ""


ASKS = Execution(status=0, stdout=b"Enter a number: ")
TYPED = " Your program reads input, but there is none."

ASKED_LAST = " Your program's last output asks for input (`Enter a number:`); its input has 1 line."


def want(*values: bytes, only: str = "", skip: str = "") -> Wanted:
    return Wanted(
        how="contains", values=values, tolerate={}, place="stdout", where="standard output", only=only, skip=skip
    )


@pytest.mark.parametrize(
    ("case", "wanted", "told"),
    [
        (CASE, None, TYPED),
        (CASE, want(b"ok"), TYPED),
        (CASE, want(b"ok", only="ok"), ""),
        (CASE, want(b"ok", skip="ok"), ""),
        (CASE, want(b"ok", b"Enter a number: "), ""),
        (replace(CASE, stdin=b"1\n"), None, ASKED_LAST),
        (replace(CASE, stdin=b"1\n"), want(b"Enter a number: 7"), ""),
        (replace(CASE, stdin=b"1\n"), want(b"Enter a text: 7"), ASKED_LAST),
        (replace(CASE, kind="dialogue", payload=Dialogue(steps=(Step(do="eof"),))), None, ""),
        (replace(CASE, kind="interactive", payload=Interactor(program="x")), None, ""),
        (replace(CASE, kind="unit", payload=UNIT), None, ""),
        (replace(CASE, kind="functions", payload=function("def f(b)", 1)), None, ""),
    ],
)
def test_who_is_told_that_nobody_types(case: Case, wanted: Wanted | None, told: str) -> None:
    assert hint_no_stdin(case, ASKS, wanted) == told


@pytest.mark.parametrize(
    ("output", "request_"),
    [
        (b"Enter a text: ", b"Enter a text:"),
        (b"How many? Which text? ", b"Which text?"),
        (b"Welcome!\nName: ", b"Name:"),
        (b"Enter n:\nn = ", b"n ="),
        (b"Enter a text:\n", b"Enter a text:"),
        (b"Enter a text: ok\n", b""),
        (b"Enter a number: 1\n", b""),
        (b"Enter a number: 1", b""),
        (b"Enter a number", b"Enter a number"),
        (b"The value of n is: ", b""),
        (b"The sum is: ", b""),
        (b"Sum: 5\n", b""),
        (b"Name: Ann\n", b""),
        (b"", b""),
        (b" \n\n", b""),
        (b"x" * 100_000 + b"\nEnter n: ", b"Enter n:"),
    ],
)
def test_what_a_program_asks_for_in_the_end(output: bytes, request_: bytes) -> None:
    assert last_request(output) == request_


@pytest.mark.parametrize(
    ("stdin", "output", "told"),
    [
        (b"3\n4\n", b"Enter n: Enter a text: ", " (2 lines) had ended when it asked `Enter a text:`."),
        (b"3", b"", " (1 line) had ended."),
    ],
)
def test_who_reads_beyond_the_end_of_the_input_is_told(stdin: bytes, output: bytes, told: str) -> None:
    errors = b"Traceback (most recent call last):\nEOFError: EOF when reading a line\n"
    found = crashed(
        replace(CASE, stdin=stdin), Execution(status=1, stdout=output, stderr=errors), REAL_PYTHON, no_lines
    )
    assert found
    assert found[1].endswith(f" Its input{told}")


@pytest.mark.parametrize(
    ("output", "told"),
    [
        (b"Enter a number: " * 999, "It asks `Enter a number:` over and over, though its input has ended."),
        (b"Enter a number: " * 999 + b"Ente", "It asks `Enter a number:` over and over, though its input has ended."),
        (b"Enter a number:\nInvalid.\n" * 99 + b"Enter a n", "It asks `Enter a number:` over and over, though its"),
        (b"Invalid.\nEnter a number: \n" * 99, "It asks `Enter a number:` over and over, though its input has ended."),
        (b"(2, 4, 1, 3)\n" * 99, "It wrote that over and over, as in an endless loop."),
        (b"Enter a number: 1\n" * 99, "It wrote that over and over, as in an endless loop."),
    ],
)
def test_who_asks_for_ever_is_told_that_nobody_answers(output: bytes, told: str) -> None:
    assert told in describe_of(Execution(signal=9, limit="output", stdout=output))
