"""What a text, a status and files are held against, and which of several right answers is nearest."""

from fractions import Fraction
from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace

from grader.core.comparators import base
from grader.core.comparators.base import Wanted
from grader.core.errors import HostError, Wrong
from grader.core.judge.case import (
    bind_checks,
    compare_exit,
    compare_files,
    compare_streams,
    compare_with_nearest,
    deviations_of,
    likeness,
    nearest_of,
    wanted_streams,
)
from grader.core.judge.ending import shell_status
from grader.core.model.execution import MAX_NAMES, Execution, Interaction
from grader.core.model.report import Deviation
from grader.core.model.spec import (
    ANYTHING,
    AllOf,
    AnyOf,
    Case,
    CheckOptions,
    Expectation,
    Expected,
    ExpectedExit,
    ExpectedFiles,
    Leaf,
    NoneOf,
    Stream,
)
from grader.core.model.values import SHARE, Check, Facts
from grader.kinds.functions.model import Calls
from tests.support.comparators import wanted_of
from tests.support.functions import call, function
from tests.support.rows import each_row
from tests.support.work_counts import count_lines

CASE = Case(id="a")


def want(text: bytes = b"ok\n", how: str = "text", **more: Any) -> Wanted:
    return wanted_of(how, text, **more)


def combined(kind: type[Expected], *parts: Wanted, **more: Any) -> Wanted:
    tree = kind(parts=tuple(part.asked for part in parts))
    return replace(want(**more), asked=tree, values=(), parts=parts)


def fine(_output: bytes) -> None:
    """Find everything right."""


RIGHT, NO, YES = want(how="check", check=fine), want(b"no\n"), want(b"yes\n")
SLOW, SLOWER = want(only="slow"), want(only="slower")


@pytest.fixture
def _slow(monkeypatch: pytest.MonkeyPatch) -> None:
    def chosen(text: bytes, only: str, skip: str, part: str) -> bytes:  # noqa: ARG001 - as it is called
        if only:
            raise Wrong(f"Too {only}.{skip}")
        return text

    monkeypatch.setattr(base, "_lines_that_count", chosen)


# ---------------------------------------------------------------- the status


@each_row
@pytest.mark.parametrize("first", ["", "program", "interactor", None])
def test_the_status_that_is_asked_for(
    *, asked: ExpectedExit, status: int, reference: int | None, wish: str, first: Any
) -> None:
    case = replace(CASE, expect=Expectation(exit=asked))
    other = None if first is None else Interaction(status=42, first=first)
    right = None if reference is None else Execution(status=reference)
    told = [one.message for one in compare_exit(case, Execution(status=status, interaction=other), right)]
    # Of what an interactor left behind by ending first, the status says nothing.
    is_told = wish and first != "interactor"
    assert told == ([f"Your program ended with status {status}; the assignment asks for {wish}."] if is_told else [])


def test_a_signal_has_the_status_of_a_shell() -> None:
    assert shell_status(CASE, Execution(signal=11)) == 139
    with pytest.raises(HostError, match="neither a status nor a signal"):
        shell_status(CASE, Execution())


# ---------------------------------------------------------------- several right answers


@pytest.mark.usefixtures("_slow")
def test_what_is_too_much_to_decide_is_wrong() -> None:
    (found,) = deviations_of(b"x", SLOW)
    assert (found.kind, found.message) == ("wrong", "Too slow.")


@pytest.mark.usefixtures("_slow")
@each_row
def test_any_that_holds_is_enough_and_what_is_undecided_is_not_denied(parts: tuple[Wanted, ...], message: str) -> None:
    found = deviations_of(b"x\n", combined(AnyOf, *parts))
    assert [one.message for one in found] == ([message] if message else [])


def test_of_all_each_sentence_is_told_and_an_empty_text_once() -> None:
    both = combined(AllOf, want(b"yes\n"), want(b"no\n"))
    assert len(deviations_of(b"x\n", both)) == 2
    assert len(deviations_of(b" \n", both)) == 1
    twice = combined(AllOf, want(b"yes\n"), want(b"yes\n"))
    assert len(deviations_of(b"x\n", twice)) == 1
    # What is explained is named once for all of them.
    spaces = combined(AllOf, want(b"x  y\n"), want(b"x   y\n"), tolerate={"inner-space": Fraction(1)})
    spaces = replace(spaces, parts=tuple(replace(one, tolerate=spaces.tolerate) for one in spaces.parts))
    assert [one.kind for one in deviations_of(b"x y\n", spaces)] == ["inner-space"]


