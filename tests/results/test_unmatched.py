"""Whom nobody knows, and who may belong together."""

from dataclasses import replace
from pathlib import Path

from grader.core.model.gradebook import Entry, Grade, Gradebook, Student
from grader.core.model.report import ReportedSpec
from grader.results.class_files import to_summary
from grader.results.unmatched import unmatched_lines, unmatched_of
from tests.support.rows import each_row
from tests.support.work_counts import count_lines

ADA = Student(id="s1001", name="Ada Abara", email="a.abara@uni.edu", login="aabara")
BO = Student(id="s1002", name="Bo Berg", email="bo@uni.edu")
ALEX, ALEX_TOO = Student(id="7001", name="Alex Kim"), Student(id="7002", name="Alex Lee")


def book_of(works: list[str], students: list[Student], platform: str = "") -> Gradebook:
    unknown = [
        Entry(
            id=name, path=Path(name), students=(Student(id=name),), uploads=(name,), is_unknown=True, platform=platform
        )
        for name in works
    ]
    missing = [Entry(id=one.id, path=None, students=(one,)) for one in students]
    grades = tuple(Grade(entry=entry, report=None) for entry in (*unknown, *missing))
    return Gradebook(spec=ReportedSpec(id="echo", title="Echo", digest=""), max_score=10, grades=grades)


@each_row
def test_likely_pairs(work: str, students: list[Student], owner: Student | None) -> None:
    found = unmatched_of(book_of([work], students))
    assert found.pairs == (((work, owner),) if owner else ())
    assert found.work == (() if owner else (work,))
    assert set(found.students) == set(students) - {owner}


def test_a_class_of_another_roster_is_compared_in_bounds() -> None:
    names = [f"{first}{last}" for first in "abcdef" for last in "klmnop"]
    students = [Student(id=f"s{number}", name=f"{name}{name} Lee") for number, name in enumerate(names)]
    book = book_of([f"{name * 3} Lee {name}" for name in names], students)
    assert count_lines(lambda: unmatched_of(book)) < 220 * len(names) ** 2
    # A hundred students and a hundred and one uploads are of two classes.
    many = book_of([f"Ada Abara {number}" for number in range(101)], [replace(ADA, id=f"q{n}") for n in range(100)])
    assert count_lines(lambda: unmatched_of(many)) < 100 * 201


def test_a_student_s_own_part_of_a_name_makes_no_pair() -> None:
    found = unmatched_of(book_of(["mallory_14_36_ada_abara.zip"], [ADA], platform="Canvas"))
    assert (found.pairs, found.work) == ((), ("mallory_14_36_ada_abara.zip",))


def test_what_is_told() -> None:
    book = book_of(["abara_ada", "x\x1b[31m"], [ADA, BO])
    lines = list(unmatched_lines(unmatched_of(book)))
    assert lines == [
        "2 on the roster have handed in nothing: s1002 (Bo Berg), s1001 (Ada Abara)",
        "2 submissions are of nobody on the roster: x\\x1b[31m, abara_ada",
        "These may belong together:",
        "  abara_ada  s1001 (Ada Abara)",
        lines[-1],
    ]
    assert "in the column folder" in lines[-1]
    summary = to_summary(book)
    assert "| abara_ada | s1001 |" in summary
    assert "## Not matched\n\n2 submissions of nobody on the roster, and 2 students of" in summary
    assert list(unmatched_lines(unmatched_of(book_of([], [])))) == []
    many = [Student(id=f"q{number}") for number in range(99)]
    (line,) = unmatched_lines(unmatched_of(book_of([], many)))
    assert line.endswith("q19 and 79 more, in summary.md")
