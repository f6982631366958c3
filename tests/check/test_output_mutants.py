"""Output mutants: each is what it says it is, and nothing else."""

from fractions import Fraction
from pathlib import Path

import pytest
from msgspec.structs import replace

from grader.check.mutants import output_mutants, scopes
from grader.check.text_edits import EDITS, TextEdit
from grader.core.judge.case import judge
from grader.core.model.execution import Execution
from grader.core.model.spec import AllOf, AnyOf, Expectation, ExpectedFiles, Leaf, NoneOf, Spec, Test, Toolchain
from grader.kinds.reported_tests.model import TestsRun
from tests.support.rows import each_row, tables
from tests.support.scenes import case, changed, printing, scope, text

LISTED = "(2, 4, 1, 3)\n(3, 1, 4, 2)\n4-Queens has 2 solutions\n"
LINE = b"4-Queens has 2 solutions\n"

# ---------------------------------------------------------------- texts


@each_row
def test_an_edit_makes_the_mistake_that_it_is_named_for(
    name: str, found: bytes | None, *, changes_a_line: bool
) -> None:
    edit = next(edit for edit in EDITS if edit.name == name)
    assert edit.change(LISTED.encode()) == found
    assert (edit.change(LINE) is not None) == changes_a_line
    assert edit.change(LINE) != LINE


def test_each_edit_has_a_row() -> None:
    rows = tables(Path(__file__))[test_an_edit_makes_the_mistake_that_it_is_named_for.__name__]
    assert [row["name"] for _, row in rows] == [edit.name for edit in EDITS]


@pytest.mark.parametrize("edit", [edit for edit in EDITS if edit.named], ids=lambda edit: edit.name)
def test_the_judge_names_the_mistake(edit: TextEdit) -> None:
    wrong = edit.change(LISTED.encode()) or b""
    result = judge(
        case(expect=Expectation(stdout=text(LISTED))),
        Execution(stdout=wrong, status=0),
        None,
        toolchain=Toolchain(name="python"),
        command="x",
    )
    named = set(edit.named)
    kinds = {deviation.kind for deviation in result.deviations}
    assert kinds <= named


def edits(text: str) -> dict[str, bytes | None]:
    return {edit.name: edit.change(text.encode()) for edit in EDITS}


def test_boards_of_many_lines_are_things_of_a_list() -> None:
    board = "curcol = {}\n   0 1\n0: Q\n1:\n"
    one, other, behind = board.format(0), board.format(1), "Q0\n"
    found = edits(one + other + behind)
    assert found["one-missing-first"] == (other + behind).encode()
    assert found["one-missing-last"] == (one + behind).encode()
    assert found["last-to-first"] == (other + one + behind).encode()
    assert found["one-invalid-first"] == f"curcol = 0\n   0 1\n1:\n0: Q\n{other}{behind}".encode()


def test_a_text_without_numbers_lists_nothing() -> None:
    found = edits("a\na\nb 1\n")
    listing = ("one-missing-first", "one-missing-last", "one-repeated", "two-swapped", "count-more")
    assert [found[name] for name in listing] == [None] * len(listing)


def test_layout_is_no_mistake_where_a_check_looks() -> None:
    where = scope(printing(1, LISTED, "check"))
    found = changed(where, "texts")
    assert "stdout/one-missing-first" in found
    assert not {"stdout/final-newline", "stdout/order", "stdout/wording"} & set(found)


@each_row
def test_a_line_is_wrong_that_is_compared(chosen: dict[str, str], number: bytes, nothing: bytes) -> None:
    one, right = printing(1, "Enter: \na 1\nb 2\n")
    assert one.expect.stdout
    where = scope((replace(one, expect=Expectation(stdout=replace(one.expect.stdout, **chosen))), right))
    found = changed(where, "texts")
    done = [found[f"stdout/{name}"][0] for name in ("number-more", "nothing")]
    assert [execution and execution.stdout for execution in done] == [number, nothing]


def test_a_part_of_a_line_is_wrong_also_where_its_text_stands_before_it() -> None:
    one, right = printing(1, "a 1 b 1\ntotal 9\n")
    where = scope((replace(one, expect=Expectation(stdout=Leaf(how="text", want=("1\n",), part=r"b (\d+)"))), right))
    (execution,) = changed(where, "texts")["stdout/number-more"]
    assert execution
    assert execution.stdout == b"a 2 b 2\ntotal 9\n"


def test_a_stream_that_is_not_checked_has_no_mutants() -> None:
    where = scope((case(), Execution(stdout=b"a\n", status=0)))
    assert not changed(where, "texts", "streams", "answers")


def test_texts_go_to_the_other_stream() -> None:
    where = scope(printing(1, "a\nb\n"))
    found = changed(where, "streams")
    one, other = found["stdout/wrong-stream"][0], found["stdout/split-streams"][0]
    assert one
    assert (one.stdout, one.stderr) == (b"", b"a\nb\n")
    assert other
    assert (other.stdout, other.stderr) == (b"a\n", b"b\n")


