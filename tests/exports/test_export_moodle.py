import csv
from io import StringIO
from typing import Any

import pytest
from msgspec.structs import replace

from grader.core.errors import UsageError
from grader.core.model.gradebook import Student
from grader.core.model.report import Judgement, Verdict
from grader.exports.platforms import OUR_COMMENT, to_moodle
from grader.exports.registry import make_export
from grader.exports.request import Exported, Template
from tests.support.export_samples import graded, keeping_secrets, request_of, template, ungraded
from tests.support.report_samples import broken_report, case_result, report_of, scored_test
from tests.support.rows import each_row

WORKSHEET = template("moodle-worksheet.csv")
GERMAN = template("moodle-worksheet-de.csv")
GRADEBOOK = template("moodle-gradebook.csv")
GRADE, FEEDBACK = 6, 11


def filled(reports: dict[str, Judgement | None], people: dict[str, Student] | None = None, **asked: Any) -> Exported:
    return to_moodle(request_of(reports, people, **{"template": WORKSHEET, **asked}))


def rows(exported: Exported) -> list[list[str]]:
    return list(csv.reader(StringIO(exported.content.decode("utf-8-sig"), newline="")))


def test_grade_and_comment_change_and_every_other_byte_stays() -> None:
    exported = filled({"S0001": graded("87.5")})
    before, after = WORKSHEET.content.split(b"\n"), exported.content.split(b"\n")
    assert [number for number, line in enumerate(before) if line != after[number]] == [1]
    assert after[1] == (
        b'"Participant 5001","Ada Abara",S0001,ada@uni.example,"Submitted for grading - ",,87.5,100.00,Yes,'
        b'"Monday, 4 May 2026, 9:12 PM",-,'
        b"Graded by grader: 87.5 of 100 points.<br>count: 87.5 of 100. Line 1 is `3`; expected `&lt;2&gt;`."
    )
    assert exported.left_out == ()


@each_row
def test_who_a_student_is(student: Student) -> None:
    exported = filled({"one": graded(50)}, {"one": student})
    assert rows(exported)[1][GRADE] == "50"
    assert exported.left_out == ()


@pytest.mark.parametrize("form", ["moodle", "moodle-feedback"])
def test_a_worksheet_of_another_assignment_is_refused(form: str) -> None:
    names = {
        f"{name}_{n}_assignsubmission_file_": Student(id=name, name=name) for n, name in enumerate(("Ada Abara", "B"))
    }
    asked = request_of(dict.fromkeys(names, graded(50)), names, template=WORKSHEET)
    with pytest.raises(
        UsageError, match=r"moodle-worksheet\.csv has none of the 2 numbers in the names of what was handed"
    ):
        make_export(form, asked)


def test_the_number_that_moodle_gave_a_folder_decides() -> None:
    name = "Ada Abara_5002_assignsubmission_file_"
    exported = filled({name: graded(50)}, {name: Student(id="one", name="Ada Abara")})
    assert [row[GRADE] for row in rows(exported)[1:3]] == ["", "50"]


def test_what_somebody_wrote_is_never_replaced_and_what_we_wrote_is() -> None:
    exported = filled({"S0002": graded(60), "S0005": graded(70)})
    _, _, ben, _, _, elif_ = rows(exported)
    assert (ben[GRADE], ben[FEEDBACK]) == ("60", "<p>Come and see me, please.</p>")
    assert elif_[GRADE] == "70"
    assert elif_[FEEDBACK].startswith(OUR_COMMENT + "70 of 100 points.")
    assert exported.notes == ("column 'Grade': 2 filled in, 2 of them in place of another grade",)


def test_what_moodle_would_skip_without_a_word_is_told() -> None:
    exported = filled({"S0003": graded(50), "S0001": graded(110)})
    assert exported.content == WORKSHEET.content
    assert exported.left_out == (
        "S0001 with 110 in row 2 is left as it was: it is above the maximum of 100, and Moodle would skip it",
        "S0003 with 50 in row 4 is left as it was: Moodle does not let it be changed",
    )


def test_who_has_no_grade_stays_and_who_has_one_and_no_row_is_told() -> None:
    exported = filled({"S0001": ungraded(), "S0004": None, "S0099": graded(5)})
    assert exported.content == WORKSHEET.content
    assert [line.split(" ")[0] for line in exported.left_out] == ["S0001", "S0099"]