def deviation(kind: str, keeps: str = "0", message: str = "Why.") -> Deviation:
    return Deviation(kind=kind, stream="stdout", message=message, keeps=Fraction(keeps))


NEAREST = " {} answers are right; this is about the closest."
TOLERATE = {"inner-space": "1/2", "letter-case": "9/10", "final-newline": "1/2"}


@each_row
def test_the_nearest_of_several(every: list[tuple[str, ...]], best: int) -> None:
    found = [(tuple(deviation(kind, TOLERATE.get(kind, "0")) for kind in kinds), 0) for kinds in every]
    assert nearest_of(found)[0] == best


@pytest.mark.parametrize(("likenesses", "best"), [((1, 2), 1), ((2, 1), 0), ((2, 2), 0)])
def test_where_nothing_is_explained_the_most_alike_is_told(likenesses: tuple[int, int], best: int) -> None:
    wrong = [((deviation("order"), deviation("wrong", message=f"{n}.")), n) for n in likenesses]
    place, told = nearest_of(wrong)
    assert place == best
    assert [one.message for one in told] == ["Why.", f"{likenesses[best]}.{NEAREST.format(2)}"]
    alone = nearest_of(wrong[:1])
    assert alone == (0, wrong[0][0])
    explained = [((deviation("order"),), 1)] * 2
    assert nearest_of(explained) == (0, explained[0][0])


def test_of_several_shares_the_product_is_left() -> None:
    halves = (deviation(SHARE, "1/2"), deviation(SHARE, "1/2"))
    assert nearest_of([(halves, 0), ((deviation(SHARE, "1/3"),), 0)])[0] == 1
    assert nearest_of([(halves, 0), ((deviation(SHARE, "1/5"),), 0)])[0] == 0


@each_row
def test_how_alike_a_text_is(output: bytes, wanted: Wanted, alike: int) -> None:
    assert likeness(output, wanted) == alike


# ---------------------------------------------------------------- what a check is told


def test_a_check_is_told_what_happened_and_what_is_right() -> None:
    seen: list[Facts] = []

    def checks(_asked: CheckOptions, facts: Facts) -> Check:
        seen.append(facts)
        return fine

    made = Execution(stdout=b"o", stderr=b"e", status=3, files={"f": b"1"})
    right = Execution(stdout=b"O", stderr=b"E", files={"f": b"2"})
    case = Case(id="a", args=("8",), stdin=b"in")
    bind_checks(checks, case, made, right)(CheckOptions(), b"answer")
    bind_checks(checks, case, replace(made, facts=Calls(returned=(7,))), None)(CheckOptions(), b"")
    assert seen == [
        Facts(
            args=("8",),
            input=b"in",
            stdout=b"o",
            stderr=b"e",
            status=3,
            files={"f": b"1"},
            expected=b"answer",
            expected_stdout=b"O",
            expected_stderr=b"E",
            expected_files={"f": b"2"},
        ),
        Facts(args=("8",), input=b"in", stdout=b"o", stderr=b"e", status=3, files={"f": b"1"}),
    ]


@pytest.mark.parametrize(("returned", "told"), [((), None), ((1,), None), ((1, 2), 2), ((1, 2, 3), 2)])
def test_a_check_is_told_what_the_call_returned(returned: tuple[int, ...], told: int | None) -> None:
    seen: list[Facts] = []

    def checks(_asked: CheckOptions, facts: Facts) -> Check:
        seen.append(facts)
        return fine

    case = Case(id="a", kind="functions", payload=function("def f(b)", 5, before=[call("def g()")]))
    bind_checks(checks, case, Execution(facts=Calls(returned=returned)), None)(CheckOptions(), b"")
    bind_checks(checks, case, Execution(), None)(CheckOptions(), b"")
    assert [(one.args, one.returned) for one in seen] == [((5,), told), ((5,), None)]


# ---------------------------------------------------------------- streams