def test_answers_are_given_to_other_cases() -> None:
    where = scope(printing(1, "1\n"), printing(2, "2\n"), printing(3, "2\n"))
    found = changed(where, "answers")

    def said(name: str) -> list[bytes | None]:
        return [None if one is None else one.stdout for one in found[name]]

    assert said("answers/only[1]") == [b"2\n", None, None]
    assert said("answers/only[3]") == [None, None, b"1\n"]


def test_a_mutant_is_wrong_wherever_a_program_is_given_the_same() -> None:
    one, right = printing(1, "1\n")
    other = replace(one, id="again[1]")
    tests = [Test(name=name, points=Fraction(1), cases=(this,)) for name, this in (("one", one), ("again", other))]
    scenes = [
        replace(scope((this, right)).scenes[0], test=test) for test, this in zip(tests, (one, other), strict=True)
    ]
    spec = Spec(id="x", title="x", root=None, digest="", tests=tuple(tests), program=("x",))  # type: ignore[arg-type]
    assert [found.test.name for found in scopes(spec, scenes)] == ["one"]
    mutant = next(m for m in output_mutants(spec, scenes) if m.name == "one/stdout/nothing")
    assert [mutant.apply(scene).stdout for scene in scenes] == [b"", b""]


def test_a_program_that_knows_the_visible_answers_is_silent_in_hidden_tests() -> None:
    shown, hidden = printing(1, "1\n"), printing(2, "2\n")
    tests = [
        Test(name="shown", points=Fraction(1), cases=(shown[0],)),
        Test(name="hidden", points=Fraction(1), cases=(hidden[0],), visibility="hidden"),
    ]
    scenes = [replace(scope(pair).scenes[0], test=test) for test, pair in zip(tests, (shown, hidden), strict=True)]
    spec = Spec(id="x", title="x", root=None, digest="", tests=tuple(tests), program=("x",))  # type: ignore[arg-type]
    (mutant,) = [m for m in output_mutants(spec, scenes) if m.name == "all/visible-only"]
    assert [mutant.apply(scene).stdout for scene in scenes] == [b"1\n", b""]
    # Without facts, the case of a report could not be judged at all.
    reported = replace(scenes[1], right=replace(scenes[1].right, facts=TestsRun()))
    assert mutant.apply(reported).facts == TestsRun()


# ---------------------------------------------------------------- endings and files


def test_programs_end_in_another_way() -> None:
    where = scope((case(expect=Expectation(exit="success")), Execution(status=0)))
    found = changed(where, "endings")
    status, crash = found["exit/status"][0], found["exit/crash"][0]
    assert status
    assert status.status == 1
    assert crash
    assert (crash.status, crash.signal) == (None, 11)


def test_an_exit_status_that_nobody_asks_for_is_left_alone() -> None:
    where = scope((case(), Execution(status=0)))
    assert set(changed(where, "endings")) == {"exit/crash"}


def test_files_are_missing_left_behind_or_other_ones() -> None:
    asked = ExpectedFiles(present=("out/",), absent=("*.class",), contents={"a": Leaf(how="text", want=("1\n",))})
    right = Execution(status=0, names=("a", "ab", "out/", "out/b"), files={"a": b"1\n"})
    where = scope((case(expect=Expectation(files=asked)), right))
    found = {name: one for name, (one,) in changed(where, "files").items() if one}
    assert found["files/missing-out/"].names == ("a", "ab")
    assert found["files/missing-a"].names == ("ab", "out/", "out/b")
    assert found["files/left-*.class"].names == ("a", "ab", "out/", "out/b", "x.class")
    assert found["files/other-a"].files == {"a": b"1\nmore\n"}


def test_files_are_empty_or_miscounted_where_their_layout_is_free() -> None:
    asked = ExpectedFiles(contents={"a": Leaf(how="numbers", want=("1",)), "b": text("1\n")})
    right = Execution(status=0, names=("a", "b"), files={"a": b"1\n", "b": b"1\n"})
    # Another test, which gives a program the same, looks into the files.
    where = scope((case(), right), (case(expect=Expectation(files=asked)), right))
    found = {name: made[0] for name, made in changed(where, "files").items() if made[0]}
    assert found["files/number-a"].files == {"a": b"2\n", "b": b"1\n"}
    assert found["files/empty-a"].files == {"a": b"", "b": b"1\n"}
    assert found["files/other-b"].files == {"a": b"1\n", "b": b"1\nmore\n"}
    assert found.keys().isdisjoint({"files/other-a", "files/number-b", "files/empty-b"})


def test_what_must_not_be_there_is_written() -> None:
    neither = AnyOf(parts=(Leaf(how="contains", want=("Error",)), text("x")))
    asked = AllOf(parts=(text("1\n"), NoneOf(parts=(neither,))))
    where = scope((case(expect=Expectation(stdout=asked)), Execution(status=0, stdout=b"1\n")))
    found = {name: one.stdout for name, (one,) in changed(where, "denied").items() if one}
    assert found == {"stdout/denied-1": b"1\nError\n", "stdout/denied-2": b"x"}