def test_a_german_worksheet_has_its_own_headers_and_decimal_mark() -> None:
    person = Student(id="x", name="Ada Abara")
    exported = filled({"x": graded("87.5"), "joerg@uni.example": graded(5)}, {"x": person}, template=GERMAN)
    assert rows(exported)[1][4] == "87,5"
    assert b',"87,5","100,00",Ja,-,Graded by grader: ' in exported.content
    assert exported.left_out == (
        "joerg@uni.example with 5 in row 3 is left as it was: Moodle does not let it be changed",
    )


def test_columns_in_another_language_are_named() -> None:
    header = "Deltager,Navn,Karakter\n"
    other = Template(name="x.csv", content=(header + "Deltager 7,Ada Abara,\n").encode())
    with pytest.raises(UsageError, match=r"--id-column and --grade-column.*'Deltager', 'Navn', 'Karakter'"):
        filled({"7": graded(50)}, template=other)
    exported = filled({"7": graded(50)}, template=other, columns={"id": "Deltager", "grade": "Karakter"})
    assert exported.content.decode() == header + "Deltager 7,Ada Abara,50\n"
    with pytest.raises(UsageError, match="no column 'Grade'"):
        filled({"7": graded(50)}, template=other, columns={"grade": "Grade"})


def test_the_gradebook_has_one_column_filled() -> None:
    exported = filled({"S0001": graded("87.5"), "ben@uni.example": graded(60)}, template=GRADEBOOK, assignment="Queens")
    expected = GRADEBOOK.content.replace(b"18.50,-,,18.50", b"18.50,87.5,,18.50").replace(b"-,55.00,", b"-,60,")
    assert exported.content == expected
    assert "grades are of 100" in exported.notes[0]


@each_row
def test_the_gradebook_gets_no_other_column(name: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        filled({"S0001": graded(5)}, template=GRADEBOOK, assignment=name)


def test_other_points_are_refused_or_scaled() -> None:
    half = Template(name="x.csv", content=WORKSHEET.content.replace(b",100.00,", b",50.00,"))
    with pytest.raises(UsageError, match="'Grade' has 50 points and the assignment 100"):
        filled({"S0001": graded("87.5")}, template=half)
    exported = filled({"S0001": graded("87.5")}, template=half, scale=True)
    assert rows(exported)[1][GRADE] == "43.75"
    with pytest.raises(UsageError, match="nothing can be scaled"):
        filled({"S0001": graded(5)}, template=GRADEBOOK, assignment="Queens", scale=True)


@pytest.mark.parametrize("maximum", [b"-", b"60.00"])
def test_a_maximum_that_is_none_or_not_the_same_for_all_is_refused(maximum: bytes) -> None:
    other = Template(name="x.csv", content=WORKSHEET.content.replace(b",100.00,", b"," + maximum + b",", 1))
    with pytest.raises(UsageError, match="several maximum grades"):
        filled({"S0001": graded(5)}, template=other)


def test_above_what_a_gradebook_usually_takes_there_is_a_warning() -> None:
    exported = filled({"S0001": graded(150, 200)}, template=GRADEBOOK, assignment="Queens")
    assert any("above 100" in note for note in exported.notes)


def test_a_comment_is_one_line_of_harmless_html() -> None:
    tests = [
        scored_test(f"<b>{number}</b>", (case_result(message="<script>x</script>\n=1"),), Verdict.FAILED)
        for number in range(100)
    ]
    text = rows(filled({"S0001": report_of(*tests)}, scale=True))[1][FEEDBACK]
    assert "<script" not in text
    assert "<b>" not in text
    assert "\n" not in text
    assert text.count("<br>") == 100


def test_a_comment_says_why_it_was_not_built() -> None:
    text = rows(filled({"S0001": broken_report()}, scale=True))[1][FEEDBACK]
    assert text.startswith(
        OUR_COMMENT + "0 of 10 points.<br>Your program does not compile. Queens.java:3: error: &#x27;;&#x27; expected"
    )


def test_a_comment_names_a_hidden_test_with_its_points_alone() -> None:
    text = rows(filled({"S0001": keeping_secrets()}, scale=True))[1][FEEDBACK]
    assert "<br>covert: 3 of 10.<br>deferred: 2 of 10." in text + "<br>"


def test_full_marks_need_no_more_words() -> None:
    report = graded(100)
    assert rows(filled({"S0001": replace(report, findings=())}))[1][FEEDBACK] == OUR_COMMENT + "100 of 100 points."
