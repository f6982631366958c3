"""What decides a case, in which order, and which deviations it can have at all."""

from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from grader.core.diagnosis import no_lines
from grader.core.judge.case import describe_deviations, judge, reachable, verdict_of
from grader.core.model.execution import Execution, FailedStep, Interaction, Measurement
from grader.core.model.limits import Limits
from grader.core.model.report import Deviation, Verdict
from grader.core.model.spec import (
    Case,
    CheckOptions,
    Expectation,
    Expected,
    ExpectedFiles,
    Interactor,
    Leaf,
    Step,
    Toolchain,
)
from grader.kinds.dialogue.run import Dialogue
from grader.kinds.functions.model import ExpectedValue
from grader.kinds.memory_clean.model import CodePlace, MemoryFault, MemoryRule, Sighting, Watched
from grader.kinds.unit_tests.model import UnitMethod, UnitRun
from tests.support.functions import expecting, function
from tests.support.rows import each_row

ANY = Toolchain(name="any", crash=("(?m)^Oops",))
OK = Expectation(stdout=Leaf(how="text", want=("ok\n",)), exit="success")
CASE = Case(id="a", expect=OK)
RIGHT = Execution(stdout=b"ok\n", status=0)
HUNG = Execution(stdout=b"ok\n", signal=9, limit="time", time=10, cpu=5)
CRASHED = Execution(stdout=b"ok\n", signal=11)
UNIT = UnitMethod(framework="pytest", file="t.py", source=b"", method="test_x")
RAN = UnitRun(runs=1, done=1)
INTERACTOR = Interactor(program="x.py")
HALF = Interaction(status=42, first="program", feedback={"score.txt": b"0.5"}, stderr=b"half")
WATCHED = {"memory-clean": MemoryRule()}
LEAK = MemoryFault(kind="Leak_DefinitelyLost", what=Sighting(text="", calls=(CodePlace(file="a.c", line=3),)), bytes=8)
FAULT = MemoryFault(kind="InvalidJump", what=Sighting(text="", calls=(CodePlace(file="a.c", line=7),)))


def judged(execution: Execution, case: Case = CASE, expected: Execution | None = None) -> Any:
    return judge(case, execution, expected, toolchain=ANY, command="./a")


@each_row
def test_the_verdict_of_a_share(share: str, verdict: Verdict) -> None:
    assert verdict_of(Fraction(share)) == verdict


# ---------------------------------------------------------------- what decides


@each_row
def test_a_limit_then_a_crash_then_what_it_wrote(case: Case, execution: Execution, verdict: Verdict) -> None:
    result = judged(execution, case)
    assert result.verdict == verdict
    assert bool(result.credit) is (verdict in (Verdict.PASSED, Verdict.PARTIAL))


def test_a_share_of_an_interactor_is_of_what_the_deviations_leave() -> None:
    leaks = Case(
        id="a", kind="interactive", payload=INTERACTOR, also=WATCHED, tolerate={"memory-leak": Fraction(9, 10)}
    )
    result = judged(replace(RIGHT, interaction=HALF, also={"memory-clean": Watched(faults=(LEAK,))}), leaks)
    assert (result.credit, result.message.text) == (
        Fraction(9, 20),
        "8 bytes that a.c:3 allocated are never freed. This costs 10 % of the credit.",
    )
    assert judged(replace(RIGHT, interaction=HALF), leaks).message.text == "half."


def test_a_refusal_stands_alone_and_what_it_left_does_not_count() -> None:
    case = replace(CASE, kind="interactive", payload=INTERACTOR)
    refused = Interaction(status=43, first="interactor", stderr=b"too many")
    result = judged(replace(RIGHT, stdout=b"no\n", status=3, interaction=refused), case)
    assert [(one.kind, one.message) for one in result.deviations] == [("wrong", "too many.")]


def test_of_a_program_that_came_to_no_good_end_a_fault_of_its_memory_is_told() -> None:
    result = judged(replace(CRASHED, also={"memory-clean": Watched(faults=(LEAK, FAULT))}), replace(CASE, also=WATCHED))
    assert (
        result.message.text
        == "Your program crashed: segmentation fault (SIGSEGV). a.c:7 jumps to an address that holds no code."
    )
    assert [one.rule for one in result.spots] == ["memory-leak", "memory-fault"]
    assert result.deviations == ()


def test_what_further_runs_say_comes_last() -> None:
    leaking = replace(RIGHT, stdout=b"no\n", also={"memory-clean": Watched(faults=(LEAK,))})
    deviations = judged(leaking, replace(CASE, also=WATCHED)).deviations
    assert [one.kind for one in deviations] == ["wrong", "memory-leak"]


def test_a_run_that_was_measured_again_is_said_to_have_been() -> None:
    runs = (Measurement(time=10, cpu=1, waited=0, limit="time"), Measurement(time=1, cpu=1, waited=0))
    told = " Your program was run 2 times and ended differently; the last run counts."
    assert judged(replace(CRASHED, measured=runs)).message.text.endswith(told)
    assert told not in judged(replace(RIGHT, measured=runs)).message.text
    assert judged(replace(RIGHT, stdout=b"no\n", measured=runs)).message.text.endswith(told)


def test_who_asks_and_is_wrong_on_another_stream_is_not_told_about_the_keyboard() -> None:
    asks = replace(RIGHT, stdout=b"Enter n: ")
    assert "reads input" in judged(asks).message.text
    assert "reads input" in judged(replace(asks, status=3)).message.text
    free = Case(id="a", expect=Expectation(stderr=Leaf(how="text", want=("x\n",))))
    assert "reads input" not in judged(asks, free).message.text
    assert "reads input" not in judged(asks, replace(free, expect=Expectation(exit=(3,)))).message.text


