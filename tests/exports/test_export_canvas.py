import csv
from dataclasses import replace
from io import StringIO
from typing import Any

import pytest

from grader.core.errors import UsageError
from grader.core.model.gradebook import Student
from grader.core.model.report import Judgement
from grader.exports.platforms import to_canvas
from grader.exports.request import Exported, Template
from tests.support.export_samples import graded, request_of, template, ungraded
from tests.support.rows import each_row

CANVAS = template("canvas.csv")
SEMICOLON = template("canvas-semicolon.csv")
QUEENS = "Queens (40231)"
COLUMN = 6

ADA = Student(id="S0001", name="Ada Abara")


def filled(reports: dict[str, Judgement | None], people: dict[str, Student] | None = None, **asked: Any) -> Exported:
    return to_canvas(request_of(reports, people, **{"template": CANVAS, "assignment": QUEENS, **asked}))


def rows(content: bytes, delimiter: str = ",") -> list[list[str]]:
    return list(csv.reader(StringIO(content.decode("utf-8-sig"), newline=""), delimiter=delimiter))


def column(exported: Exported) -> list[str]:
    return [row[COLUMN] for row in rows(exported.content)[3:]]


BEFORE = [row[COLUMN] for row in rows(CANVAS.content)[3:]]


def with_template(old: str, new: str) -> Template:
    assert old.encode() in CANVAS.content
    return Template(name="canvas.csv", content=CANVAS.content.replace(old.encode(), new.encode()))


def test_one_cell_changes_and_every_other_byte_stays() -> None:
    exported = filled({"S0001": graded("87.5")})
    row = '"Abara, Ada",71001,S0001,aabara,CMPS 12B-01,18.50,{},,92.50'
    assert exported.content == CANVAS.content.replace(row.format("").encode(), row.format("87.5").encode())
    assert exported.content != CANVAS.content
    assert exported.left_out == ()
    assert exported.notes == ("column 'Queens (40231)': 1 filled in, 0 of them in place of another grade",)


def test_with_no_grade_the_file_comes_back_as_it_was() -> None:
    exported = filled({"S0001": None})
    assert (exported.content, exported.left_out) == (CANVAS.content, ())


def test_other_lines_and_quotes_are_as_they_were() -> None:
    exported = filled({"S0002": graded(60)})
    assert b'"Berg, Ben ""Benny""",71002,S0002,bberg,CMPS 12B-01,=1+1,60,,80.00' in exported.content
    assert exported.content.startswith(b"\xef\xbb\xbfStudent,")
    assert exported.content.count(b"\r\n") == CANVAS.content.count(b"\r\n")
    assert exported.notes[-1].endswith("1 of them in place of another grade")


@each_row
def test_who_a_student_is(student: Student, row: int | None) -> None:
    exported = filled({"one": graded(50)}, {"one": student})
    changed = [place for place, (old, new) in enumerate(zip(BEFORE, column(exported), strict=True)) if old != new]
    assert changed == ([] if row is None else [row])
    assert exported.left_out == ()


@each_row
def test_a_grade_without_a_row_of_its_own_is_told_and_not_written(student: Student, told: str) -> None:
    exported = filled({"one": graded(50)}, {"one": student})
    assert exported.content == CANVAS.content
    assert len(exported.left_out) == 1
    assert exported.left_out[0].startswith(told)


def test_an_id_is_a_number_of_canvas_only_where_nearly_all_are() -> None:
    numbers, ids = [f"7100{n}" for n in (1, 2, 4)], ["S0001", "71002", "S0004"]
    exported = filled({name: graded(50) for name in numbers})
    assert [row for row in column(exported) if row == "50"] == ["50"] * 3
    exported = filled({name: graded(50) for name in ids})
    assert [old != new for old, new in zip(BEFORE, column(exported), strict=True)][:4] == [True, False, False, True]
    assert exported.left_out == ("71002 has a grade and no row in the file: look at the id, login, address and name",)


@pytest.mark.parametrize("known", [0, 1, 2])
def test_a_gradebook_of_another_course_is_refused_and_one_that_fits_few_is_told(known: int) -> None:
    numbers = [*("71001", "71002")[:known], *("901", "902", "903", "904")[known:]]
    names: dict[str, Judgement | None] = {f"s{number}_{number}_90_Queens.java": graded(50) for number in numbers}
    told = f" {len(numbers)} numbers in the names of what was handed in, such as "
    if not known:
        with pytest.raises(UsageError, match=f"canvas.csv has none of the{told}901"):
            filled(names)
    else:
        assert f"canvas.csv has only {known} of the{told}71001" in filled(names).notes[0]


