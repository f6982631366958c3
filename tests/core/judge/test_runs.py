"""What the runs of one case come to together, of runs that nobody had to start."""

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from grader.core.judge.totals import WITHHELD, join_runs, withhold
from grader.core.model.execution import Execution, TranscriptEntry
from grader.core.model.report import CaseResult, Contrast, Deviation, Message, Verdict, summarise
from grader.core.model.spec import ANYTHING, Case, Expectation, Leaf, Repeat
from tests.support.rows import each_row

PASSED, PARTIAL, FAILED, UNGRADED = Verdict.PASSED, Verdict.PARTIAL, Verdict.FAILED, Verdict.UNGRADED


def run(verdict: Verdict = PASSED, credit: str = "", wrote: bytes = b"right\n", **more: Any) -> CaseResult:
    share = Fraction(credit or int(verdict == PASSED))
    message = Message(more.pop("message", "" if verdict == PASSED else "It is wrong."))
    summary = more.pop("run", summarise(Execution(stdout=wrote, status=0)))
    return CaseResult(id="case", verdict=verdict, credit=share, command="", message=message, run=summary, **more)


RIGHT, WRONG = run(), run(FAILED, wrote=b"wrong\n")
HALF = run(PARTIAL, "1/2", b"half\n")
OTHER = run(FAILED, wrote=b"other\n")
RIGHT_TOO, BLANK = run(wrote=b"as right\n"), run(FAILED, wrote=b"wrong \n")
HUNG, HUNG_TOO = (run(Verdict.TIMEOUT, wrote=wrote) for wrote in (b"a", b"b"))
CRASH, CRASH_TOO = (run(Verdict.CRASHED, wrote=wrote) for wrote in (b"a", b"b"))
NOT_RUN = run(Verdict.SKIPPED, run=None, message="Not run.")


def joined(*runs: CaseResult, times: int = 0, counts: Any = "worst", stream: str = "stdout") -> CaseResult:
    repeat = Repeat(times=times or len(runs), counts=counts)
    wanted = Leaf(how="text", want=("right\n",))
    expect = Expectation(stdout=wanted) if stream == "stdout" else Expectation(stderr=wanted)
    return join_runs(Case(id="case", repeat=repeat, expect=expect), runs)


def test_a_single_run_is_the_case() -> None:
    assert joined(WRONG) == WRONG


@pytest.mark.parametrize("runs", [(NOT_RUN, NOT_RUN), (replace(NOT_RUN, message=Message("Why.")), NOT_RUN)])
def test_what_was_not_run_at_all_is_told_once(runs: tuple[CaseResult, ...]) -> None:
    assert joined(*runs) == runs[0]


@pytest.mark.parametrize("place", [0, 1, 2])
def test_one_ungraded_run_leaves_the_case_ungraded(place: int) -> None:
    runs = [RIGHT, WRONG, RIGHT]
    runs[place] = unknown = run(UNGRADED, message="No room.")
    assert joined(*runs) == unknown


def test_a_case_of_which_a_run_was_not_is_joined_all_the_same() -> None:
    assert joined(RIGHT, NOT_RUN).verdict == Verdict.SKIPPED


@each_row
def test_which_of_the_runs_counts(runs: tuple[CaseResult, ...], counts: str, credit: str) -> None:
    found = joined(*runs, counts=counts)
    assert (found.credit, found.runs) == (Fraction(credit), runs)


@each_row
def test_runs_that_differ_are_told(runs: tuple[CaseResult, ...], counts: str, message: str) -> None:
    assert joined(*runs, counts=counts).message.text == message


@pytest.mark.parametrize(("stream", "answers"), [("stderr", 1), ("stdout", 2)])
def test_only_what_is_asked_for_makes_another_answer(stream: str, answers: int) -> None:
    told = joined(WRONG, OTHER, stream=stream).message.text
    assert ("2 different answers" in told) is (answers == 2)


def test_a_stream_on_which_anything_is_right_makes_no_other_answer() -> None:
    case = Case(id="case", repeat=Repeat(times=2), expect=Expectation(stdout=ANYTHING))
    assert join_runs(case, (WRONG, OTHER)).message.text == "It is wrong."


# ---------------------------------------------------------------- through a pipe and on a terminal


@each_row
def test_of_pipe_and_terminal_the_worse_counts_and_says_where_it_was_right(
    piped: CaseResult, on_terminal: CaseResult, credit: str, message: str
) -> None:
    found = joined(piped, on_terminal, times=1)
    assert (found.credit, found.message.text, found.runs) == (Fraction(credit), message, (piped, on_terminal))


def test_what_is_repeated_in_both_ways_is_joined_way_by_way() -> None:
    found = joined(RIGHT, RIGHT, RIGHT, WRONG, times=2)
    assert found.credit == 0
    assert found.message.text == (
        "Your program is right through a pipe and wrong on a terminal. 2 runs gave 2 different answers, "
        "and 1 was right; the worst counts. It is wrong."
    )
    assert joined(WRONG, RIGHT, RIGHT, WRONG, times=2, counts="best").credit == 1


# ---------------------------------------------------------------- what hidden tests in its process could have told it


def test_nothing_that_a_program_wrote_is_shown() -> None:
    execution = Execution(
        stdout=b"a", stderr=b"b", status=3, transcript=(TranscriptEntry(time=0, stream="stdin", text=b"c"),)
    )
    told = Deviation(kind="wrong", stream="stdout", message="It is `a`.", drawing="a", keeps=Fraction(1, 2))
    shown = replace(
        run(PARTIAL, "1/2", run=summarise(execution), deviations=(told,), whole=execution),
        message=Message("It is `a`.", ("wrong", "key"), after=(("source", "Line 7."),)),
        contrasts=(Contrast(name="n", expected="1", actual="2"),),
    )
    kept = replace(
        shown,
        message=Message(WITHHELD, ("wrong", "key")),
        deviations=(replace(told, message=WITHHELD, drawing=""),),
        run=replace(summarise(execution), stdout=WITHHELD, stderr="", transcript=()),
        whole=None,
        contrasts=(),
    )
    assert withhold(replace(shown, runs=(shown, RIGHT))) == replace(kept, runs=(kept, withhold(RIGHT)))


def test_of_what_said_and_wrote_nothing_there_is_nothing_to_withhold() -> None:
    silent = replace(NOT_RUN, message=Message())
    assert withhold(silent) == silent
    assert withhold(RIGHT).message == Message()
