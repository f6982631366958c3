"""A course over its assignments: one person under several names, who left, what is not graded, same ids."""

from dataclasses import replace
from pathlib import Path

import msgspec

from grader.core.model.gradebook import Afterwards, Grade, Student
from grader.core.model.report import Judgement, Verdict
from grader.people.people import Member, Roster
from grader.results.course_overview import COURSE_FORMATS, Assignment, course_lines, help_groups, overview_of
from tests.support.class_samples import class_of
from tests.support.report_samples import HOSTILE, case_result, deviation, report_of, scored_test


def work(score: int, kind: str = "final-newline") -> Judgement:
    wrong = () if score == 10 else (deviation(kind),)
    verdict = Verdict.FAILED if wrong else Verdict.PASSED
    return report_of(scored_test("words", (case_result("x", verdict, deviations=wrong),), verdict, score), score=score)


def assignment(
    label: str, scores: dict[str, int], *, due: str = "", nothing: tuple[str, ...] = (), **more: Student
) -> Assignment:
    book = class_of({name: work(score) for name, score in scores.items()}, nothing=nothing).book
    grades = []
    for grade in book.grades:
        after = msgspec.structs.replace(Afterwards(), due=due)
        student = more.get(grade.entry.id, Student(id=grade.entry.id))
        grades.append(replace(grade, entry=replace(grade.entry, students=(student,), after=after)))
    book = replace(book, grades=tuple(grades), spec=msgspec.structs.replace(book.spec, id=label))
    return Assignment(label=label, folder=Path(label), book=book, due=due, bank=None)


def test_one_person_under_several_names_has_one_row() -> None:
    one = assignment("one", {"ada": 10}, ada=Student(id="ada", email="ada@x.edu"))
    two = assignment("two", {"s1": 5}, s1=Student(id="s1", name="Ada Abara", email="ADA@x.edu"))
    three = assignment("three", {"S1": 0})
    (row,) = overview_of([one, two, three]).rows
    assert (row.student.name, [grade is not None for grade in row.grades]) == ("Ada Abara", [True] * 3)
    # Without an address in common, the roster of the course alone says so.
    plain = assignment("four", {"Ada Abara": 10})
    assert len(overview_of([two, plain]).rows) == 2
    roster = Roster(
        members=(Member(student=Student(id="s1", name="Ada Abara"), line=2), Member(student=Student(id="s2"), line=3))
    )
    rows = overview_of([two, plain, assignment("five", {"zoe": 10})], roster).rows
    assert [(one.student.id, one.is_enrolled) for one in rows] == [("s1", True), ("s2", True), ("zoe", False)]
    assert [grade is not None for grade in rows[0].grades] == [True, True, False]


def test_two_people_of_one_class_are_never_one() -> None:
    bo, ada = Student(id="bo", login="ada"), Student(id="ada", email="bo")
    one = assignment("one", {"bo": 2, "ada": 10}, bo=bo, ada=ada)
    two = assignment("two", {"ada": 10, "bo": 2}, ada=ada, bo=bo)
    for order in ([one, two], [two, one]):
        overview = overview_of(order)
        scores = {row.student.id: [grade and grade.counted for grade in row.grades] for row in overview.rows}
        assert (scores, overview.notes) == ({"ada": [10, 10], "bo": [2, 2]}, ())
    # One person twice in one class is told.
    again = assignment("one", {"bo": 2, "x": 10}, bo=bo, x=Student(id="BO"))
    assert len(overview_of([again]).rows) == 1
    assert overview_of([again]).notes == ("one: bo is in bo and x; x counts here",)


def test_two_namesakes_on_the_roster_stay_two() -> None:
    members = [Member(student=Student(id=f"s{line}", name="Bo Berg"), line=line) for line in (2, 3)]
    overview = overview_of([assignment("one", {"Bo Berg": 10})], Roster(members=tuple(members)))
    assert [row.student.id for row in overview.rows] == ["Bo Berg", "s2", "s3"]


def test_who_left_needs_no_help_and_ungraded_work_is_no_zero() -> None:
    one = assignment("one", {"ada": 10, "bo": 2, "cy": 2})
    two = assignment("two", {"ada": 10, "cy": 2, "di": 9}, nothing=("eve",))
    ungraded = [Grade(entry=g.entry, report=None) if g.entry.id == "cy" else g for g in two.book.grades]
    two = replace(two, book=replace(two.book, grades=tuple(ungraded)))
    members = [Member(student=Student(id=name), line=line) for line, name in enumerate(("ada", "cy", "di", "eve"), 2)]
    overview = overview_of([one, two], Roster(members=tuple(members)))
    rows = {row.student.id: row for row in overview.rows}
    assert not rows["bo"].is_enrolled
    assert all(row.is_enrolled for row in overview_of([one, two]).rows)
    assert {reason: [row.student.id for row in some] for reason, some in help_groups(overview).items()} == {
        "Handed in nothing so far": ["eve"],
        "Less than half of the points": ["cy"],
    }
    assert rows["cy"].mean == 0.2
    assert overview.notes == ("two: 1 submission without a score, in no mean here",)
    lines = list(course_lines(overview))
    assert "No longer in the class (1): bo" in lines


def test_one_assignment_nothing_graded_and_nobody_say_something_sensible() -> None:
    empty = Assignment(label="one", folder=Path("one"), book=class_of({}, waiting=["ada"]).book, due="", bank=None)
    assert "nothing graded yet" in list(course_lines(overview_of([empty])))[-2]
    lone = overview_of([assignment("one", {"ada": 10})])
    assert (lone.rows[0].trend, lone.rows[0].mean) == (None, 1)
    for render in COURSE_FORMATS.values():
        assert render(overview_of([]), Path())
        assert render(lone, Path())


def test_hostile_names_stay_text() -> None:
    names = {data.decode("utf-8", "surrogateescape").replace("\0", "").replace("/", ""): 5 for data in HOSTILE}
    overview = overview_of([assignment("one", {**names, "=1+1": 5})])
    page = COURSE_FORMATS["course.html"](overview, Path()).decode()
    assert "<script" not in page
    assert "'=1+1" in COURSE_FORMATS["course.csv"](overview, Path()).decode()
    msgspec.json.decode(COURSE_FORMATS["course.json"](overview, Path()))


def test_work_of_nobody_on_a_roster_is_no_student() -> None:
    one = assignment("one", {"ada": 10, "bo": 0, "zoe": 10})
    grades = [
        replace(grade, entry=replace(grade.entry, is_unknown=grade.entry.id != "ada")) for grade in one.book.grades
    ]
    one = replace(one, book=replace(one.book, grades=tuple(grades)))
    overview = overview_of([one])
    assert [row.student.id for row in overview.rows] == ["ada"]
    assert [(found.figures["handed_in"], found.figures["mean"]) for found in overview.assignments] == [(1, 1)]
    assert overview.notes == ("one: 2 submissions of nobody on the roster, left out here: bo, zoe",)
    # Whom the course or another class knows is a student, in this class as well.
    roster = Roster(members=(Member(student=Student(id="ada"), line=2), Member(student=Student(id="bo"), line=3)))
    for more, course in (([assignment("two", {"bo": 10})], None), ([], roster)):
        known = overview_of([one, *more], course)
        assert [row.student.id for row in known.rows] == ["ada", "bo"]
        assert known.notes == ("one: 1 submission of nobody on the roster, left out here: zoe",)
