import json
from io import StringIO

import pytest
from msgspec.structs import replace
from rich.console import Console

from grader.core.model.gradebook import Student
from grader.core.model.report import Report, ReportedBuild, Verdict
from grader.core.text import show
from grader.results.diff import Comparison, compare_gradebooks, comparison_to_json
from grader.results.terminal import lay_out_comparison
from tests.support.past_samples import book, case, grade, record, scored
from tests.support.report_samples import HOSTILE
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
FULL, NONE = record(scored("usage", 10)), record(scored("usage", 0))


def text(comparison: Comparison, width: int = 60) -> str:
    file = StringIO()
    Console(file=file, width=width, highlight=False, markup=False, emoji=False).print(*lay_out_comparison(comparison))
    return file.getvalue()


def test_every_kind_has_its_heading_and_those_that_fall_come_first() -> None:
    ungraded = record(scored("usage", None))
    moved = record(scored("usage", 4), scored("count", 6)), record(scored("usage", 6), scored("count", 4))
    old = book(grade("f", FULL), grade("r", NONE), grade("u", FULL), grade("g", FULL), grade("s", moved[0]))
    new = book(grade("f", NONE), grade("r", FULL), grade("u", ungraded), grade("n", FULL), grade("s", moved[1]))
    shown = text(compare_gradebooks(old, new))
    headings = [line for line in shown.splitlines() if line and not line.startswith(" ")]
    assert headings == DATA["HEADINGS"]
    assert "  f            10    0  -10\n" in shown


def test_who_changes_for_the_same_reason_shares_one_story() -> None:
    before = record(scored("usage", 10, cases=[case(1)]))
    after = record(scored("usage", 0, cases=[case(0, "It is wrong.")]), submission="x")
    names = [f"s{number}" for number in range(9)]
    shown = text(compare_gradebooks(book(*(grade(n, before) for n in names)), book(*(grade(n, after) for n in names))))
    assert shown.count("usage: It is wrong.") == 1
    assert (
        "  s0, s1, s2 and 6 more: because of the submission\n    usage: 10 -> 0 of 10 (full marks -> no points)\n"
        in shown
    )
    assert all(f"\n  {name} " in shown for name in names)


def test_another_maximum_is_said_and_shown_as_percent() -> None:
    old = book(grade("a", record(scored("usage", 6))), max_score=10)
    new = book(grade("a", record(scored("usage", 7, 20))), max_score=20)
    shown = text(compare_gradebooks(old, new))
    assert "The maximum was 10 and is 20" in shown
    assert "  a        6 of 10, 60 %  7 of 20, 35 %  +1\n" in shown
    assert "usage: 6 of 10 -> 7 of 20 (part of the points)" in shown


def test_a_long_name_takes_the_columns_of_no_other() -> None:
    names = ("n" * 60, "short")
    old, new = (book(*(grade(name, report) for name in names)) for report in (FULL, NONE))
    shown = text(compare_gradebooks(old, new), 40)
    assert "  student  before  now   by\n" in shown
    assert f"  {'n' * 38}\n{'n' * 22}  10  0  -10\n  short        10    0  -10\n" in shown
    wide = text(compare_gradebooks(old, new), 90)
    assert f"  {'n' * 60}      10    0  -10\n  short        10    0  -10\n" in wide


@each_row
def test_why_is_said_in_words(new: Report | None, said: str) -> None:
    old = NONE if new is FULL else FULL
    after = grade("a", new, path="x" if new else None)
    assert said in text(compare_gradebooks(book(grade("a", old)), book(after)), 200)


@pytest.mark.parametrize("data", HOSTILE)
@pytest.mark.parametrize("width", [40, 60, 200])
def test_nothing_that_students_write_gets_through(data: bytes, width: int) -> None:
    raw = data.decode("utf-8", "surrogateescape")
    shown = show(raw)
    bad = replace(case(0, shown, shown, keeps={shown: 0}), verdict=Verdict.CRASHED)
    old = record(scored(shown, 10, cases=[case(1, name=shown)]))
    new = replace(
        record(scored(shown, 0, cases=[bad])), toolchain={"cc": shown}, build=ReportedBuild(ok=False, message=shown)
    )
    student = Student(id="1", name=raw, email=raw)
    comparison = compare_gradebooks(book(grade(raw, old, student)), book(grade(raw, new, student)))
    printed = text(comparison, width)
    for line in printed.splitlines():
        assert len(line) <= width
        assert line.isprintable()
        assert not line.strip().startswith("::")
        assert "##[" not in line
        assert "##vso[" not in line
    written = comparison_to_json(comparison).decode()
    assert "##[" not in written
    assert json.loads(written)["changes"][0]["is_lower"]


def test_a_line_break_in_a_text_begins_no_line_of_the_layout() -> None:
    name = "usage\ntable|gone\nbold red|Gone"
    old, new = (record(scored(name, score, cases=[case(score / 10, name)])) for score in (10, 0))
    shown = text(compare_gradebooks(book(grade("a", old)), book(grade("a", new))), 200)
    assert "    usage table|gone bold red|Gone: 10 -> 0 of 10 (full marks -> no points)\n" in shown
    assert "  │ usage: usage table|gone bold red|Gone\n" in shown


def test_json_has_it_all() -> None:
    found = json.loads(
        comparison_to_json(compare_gradebooks(book(grade("a", FULL), grade("b", FULL)), book(grade("a", NONE))))
    )
    assert found["counts"] == {"falls": 1, "gone": 1}
    fall = found["changes"][0]
    assert (fall["id"], fall["kind"], fall["delta"], fall["new"]["score"]) == ("a", "falls", -10, 0)
    assert found["changes"][1]["new"] is None
