"""Limits and statuses, and the sentences on what a program had done until its end."""

from collections.abc import Callable
from fractions import Fraction

import pytest
from msgspec.structs import replace

from grader.core.deviations.sentences import last_request
from grader.core.diagnosis import no_lines
from grader.core.errors import HostError
from grader.core.judge.case import judge
from grader.core.judge.ending import crashed, hint_no_stdin, stopped
from grader.core.model.execution import Execution, Measurement
from grader.core.model.limits import LimitName
from grader.core.model.report import CaseResult, Message, Verdict
from grader.core.model.spec import Case, Expectation, Expected, Interactor, Leaf
from grader.kinds.unit_tests.model import UnitMethod
from tests.support.comparators import wanted_of
from tests.support.functions import function
from tests.support.languages import TOOLCHAINS
from tests.support.rows import each_row

Judged = Callable[..., CaseResult]

REAL_PYTHON = TOOLCHAINS["python"]
PRINTED = " It had printed 1 line, last `ok`."
LOOP = " It wrote the same over and over, as in an endless loop."
BUSY = " It was busy all the time: a loop may never end, or the method is too slow."
RIGHT = Expectation(stdout=Leaf(how="text", want=("ok\n",)))


@each_row
def test_limits(judged: Judged, limit: LimitName, verdict: Verdict, message: str) -> None:
    execution = Execution(stdout=b"ok\n", signal=9, limit=limit, time=10.02, cpu=9.81)
    result = judged(execution, RIGHT)
    assert (result.verdict, result.credit, result.message.text) == (verdict, Fraction(0), message)
    assert result.expected_stdout == "ok\n"


SLOW = Measurement(time=31.2, cpu=1.4, waited=29.9, limit="time")
SLOWER = Measurement(time=103, cpu=4, waited=96, limit="time")
SPENT = Measurement(time=12, cpu=11, waited=0.4, limit="cpu")


def test_what_the_machine_was_too_busy_for_is_ungraded_and_never_a_timeout(judged: Judged) -> None:
    result = judged(
        Execution(signal=9, limit="time", doubts=frozenset({"cpu_starved"}), measured=(SLOW, SLOWER), time=103, cpu=4),
        RIGHT,
    )
    assert (result.verdict, result.credit) == (Verdict.UNGRADED, Fraction(0))
    assert result.message.text == (
        "The machine was too busy to measure your program: it took 103 s (4 s on a processor); "
        "the limit is 10 s. Grade it again when fewer programs run."
    )


def test_when_the_last_measurement_says_something_else_that_is_told(judged: Judged) -> None:
    result = judged(Execution(signal=9, limit="cpu", measured=(SLOW, SPENT), time=12, cpu=11), RIGHT)
    assert result.verdict == Verdict.TIMEOUT
    assert result.message.text == (
        "Your program was stopped after 11 s of processor time (12 s by the clock); the limit is 10 s. "
        f"It had printed nothing.{BUSY} Your program was run 2 times and ended differently; the last run counts."
    )


@each_row
def test_when_only_the_first_measurement_was_late_that_is_told_of_a_wrong_answer(
    judged: Judged, first: Measurement, *, told: bool
) -> None:
    measured = (first, Measurement(time=9, cpu=1, waited=0))
    wrong = judged(Execution(status=0, stdout=b"no\n", measured=measured), RIGHT)
    assert (
        wrong.message.text.endswith(" Your program was run 2 times and ended differently; the last run counts.") is told
    )
    assert judged(Execution(status=0, stdout=b"ok\n", measured=measured), RIGHT).message.text == ""


def test_a_status_can_be_tolerated(judged: Judged) -> None:
    execution = Execution(stdout=b"ok", status=1)
    expect = Expectation(stdout=RIGHT.stdout, exit="success")
    result = judged(execution, expect, {"exit-status": Fraction(1, 2), "final-newline": Fraction(1, 2)})
    assert (result.verdict, result.credit) == (Verdict.PARTIAL, Fraction(1, 4))


def test_a_runner_that_tells_nothing_is_our_fault(judged: Judged) -> None:
    with pytest.raises(HostError, match="neither a status nor a signal"):
        judged(Execution(), Expectation(exit="success"))


@each_row
def test_who_asks_at_the_keyboard_is_told_that_nobody_types(args: tuple[str, ...], stdout: bytes, told: str) -> None:
    case = Case(id="a", args=args, expect=RIGHT)
    found = judge(case, Execution(status=1, stdout=stdout), None, toolchain=REAL_PYTHON, command="a")
    assert found.message.text.endswith(told)


@each_row
def test_who_asks_as_the_right_program_does_is_not_said_to_read(asked: Expected) -> None:
    case = Case(id="a", args=("8",), expect=Expectation(stdout=asked))
    told = judge(
        case, Execution(status=0, stdout=b"Enter n: 4\nno\n"), None, toolchain=REAL_PYTHON, command="a"
    ).message.text
    assert "`no`" in told
    assert "reads input" not in told
    assert "keyboard" not in told


