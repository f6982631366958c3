"""What an interactor or a validator says of a program, and when it is at fault itself: of facts that are made up."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from grader.core.diagnosis import no_lines
from grader.core.errors import HostError, Wrong
from grader.core.judge.case import no_checks
from grader.core.kind import JudgeContext
from grader.core.model.execution import LARGE_OUTPUT_BYTES, Execution, Interaction, RoleEnd
from grader.core.model.report import Judged, Message, Settled, Verdict
from grader.core.model.spec import Case, Interactor, Toolchain
from grader.core.model.values import PartlyRight
from grader.core.validators import read_validator_result
from grader.kinds.interactive.judge import describe_refusal, end_of_interaction, judge
from tests.support.rows import each_row

TIMEOUT, CRASHED, UNGRADED = Verdict.TIMEOUT, Verdict.CRASHED, Verdict.UNGRADED
ACCEPTED = Interaction(status=42, first="program")
REFUSED = Interaction(status=43, first="program", stderr=b"too many guesses\n")
STOPPED, CRASH = (TIMEOUT, Message("It was stopped.")), (CRASHED, Message("It crashed."))


def spoke(found: Interaction, stdout: bytes = b"1\n") -> Execution:
    return Execution(status=0, stdout=stdout, interaction=found)


def left(**files: bytes) -> dict[str, bytes]:
    return {f"{name}.txt": content for name, content in files.items()}


@each_row
def test_who_decided(found: Interaction, stopped: Settled | None, crashed: Settled | None, end: Settled | None) -> None:
    assert end_of_interaction(spoke(found), stopped, crashed) == end


def test_where_nobody_judged_that_is_our_fault_unless_the_program_was_ended() -> None:
    alone = Execution(status=0)
    end = end_of_interaction(alone, None, None)
    assert end
    assert (end[0], end[1].text) == (UNGRADED, "a fault of the grader: the output was not judged")
    assert end_of_interaction(alone, STOPPED, CRASH) == STOPPED
    assert end_of_interaction(alone, None, CRASH) == CRASH


@each_row
def test_two_that_wait_for_each_other(late: bytes, stdout: bytes, told: str) -> None:
    found = end_of_interaction(spoke(replace(ACCEPTED, waiting=True, late=late), stdout), STOPPED, None)
    assert found
    assert found[0] == TIMEOUT
    assert found[1].text.startswith(told)


def test_of_several_programs_the_one_that_broke_off_first_is_named() -> None:
    roles = (RoleEnd(name="encode", status=0), RoleEnd(name="decode", status=1))
    found = replace(ACCEPTED, roles=roles, culprit="decode")
    end = end_of_interaction(spoke(found), None, CRASH)
    assert end
    assert (end[0], end[1].text) == (CRASHED, "It crashed. This was `decode`.")
    late = end_of_interaction(spoke(replace(found, first="", waiting=True, late=b"1 2\n3\n")), STOPPED, None)
    assert late
    assert late[1].text.startswith(
        "`decode` waits for input while the interactor waits for a line from it; `1 2` came only"
    )
    silent = end_of_interaction(spoke(replace(found, first="", waiting=True)), STOPPED, None)
    assert silent
    assert silent[1].text.startswith("The interactor and your programs (`encode` and `decode`) wait for each other")
    assert describe_refusal(replace(spoke(replace(found, status=43)), status=3)).endswith(
        "`decode` had ended first (status 3)."
    )


@each_row
@pytest.mark.parametrize(("afterwards", "who"), [(False, "interactor"), (True, "validator")])
def test_a_fault_of_the_interactor_is_never_the_student_s(
    found: Interaction, fault: str, who: str, *, afterwards: bool
) -> None:
    got = end_of_interaction(spoke(replace(found, is_output_validator=afterwards)), None, None)
    told = (got[0], got[1].text) if got else None
    assert told == ((UNGRADED, f"a fault of the {who}: {fault}") if fault else None)


@pytest.mark.parametrize(("size", "is_told"), [(LARGE_OUTPUT_BYTES, False), (LARGE_OUTPUT_BYTES + 1, True)])
def test_what_is_far_too_much_for_the_other_side_is_wrong(size: int, *, is_told: bool) -> None:
    got = end_of_interaction(spoke(Interaction(limit="time"), b"x" * size), None, None)
    assert got
    told = (Verdict.FAILED, "Your program wrote 65,537 bytes, too many for the interactor; far fewer are expected.")
    assert ((got[0], got[1].text) == told, got[0] == UNGRADED) == (is_told, not is_told)
    fine = end_of_interaction(spoke(ACCEPTED, b"x" * size), None, None)
    assert fine is None
    found = Interaction(limit="time", is_output_validator=True)
    if is_told:
        with pytest.raises(Wrong, match=r"^The text is too long to check \(65,537 bytes\); far less is expected\.$"):
            read_validator_result(found, "v.py", b"x" * size)
        read_validator_result(ACCEPTED, "v.py", b"x" * size)
    else:
        with pytest.raises(HostError):
            read_validator_result(found, "v.py", b"x" * size)


# ---------------------------------------------------------------- shares


@each_row
def test_the_share_that_an_interactor_gives(found: Interaction, share: str, told: str) -> None:
    execution = Execution(status=0, interaction=found)
    judged = judge(Case(id="a", payload=Interactor(program="judge.py")), execution, None, CONTEXT)
    assert isinstance(judged, Judged)
    assert (judged.share, judged.remark) == (Fraction(share), told)


def test_a_score_is_a_share_of_the_highest_that_the_spec_names() -> None:
    case = Case(id="a", payload=Interactor(program="judge.py", max_score=Fraction(4)))
    found = replace(ACCEPTED, feedback=left(score=b"3"))
    judged = judge(case, Execution(status=0, interaction=found), None, CONTEXT)
    assert isinstance(judged, Judged)
    assert judged.share == Fraction(3, 4)


# ---------------------------------------------------------------- what it says


@each_row
def test_what_an_interactor_says_of_what_it_refuses(found: Interaction | None, told: str) -> None:
    assert describe_refusal(Execution(status=3, interaction=found)) == told


def test_a_program_that_a_signal_ended_first() -> None:
    told = describe_refusal(Execution(signal=11, interaction=REFUSED))
    assert told == "too many guesses. Your program had ended first (signal 11)."


@each_row
def test_what_a_validator_says_of_a_text(found: Interaction, message: str | None, share: str | None) -> None:
    if message is None:
        read_validator_result(found, "v.py", b"x")
        return
    with pytest.raises(Wrong) as caught:
        read_validator_result(found, "v.py", b"x")
    assert str(caught.value) == message
    assert (caught.value.share if isinstance(caught.value, PartlyRight) else None) == (share and Fraction(share))


def test_a_validator_at_fault_is_named() -> None:
    with pytest.raises(HostError, match=r"^a fault of the validator v\.py: a signal ended it$"):
        read_validator_result(Interaction(is_output_validator=True), "v.py", b"x")


def test_long_words_are_cut() -> None:
    assert describe_refusal(spoke(replace(REFUSED, first="", stderr=b"x" * 401))).startswith(f"{'x' * 400}… ")
    told = end_of_interaction(spoke(replace(ACCEPTED, feedback=left(score=b"x" * 41))), None, None)
    assert told
    assert f"`{'x' * 40}…`" in told[1].text
    late = end_of_interaction(spoke(replace(ACCEPTED, waiting=True, late=b"x" * 67)), None, None)
    assert late
    assert f"`{'x' * 66}…`" in late[1].text
    fault = end_of_interaction(spoke(Interaction(stderr=b"x" * 401)), None, None)
    assert fault
    assert f"`{'x' * 400}…`" in fault[1].text


# ---------------------------------------------------------------- what the judge asks

CONTEXT = JudgeContext(toolchain=Toolchain(name="any"), read_line=no_lines, checks=no_checks)


@each_row
def test_how_a_case_with_an_interactor_ends(
    found: Interaction, signal: int | None, stopped: Settled | None, end: Settled | Verdict | None
) -> None:
    made = replace(spoke(found), status=None if signal else 0, signal=signal)
    judged = judge(Case(id="t", payload=Interactor(program="judge.py")), made, None, replace(CONTEXT, stopped=stopped))
    got = None if isinstance(judged, Judged) else judged
    assert (got[0] if got and isinstance(end, Verdict) else got) == end


@each_row
def test_what_an_interactor_rejects_is_the_only_deviation(
    found: Interaction, judged: tuple[list[tuple[str, str, str]], Fraction, str, bool]
) -> None:
    got = judge(Case(id="t", payload=Interactor(program="judge.py")), spoke(found), None, CONTEXT)
    assert isinstance(got, Judged)
    deviations = [(one.kind, one.stream, one.message) for one in got.deviations]
    assert (deviations, got.share, got.remark, got.compares_outputs) == judged
