from fractions import Fraction

import pytest
from msgspec.structs import replace

from grader.core.judge.case import judge
from grader.core.model.execution import Execution, FailedStep
from grader.core.model.limits import Limits
from grader.core.model.report import CaseResult, Verdict
from grader.core.model.spec import Case, Expectation, Leaf, Step, Toolchain
from grader.kinds.dialogue.model import Dialogue

PROMPT = Step(do="expect", text="Enter n: ")
STOP = FailedStep(step=PROMPT, number=1, ended=False, waited=2.0, before=b"Hello\nNumber: ")
RUN = Execution(stdout=b"Hello\nNumber: ", status=0, stop=STOP)
TRACEBACK = b'Traceback (most recent call last):\n  File "a.py", line 1\nZeroDivisionError: oh\n'
NOT_PRINTED = "Your program did not print `Enter n: ` within 2 s;"
PYTHON = Toolchain(name="python", crash=(r"(?m)^Traceback \(most recent call last\):",))


def judged(execution: Execution, tolerate: dict[str, Fraction] | None = None) -> CaseResult:
    expect = Expectation(stdout=Leaf(how="text", want=("Enter n: 8\n",)), exit=(0,))
    case = Case(id="case", kind="dialogue", payload=Dialogue(steps=(PROMPT,)), tolerate=tolerate or {}, expect=expect)
    return judge(case, execution, None, toolchain=PYTHON, command="./program")


@pytest.mark.parametrize(
    ("stop", "asked", "message"),
    [
        (STOP, False, "Your program did not print `Enter n: ` within 2 s; it had printed `Number: `."),
        (
            replace(STOP, step=replace(PROMPT, within=1.5)),  # on a busy machine the end of a wait is seen late
            False,
            "Your program did not print `Enter n: ` within 1.5 s; it had printed `Number: `.",
        ),
        (STOP, True, f"{NOT_PRINTED} it had printed `Number: ` and was waiting for input."),
        (replace(STOP, before=b""), False, f"{NOT_PRINTED} it had printed nothing more."),
        (
            replace(STOP, step=Step(do="regex", text="n: $")),
            False,
            "Your program did not print text that matches `n: $` within 2 s; it had printed `Number: `.",
        ),
        (
            replace(STOP, step=Step(do="eof"), before=b"Bye\n"),
            False,
            "Your program should have ended, but was still running after 2 s; it had printed `Bye`.",
        ),
        (
            replace(STOP, step=Step(do="eof"), before=b"Bye\n"),
            True,
            (
                "Your program should have ended, but was still running after 2 s; it had printed `Bye`. "
                "It waits for more input than the assignment sends."
            ),
        ),
        (
            replace(STOP, ended=True),
            False,
            "Your program ended (status 0) while `Enter n: ` was still expected; it had printed `Number: `.",
        ),
        (
            replace(STOP, before=b"\xff\x1b[31m"),
            False,
            "Your program did not print `Enter n: ` within 2 s; it had printed `\\xff\x1b[31m`.",
        ),
    ],
)  # fmt: skip
def test_where_it_stopped_is_one_story(stop: FailedStep, asked: bool, message: str) -> None:  # noqa: FBT001 - a parameter of the table
    result = judged(replace(RUN, stop=stop, asked=asked))
    assert (result.verdict, result.credit, result.message.text) == (Verdict.FAILED, Fraction(0), message)
    assert [(one.kind, one.stream) for one in result.deviations] == [("wrong", "stdout")]


def test_nothing_at_all_was_printed() -> None:
    result = judged(Execution(status=0, stop=replace(STOP, before=b"")))
    assert result.message.text.endswith("it had printed nothing.")


def test_what_was_kept_back_can_be_tolerated_and_the_rest_is_held_all_the_same() -> None:
    late = Execution(stdout=b"Enter n: 8\n", status=0, stop=replace(STOP, late=True), asked=True)
    half = {"unflushed": Fraction(1, 2)}
    assert [one.kind for one in judged(late).deviations] == ["unflushed"]
    assert (judged(late).verdict, judged(late).credit) == (Verdict.FAILED, Fraction(0))
    assert (judged(late, half).verdict, judged(late, half).credit) == (Verdict.PARTIAL, Fraction(1, 2))
    assert judged(late).message.text.startswith(
        "Your program wrote `Enter n: ` only after its input was closed; flush standard output"
    )
    wrong = judged(replace(late, stdout=b"Enter n: 9\n"), half)
    assert ([one.kind for one in wrong.deviations], wrong.credit) == (["unflushed", "wrong"], Fraction(0))


@pytest.mark.parametrize(
    ("execution", "verdict", "message"),
    [
        (
            replace(RUN, status=1, stderr=TRACEBACK, stop=replace(STOP, ended=True)),
            Verdict.CRASHED,
            (
                "Your program ended with an uncaught exception: `ZeroDivisionError: oh`. Your program ended "
                "(status 1) while "
                "`Enter n: ` was still expected; it had printed `Number: `."
            ),
        ),
        (
            replace(RUN, status=1, stderr=TRACEBACK, asked=True),
            Verdict.FAILED,
            "Your program did not print `Enter n: ` within 2 s; it had printed `Number: ` and was waiting for input.",
        ),
        (
            replace(RUN, status=None, signal=9),
            Verdict.FAILED,
            "Your program did not print `Enter n: ` within 2 s; it had printed `Number: `.",
        ),
        (
            replace(RUN, status=None, signal=9, limit="output", stop=replace(STOP, ended=True)),
            Verdict.OUTPUT,
            (
                "Your program was stopped because it wrote more than 8 MiB to standard output. `Enter n: ` was "
                "still expected."
            ),
        ),
        (
            replace(RUN, status=None, signal=9, limit="time", time=2.2, limits=Limits(time=2)),
            Verdict.TIMEOUT,
            (
                "Your program was stopped after 2.2 s (0 s of processor time); the limit is 2 s. "
                "Your program did not print `Enter n: ` within 2 s; it had printed `Number: `."
            ),
        ),
        (
            Execution(status=1, stderr=TRACEBACK, asked=True),
            Verdict.CRASHED,
            (
                "Your program ended with an uncaught exception: `ZeroDivisionError: oh`. "
                "It waits for more input than the assignment sends."
            ),
        ),
    ],
)
def test_an_end_and_the_dialogue_are_told_together(execution: Execution, verdict: Verdict, message: str) -> None:
    result = judged(execution)
    assert (result.verdict, result.credit, result.message.text) == (verdict, Fraction(0), message)


def test_a_dialogue_that_went_well_is_held_like_any_other() -> None:
    assert judged(Execution(stdout=b"Enter n: 8\n", status=0)).verdict == Verdict.PASSED
    assert [one.kind for one in judged(Execution(stdout=b"Enter n: 9\n", status=0)).deviations] == ["wrong"]