@each_row
def test_the_last_line_of_a_long_output_is_told(judged: Judged, stdout: bytes, printed: str) -> None:
    result = judged(Execution(stdout=stdout, signal=9, limit="output"), RIGHT)
    assert f"It had printed {printed}." in result.message.text


# ---------------------------------------------------------------- at the edges

CASE = Case(id="a")
UNIT = UnitMethod(framework="pytest", file="t.py", source=b"", method="test_x")


def describe_of(execution: Execution, case: Case = CASE) -> str:
    found = stopped(case, execution)
    assert found
    return found[1].text


@pytest.mark.parametrize(("stderr", "where"), [(b"", "output"), (b"ab", "output"), (b"abc", "error")])
def test_the_stream_that_holds_more_is_that_of_too_much_output(stderr: bytes, where: str) -> None:
    assert f"to standard {where}." in describe_of(Execution(signal=9, limit="output", stdout=b"ab", stderr=stderr))


def test_a_machine_without_memory_is_told() -> None:
    assert describe_of(Execution(signal=9, doubts=frozenset({"killed_by_host"}), memory=2**20)) == (
        "The machine ran out of memory when your program used 1 MiB of its 512 MiB. "
        "Grade it again when fewer programs run."
    )


@each_row
def test_what_was_stopped_is_told_with_what_it_had_done(judged: Judged, execution: Execution, told: str) -> None:
    assert judged(execution, RIGHT).message.text.endswith(f". {told}")


@each_row
def test_lines_that_come_again_and_again(output: bytes, *, again: bool) -> None:
    assert (LOOP in describe_of(Execution(signal=9, limit="output", stdout=output))) is again


def test_long_lines_are_not_compared_often_enough_to_be_a_loop() -> None:
    assert LOOP not in describe_of(Execution(signal=9, limit="output", stdout=(b"a" * 2000 + b"\n") * 50))


@each_row
def test_how_much_of_its_time_it_worked(limit: LimitName, cpu: float, told: str) -> None:
    said = describe_of(Execution(signal=9, limit=limit, time=10, cpu=cpu, stdout=b"ok\n"))
    assert said.endswith(PRINTED + told)


@each_row
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


CALLED = function("def f(b)", 1)
ASKS = Execution(status=0, stdout=b"Enter a number: ")


@each_row
def test_who_is_told_that_nobody_types(
    case: Case, contains: list[bytes] | None, only: str, skip: str, told: str
) -> None:
    wanted = None if contains is None else wanted_of("contains", *contains, only=only, skip=skip)
    assert hint_no_stdin(Message(), case, ASKS, wanted).text == told


@each_row
def test_what_a_program_asks_for_in_the_end(output: bytes, request_: bytes) -> None:
    assert last_request(output) == request_


@each_row
def test_who_reads_beyond_the_end_of_the_input_is_told(stdin: bytes, output: bytes, told: str) -> None:
    errors = b"Traceback (most recent call last):\nEOFError: EOF when reading a line\n"
    found = crashed(
        replace(CASE, stdin=stdin), Execution(status=1, stdout=output, stderr=errors), REAL_PYTHON, no_lines
    )
    assert found
    assert found[1].text.endswith(f" It asks for more input{told}")


@each_row
def test_who_asks_for_ever_is_told_that_nobody_answers(output: bytes, told: str) -> None:
    assert told in describe_of(Execution(signal=9, limit="output", stdout=output))


@pytest.mark.parametrize("output", [b"." * 999, " ".join(map(str, range(2**15))).encode()])
def test_a_short_line_of_one_sign_and_a_long_one_of_numbers_are_no_loop(output: bytes) -> None:
    assert "over and over" not in describe_of(Execution(signal=9, limit="output", stdout=output))


@pytest.mark.timeout(60)
@each_row
def test_what_a_program_complains_of_without_end_is_read_in_no_more_than_its_length(language: str, unit: bytes) -> None:
    case = Case(id="a", expect=RIGHT)
    run = Execution(status=1, stderr=unit * (2**20 // len(unit)))
    real = TOOLCHAINS[language]
    assert judge(case, run, None, toolchain=real, command="a").credit == 0


def test_the_end_of_a_long_line_says_where_it_was() -> None:
    real = TOOLCHAINS["perl"]
    run = Execution(status=255, stderr=b"x" * 5000 + b" at main.pl line 3.\n")
    case = Case(id="a", expect=RIGHT)
    found = judge(case, run, None, toolchain=real, command="a", read_line=lambda _file, _line: "die $x;")
    assert found.verdict is Verdict.CRASHED


@each_row
def test_a_limit_that_was_passed_by_far_was_so_on_a_busy_machine(time: float, told: str) -> None:
    assert told in describe_of(Execution(signal=9, limit="time", time=time, cpu=5))


@each_row
def test_who_asks_for_more_than_there_is_is_told(case: Case, output: bytes, told: str) -> None:
    assert hint_no_stdin(Message(), case, Execution(status=0, stdout=output), None).text == told


def test_what_another_program_answers_may_be_asked_for_ever() -> None:
    case = replace(CASE, kind="interactive", payload=Interactor(program="x"))
    told = describe_of(Execution(signal=9, limit="output", stdout=b"Enter a number: " * 99), case)
    assert "its input has ended" not in told