def test_the_reference_is_needed_only_where_it_is_asked_for() -> None:
    asked = Expectation(stdout=Leaf(how="text"), stderr=Leaf(how="text", want=("x",)))
    case = replace(CASE, expect=asked)
    with pytest.raises(HostError, match="the reference's answer is asked for, but the reference did not run"):
        wanted_streams(case, None)
    (wants,) = wanted_streams(case, Execution(stdout=b"o", stderr=b"e"))
    assert {stream: one.values for stream, one in wants.items()} == {"stdout": (b"o",), "stderr": (b"x",)}
    swapped = replace(CASE, expect=Expectation(stdout=ANYTHING, stderr=Leaf(how="text")))
    (wants,) = wanted_streams(swapped, Execution(stdout=b"o", stderr=b"e"))
    assert {stream: one.values for stream, one in wants.items()} == {"stderr": (b"e",)}


def test_of_right_pairs_the_nearest_is_told() -> None:
    first: dict[Stream, Wanted] = {"stdout": want(b"one\n")}
    second: dict[Stream, Wanted] = {"stdout": want(b"two 8\n")}
    outputs: dict[Stream, bytes] = {"stdout": b"two 7\n", "stderr": b""}
    wants, found = compare_with_nearest(outputs, [first, second])
    assert (wants, len(found)) == (second, 1)
    assert found[0].message.endswith(NEAREST.format(2))
    assert compare_with_nearest(outputs, [first])[0] == first
    assert compare_with_nearest({"stdout": b"one\n", "stderr": b""}, [second, first]) == (first, ())


def test_an_answer_is_compared_once_and_not_beside_each_answer_of_the_other_stream() -> None:
    text = b"".join(b"%d a b\n" % number for number in range(300))
    outputs: dict[Stream, bytes] = {"stdout": text, "stderr": text}
    right = [want(b"%d" % number + text) for number in range(8)]
    errors = [want(b"%d" % number + text, place="stderr", where="standard error") for number in range(8)]

    def lines(pairs: list[dict[Stream, Wanted]]) -> int:
        return count_lines(partial(compare_with_nearest, outputs, pairs))

    some = lines([{"stdout": one, "stderr": other} for one, other in zip(right, errors, strict=True)])
    every = lines([{"stdout": one, "stderr": other} for one in right for other in errors])
    assert every < 2 * some + 64 * 400


ERR = want(b"usage\n", place="stderr", where="standard error")
SWAP = {"wrong-stream": Fraction(1, 2)}


@each_row
def test_what_is_on_the_other_stream(stdout: bytes, stderr: bytes, wanted: dict[Any, Wanted], kinds: list[str]) -> None:
    wanted = {stream: replace(one, tolerate=SWAP) for stream, one in wanted.items()}
    found = compare_streams({"stdout": stdout, "stderr": stderr}, wanted)
    assert [one.kind for one in found] == kinds


def test_who_is_on_the_wrong_stream_alone_is_told_alone() -> None:
    wanted: dict[Stream, Wanted] = {
        "stdout": want(b"a", how="contains"),
        "stderr": want(b"b", how="contains", place="stderr", where="standard error"),
    }
    found = compare_streams({"stdout": b"a b\n", "stderr": b"a\n"}, wanted)
    told = "The text is right, but it was written to standard output; the assignment asks for standard error."
    assert [one.message for one in found] == [told]


def test_what_is_made_of_a_whole_text_and_more_has_nothing_else_on_its_stream() -> None:
    both = combined(AllOf, want(), want(b"o", how="contains"))
    found = compare_streams({"stdout": b"no\n", "stderr": b"ok\n"}, {"stdout": both})
    assert [one.kind for one in found] == ["wrong-stream", "extra-lines"]


def test_the_other_stream_counts_where_that_takes_fewer_words() -> None:
    found = compare_streams({"stdout": b"A  b\nC", "stderr": b"a b\nc\n"}, {"stdout": want(b"a b\nc\n")})
    assert [one.kind for one in found] == ["wrong-stream", "extra-lines"]


def refuse_others(output: bytes) -> None:
    """Find something wrong on the stream for which it was written, and fail on everything else."""
    if output == b"usage\n":
        raise HostError("this is no board")
    raise Wrong("There is no board.")


