"""The rubric of `adjustments.yaml`: read, given to students, changed in one place; and comments on lines."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from grader.core.errors import GraderError, SpecError, UsageError
from grader.core.model.report import ByHand
from grader.core.model.spec import Spec
from grader.core.reader.spec import load
from grader.decisions.adjustments import RubricItem, free_id, read_adjustments
from grader.decisions.post_grading import Rules, afterwards_of
from grader.results.adjusting import Decisions
from tests.support.courses import SPEC, course
from tests.support.growth import growth
from tests.support.past_samples import book
from tests.support.rows import each_row

RUBRIC = '  - spec: echo\n    item: "short"\n    points: -2\n    why: "Too short."\n'
USE = '  - spec: echo\n    student: "bo"\n    item: "short"\n'
FILE = f"# ours\nrubric:   # what we look at\n{RUBRIC}\n# and who has it\nadjustments:\n{USE}# the end\n"


@pytest.fixture
def spec(tmp_path: Path) -> Spec:
    course(tmp_path, SPEC)
    return load(tmp_path / "specs" / "echo.yaml")


def rules_of(spec: Spec) -> Rules:
    file = spec.root / "adjustments.yaml"
    lines, rubric = read_adjustments(file, spec, None) if file.exists() else ((), ())
    return Rules(file=file, lines=lines, rubric=rubric)


@contextmanager
def changing(spec: Spec) -> Iterator[Decisions]:
    change = Decisions(rules_of(spec), spec, book())
    yield change
    change.save()


def test_a_line_has_what_the_item_says_now(spec: Spec) -> None:
    (spec.root / "adjustments.yaml").write_text(FILE)
    rules = rules_of(spec)
    item = RubricItem(id="short", why="Too short.", points=-2, place=0, number=3)
    assert rules.rubric == (item,)
    assert afterwards_of("bo", "", rules).by_hand == (ByHand(why="Too short.", points=-2, item="short"),)
    with changing(spec) as change:
        other = msgspec.structs.replace(item, why='Far "too" short: #1', points=None, test="words")
        change.replace_item(item, other)
    changed = ByHand(why='Far "too" short: #1', test="words", item="short")
    assert afterwards_of("bo", "", rules_of(spec)).by_hand == (changed,)
    text = (spec.root / "adjustments.yaml").read_text()
    assert text.startswith("# ours\nrubric:   # what we look at\n  - spec: echo\n    item: ")
    assert text.endswith(f"\n# and who has it\nadjustments:\n{USE}# the end\n")


def test_both_lists_come_and_go_in_any_order(spec: Spec) -> None:
    item = RubricItem(id="short", why="Too short.", points=-2)
    with changing(spec) as change:
        change.add_item(item)
        change.add("bo", ByHand(why="", item="short"))
        change.add("bo", ByHand(why="Good.", file="a b.py", line=3, code="x = '#'"))
    rules = rules_of(spec)
    assert [line.by_hand for line in rules.lines] == [
        ByHand(why="Too short.", points=-2, item="short"),
        ByHand(why="Good.", file="a b.py", line=3, code="x = '#'"),
    ]
    with pytest.raises(UsageError, match="1 student still has it: bo"), changing(spec) as change:
        change.remove_item(rules.rubric[0])
    with changing(spec) as change:
        for one in change.rules.lines:
            change.remove(one)
    rules = rules_of(spec)
    assert (len(rules.lines), len(rules.rubric)) == (0, 1)
    with changing(spec) as change:
        change.add("bo", ByHand(why="Again."))
        change.remove_item(rules.rubric[0])
    assert (len(rules_of(spec).lines), rules_of(spec).rubric) == (1, ())
    assert (spec.root / "adjustments.yaml").read_text().startswith("# What was decided by hand")


@each_row
def test_mistakes_are_reported_once_with_their_place(text: str, problem: str, spec: Spec) -> None:
    (spec.root / "adjustments.yaml").write_text(text)
    with pytest.raises(SpecError) as caught:
        rules_of(spec)
    assert problem in str(caught.value)
    assert len(caught.value.problems) == 1


def test_each_item_without_an_id_is_reported(spec: Spec) -> None:
    (spec.root / "adjustments.yaml").write_text("rubric:\n" + 2 * "  - {spec: echo, why: W}\n")
    with pytest.raises(SpecError) as caught:
        rules_of(spec)
    assert [(one.line, one.message) for one in caught.value.problems] == [
        (2, "this key is missing"),
        (3, "this key is missing"),
    ]


def test_an_item_of_another_assignment_is_not_ours(spec: Spec) -> None:
    other = f"{RUBRIC}{USE}".replace("echo", "other").partition("  - spec: other\n    student")
    (spec.root / "adjustments.yaml").write_text(f"rubric:\n{other[0]}adjustments:\n{other[1]}{other[2]}")
    rules = rules_of(spec)
    assert (rules.lines, rules.rubric) == ((), ())
    with changing(spec) as change:
        change.add_item(RubricItem(id="short", why="Ours."))
    (ours,) = rules_of(spec).rubric
    with changing(spec) as change:
        change.replace_item(ours, msgspec.structs.replace(ours, why="Still ours."))
    assert "Too short." in (spec.root / "adjustments.yaml").read_text()
    assert rules_of(spec).rubric[0].why == "Still ours."


@each_row
def test_every_layout_is_edited_or_stays(text: str, spec: Spec) -> None:
    file = spec.root / "adjustments.yaml"
    file.write_text(text)
    (old,) = rules_of(spec).rubric
    try:
        with changing(spec) as change:
            change.replace_item(old, msgspec.structs.replace(old, why="Other."))
    except GraderError as error:
        assert "yourself" in str(error)  # noqa: PT017 - either is right
        assert file.read_text() == text
    else:
        assert [(one.id, one.points, one.why) for one in rules_of(spec).rubric] == [("short", -2, "Other.")]


def test_an_id_is_made_of_the_first_words_and_is_new() -> None:
    known: list[RubricItem] = []
    for why in ("There are no comments at all.", "There are no comments here.", "There are no comments!", "¿?", "…"):
        known.append(RubricItem(id=free_id(why, known), why=why))
    assert [item.id for item in known] == [
        "there-are-no-comments",
        "there-are-no-comments-2",
        "there-are-no-comments-3",
        "item",
        "item-2",
    ]


def test_many_lines_take_time_in_proportion(spec: Spec) -> None:
    def read_all(size: int) -> None:
        lines = "".join(f"  - {{spec: echo, student: s{number}, why: Well done.}}\n" for number in range(size))
        about, _ = read_adjustments(spec.root / "adjustments.yaml", spec, None, f"adjustments:\n{lines}".encode())
        assert len(about) == size

    assert growth(read_all, 100) < 30