def test_what_is_expected_is_shown_beside_what_was_written() -> None:
    both = Expectation(stdout=Leaf(how="text", want=("ok\n",)), stderr=Leaf(how="lines", want=("e",)))
    result = judged(RIGHT, Case(id="a", expect=both, terminal=True))
    assert (result.expected_stdout, result.expected_stderr, result.terminal) == ("ok\n", "e\n", True)
    chosen = Expectation(stdout=Leaf(how="lines", want=("ok",), only="o"), stderr=Leaf(how="contains", want=("e",)))
    result = judged(RIGHT, Case(id="a", expect=chosen))
    assert (result.expected_stdout, result.expected_stderr, result.terminal) == (None, None, False)


@each_row
def test_a_validator_is_asked_unless_the_status_costs_everything(keeps: str, status: int, *, is_asked: bool) -> None:
    asked: list[bytes] = []
    check = Leaf(how="check", want=(), options=CheckOptions(validator=INTERACTOR))
    expect = replace(OK, stdout=check, stderr=Leaf(how="text", want=("",)))
    case = Case(id="a", expect=expect, tolerate={"exit-status": Fraction(keeps)})
    judge(case, replace(RIGHT, status=status), None, toolchain=ANY, command="./a", checks=lambda *_: asked.append)
    assert bool(asked) is is_asked


# ---------------------------------------------------------------- what deviations cost, in words


@each_row
def test_what_deviations_cost_is_told(deviations: list[Deviation], told: str) -> None:
    assert describe_deviations(deviations) == told


# ---------------------------------------------------------------- a command of the case's own


@each_row
def test_a_command_that_failed_is_told_first(case: Case, execution: Execution, *, is_told: bool) -> None:
    assert (" failed" in judged(execution, case).message.text.partition(". ")[0]) is is_told


# ---------------------------------------------------------------- a dialogue that was left


STEPS = (Step(do="expect", text="ok"), Step(do="eof"))
TALK = replace(CASE, kind="dialogue", payload=Dialogue(steps=STEPS), expect=replace(OK, exit="reference"))
LEFT = Execution(stdout=b"ok\nno\n", stderr=b"Oops: no line", status=1, output_when_script_ended=(3, 0))


@each_row
def test_what_follows_when_we_end_the_input_is_our_doing(
    execution: Execution, reference: Execution, verdict: Verdict
) -> None:
    case = replace(TALK, expect=replace(TALK.expect, stdout=Leaf(how="text")))
    result = judged(execution, case, reference)
    assert result.verdict == verdict


def test_without_a_reference_too_it_is_our_doing() -> None:
    assert judged(LEFT, replace(CASE, kind="dialogue", payload=Dialogue(steps=STEPS))).verdict == Verdict.PASSED


def test_what_happened_is_kept_as_it_was_but_for_what_counts() -> None:
    result = judged(LEFT, TALK, RIGHT)
    assert (result.whole.status, result.whole.stdout, result.whole.stderr) == (1, b"ok\n", b"")


STOP = FailedStep(step=STEPS[0], number=1, ended=False, waited=2)


@each_row
def test_where_a_dialogue_stopped(execution: Execution, message: str) -> None:
    assert judged(execution, replace(CASE, kind="dialogue", payload=Dialogue(steps=STEPS))).message.text == message


@each_row
def test_how_a_program_ended_while_a_step_was_expected(execution: Execution, end: str) -> None:
    assert (
        f"Your program ended ({end}) while"
        in judged(execution, replace(CASE, kind="dialogue", payload=Dialogue(steps=STEPS))).message.text
    )


def test_what_the_machine_did_not_let_a_dialogue_do_is_told_alone() -> None:
    cpu_starved = replace(HUNG, doubts=frozenset({"cpu_starved"}), stop=STOP, limits=Limits(time=9))
    result = judged(cpu_starved, replace(CASE, kind="dialogue", payload=Dialogue(steps=STEPS)))
    assert result.verdict == Verdict.UNGRADED
    assert result.message.text.endswith("Grade it again when fewer programs run.")


# ---------------------------------------------------------------- what can deviate at all

PATTERN = Leaf(how="regex", want=("x",))
CALLED, CLEAN = function("def f(b)", 1), MemoryRule()
EVERYTHING = Leaf(how="regex", want=("",))


@each_row
def test_what_can_deviate(case: Case, kinds: set[str]) -> None:
    assert reachable(case) == kinds


@each_row
def test_lines_can_be_split_over_streams(stdout: Expected, stderr: Expected | None, *, is_split: bool) -> None:
    found = reachable(Case(id="a", expect=Expectation(stdout=stdout, stderr=stderr)))
    assert ("split-streams" in found) is is_split
    assert "wrong-stream" in found


def test_a_returned_text_deviates_as_one_on_a_stream() -> None:
    returns = ExpectedValue(text=Leaf(how="text", want=("a\nb\n",)))
    case = Case(id="a", kind="functions", payload=expecting(function("def f(b)", 1), returns=returns))
    assert {"wrong", "order"} <= reachable(case)


def test_in_a_file_and_on_a_stream_other_things_deviate() -> None:
    same = Expectation(files=ExpectedFiles(contents={"out": Leaf(how="text", want=("a\n",))}))
    assert {"wrong", "final-newline"} <= reachable(Case(id="a", expect=same))
    assert no_lines("a", 1) == ""