@pytest.mark.parametrize("is_part", [False, True])
def test_a_check_that_fails_on_the_other_stream_is_no_fault_of_ours(*, is_part: bool) -> None:
    asked = want(how="check", values=(), check=refuse_others)
    if is_part:
        asked = combined(AllOf, asked, want(b"x", how="contains"))
    found = compare_streams({"stdout": b"no\n", "stderr": b"usage\n"}, {"stdout": asked})
    assert {one.kind for one in found} == {"wrong"}
    assert found[0].message == "There is no board."
    with pytest.raises(HostError, match=r"^this is no board$"):  # where it is on its own stream, it is ours
        compare_streams({"stdout": b"usage\n", "stderr": b""}, {"stdout": asked})


@each_row
def test_lines_are_on_the_wrong_stream_only_where_all_lines_of_both_are_known(beside: Wanted, kinds: list[str]) -> None:
    tolerate = {"split-streams": Fraction(1, 2)}
    wanted: dict[Stream, Wanted] = {
        "stdout": want(b"a\nb\n", tolerate=tolerate),
        "stderr": replace(beside, place="stderr", where="standard error", tolerate=tolerate),
    }
    assert [one.kind for one in compare_streams({"stdout": b"a\n", "stderr": b"b\nc\n"}, wanted)] == kinds


def stream(asked: Expected, right: bytes = b"") -> Wanted:
    (wants,) = wanted_streams(replace(CASE, expect=Expectation(stdout=asked)), Execution(stdout=right))
    return wants["stdout"]


def test_what_a_stream_is_held_against() -> None:
    chosen = stream(Leaf(how="lines", want=("a", "b"), skip="b"))
    assert (chosen.values, chosen.where) == ((b"a\n",), "the checked part of standard output")
    assert stream(Leaf(how="lines", want=("a", "b"), only="b")).values == (b"b\n",)
    assert stream(Leaf(how="contains", want=("a", "b"), only="b")).values == (b"a", b"b")
    assert stream(Leaf(how="lines", skip="b"), b"a\nb\n").values == (b"a\n",)
    denied = stream(NoneOf(parts=(Leaf(how="contains", want=("a",)),)))
    assert (denied.place, denied.where) == ("stdout", "standard output")


@pytest.mark.parametrize(("texts", "shown"), [("abc", "`a`, `b`, `c`"), ("abcd", "`a`, `b`, `c` and 1 more")])
def test_of_many_forbidden_texts_three_are_named(texts: str, shown: str) -> None:
    forbidden = stream(NoneOf(parts=(Leaf(how="contains", want=tuple(texts)),)))
    [found] = deviations_of(b"abcd\n", forbidden)
    assert found.message == f"Standard output contains what the assignment forbids: somewhere in it, {shown}."


@pytest.mark.usefixtures("_slow")
def test_a_pattern_that_takes_too_long_on_the_reference_is_our_fault() -> None:
    with pytest.raises(HostError, match=r"^standard output of the reference: Too slow\.$"):
        stream(Leaf(how="lines", only="slow"), b"a\n")


# ---------------------------------------------------------------- files


def files(asked: ExpectedFiles, *names: str, **contents: bytes) -> list[str]:
    case = replace(CASE, expect=Expectation(files=asked))
    return [one.message for one in compare_files(case, Execution(names=names, files=contents), None)]


def test_names_of_files() -> None:
    assert files(ExpectedFiles(present=("a", "b")), "a") == ["`b` is missing after the run."]
    many = [f"{place}.o" for place in range(5)]
    (told,) = files(ExpectedFiles(absent=("*.o",)), *many)
    assert told == "`0.o`, `1.o`, `2.o` and 2 more should not exist after the run."
    most = [str(place) for place in range(MAX_NAMES)]
    assert files(ExpectedFiles(absent=("x",)), *most) == []
    assert len(files(ExpectedFiles(absent=("x",)), *most, "more")) == 1
    assert files(ExpectedFiles(present=("1",)), *most, "more") == []
    assert files(ExpectedFiles(absent=("build",)), "build/") == ["`build/` should not exist after the run."]


def test_a_file_of_the_reference_that_is_not_there_is_our_fault() -> None:
    case = replace(CASE, expect=Expectation(files=ExpectedFiles(contents={"out": Leaf(how="text")})))
    with pytest.raises(HostError, match="the reference left no file 'out', which the case asks for"):
        list(compare_files(case, Execution(files={"out": b""}), Execution()))
    assert list(compare_files(case, Execution(files={"out": b""}), Execution(files={"out": b""}))) == []