@pytest.mark.parametrize("scale", [False, True])
def test_points_that_may_be_a_thousand_or_one_are_refused(scale: bool) -> None:  # noqa: FBT001
    other = with_template(",20.00,100.00,", ',20.00,"1,000",')
    with pytest.raises(UsageError, match="'1,000' points possible: that is no number, or may be two"):
        filled({"S0001": graded(50)}, template=other, scale=scale)


def test_two_grades_for_one_row_are_told_and_not_written() -> None:
    exported = filled({"aabara": graded(50), "S0001": graded(60)})
    assert exported.content == CANVAS.content
    assert exported.left_out == (
        "S0001 and aabara both fit row 4, which stays as it was: tell them apart in the roster",
    )


def test_the_number_that_canvas_gave_a_file_decides() -> None:
    name = "limei_71006_90_Queens.java"
    exported = filled({name: graded(50)}, {name: Student(id="limei", name="Mei Li")})
    assert column(exported)[5] == "50"


def test_all_of_a_team_get_the_grade() -> None:
    request = request_of({"team": graded(50)}, template=CANVAS, assignment=QUEENS)
    grade = request.book.grades[0]
    entry = replace(grade.entry, students=(ADA, Student(id="S0004")), team="team")
    exported = to_canvas(replace(request, book=replace(request.book, grades=(replace(grade, entry=entry),))))
    assert [column(exported)[0], column(exported)[3]] == ["50", "50"]


def test_an_ungraded_cell_stays_and_is_told() -> None:
    exported = filled({"S0002": ungraded()})
    assert exported.content == CANVAS.content
    assert exported.left_out == ("S0002 is left as it was: ungraded, by a fault of the grader and not of the student",)


def test_who_is_excused_stays_excused_and_is_told() -> None:
    exported = filled({"S0003": graded(50)})
    assert exported.content == CANVAS.content
    assert exported.notes[0] == "S0003 in row 6 stays as it was: is excused"


def test_a_zero_is_a_grade() -> None:
    assert column(filled({"S0001": graded(0)}))[0] == "0"


@pytest.mark.parametrize(("name", "place"), [(QUEENS, 6), ("40231", 6), ("Queens (40988)", 7), ("40988", 7)])
def test_the_column_is_found_by_header_or_number(name: str, place: int) -> None:
    exported = filled({"S0001": graded(5)}, assignment=name, scale=True)
    assert rows(exported.content)[3][place] in {"5", "0.5"}


@each_row
def test_no_column_is_ever_made(name: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        filled({"S0001": graded(5)}, assignment=name)


def test_other_points_are_refused_or_scaled() -> None:
    with pytest.raises(UsageError, match=r"'Queens \(40988\)' has 10 points and the assignment 100.*--scale"):
        filled({"S0001": graded("87.5")}, assignment="40988")
    exported = filled({"S0001": graded("87.5")}, assignment="40988", scale=True)
    assert rows(exported.content)[3][7] == "8.75"
    assert exported.notes[0] == "grades of 100 points are scaled to 10"


def test_a_read_only_column_is_no_assignment() -> None:
    with pytest.raises(UsageError, match="no column"):
        filled({"S0001": graded(5)}, template=with_template("20.00,100.00,10.00", "20.00,(read only),10.00"))


def test_a_file_with_semicolons_and_decimal_commas_keeps_them() -> None:
    person = Student(id="x", name="Jörg Müller")
    exported = filled({"x": graded("17.5")}, {"x": person}, template=SEMICOLON, assignment="Damen", scale=True)
    assert rows(exported.content, ";")[3][8] == "8,75"
    assert exported.content.replace(b";8,75;\n", b";;\n") == SEMICOLON.content


@each_row
def test_another_file_is_refused(content: bytes, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        filled({"S0001": graded(5)}, template=Template(name="x.csv", content=content))


def test_without_the_points_the_grades_are_written_and_it_is_told() -> None:
    content = b"Student,ID,SIS Login ID,Section,Queens (1)\r\nAda,1,aabara,01\r\n"
    exported = filled({"aabara": graded(7)}, template=Template(name="x.csv", content=content), assignment="Queens")
    assert exported.content.endswith(b"Ada,1,aabara,01,7\r\n")
    assert "does not say how many points" in exported.notes[0]
