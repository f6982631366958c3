import csv
import re
from io import StringIO

import pytest

from grader.core.model.report import Verdict
from grader.results.class_files import csv_cell, to_grades_csv
from tests.support.class_samples import class_of, sample_class
from tests.support.report_samples import HOSTILE, case_result, report_of, scored_test
from tests.support.rows import each_row


def test_there_is_a_line_for_each_student_and_a_score_only_where_there_is_one() -> None:
    book = sample_class(300).book
    text = to_grades_csv(book).decode()
    rows = list(csv.DictReader(StringIO(text, newline="")))
    assert len(rows) == len(book.grades) == 300
    for row, grade in zip(rows, book.grades, strict=True):
        score = grade.report.score if grade.report else None
        assert row["score"] == ("" if score is None else f"{score:.2f}".rstrip("0").rstrip("."))
        assert row["verdict"] == (grade.report.verdict if grade.report else "nothing handed in")
    assert {row["verdict"] for row in rows} >= {"ungraded", "nothing handed in", "failed"}


def test_it_keeps_rfc_4180() -> None:
    data = to_grades_csv(sample_class(30).book)
    assert not data.startswith(b"\xef\xbb\xbf")
    assert data.endswith(b"\r\n")
    assert data.count(b"\r\n") == data.count(b"\n") == data.count(b"\r") == 31


@each_row
def test_no_text_is_a_formula(text: str, shown: str) -> None:
    assert csv_cell(text) == shown


@pytest.mark.parametrize("data", HOSTILE)
@pytest.mark.parametrize("delimiter", [",", ";"])
def test_hostile_names_are_no_formulas_however_the_file_is_read(data: bytes, delimiter: str) -> None:
    name = data.decode("utf-8", "surrogateescape")
    book = class_of({name: report_of(scored_test(f"={name}", (case_result(),), Verdict.FAILED))}).book
    text = to_grades_csv(book).decode()
    assert text.isascii() or not re.search("[\ud800-\udfff\u200b\u202e]", text)
    for row in csv.reader(StringIO(text, newline=""), delimiter=delimiter):
        assert not any(re.match(r"\s*[=+\-@]", field) for field in row)


def test_a_test_that_is_called_like_a_column_has_one_of_its_own() -> None:
    tests = [scored_test(name, (case_result(),), Verdict.PASSED, 3) for name in ("score", "notes", "usage")]
    head, row = csv.reader(
        StringIO(to_grades_csv(class_of({"a": report_of(*tests, score=9)}).book).decode(), newline="")
    )
    assert head[-4:] == ["test score", "test notes", "usage", "notes"]
    assert dict(zip(head, row, strict=True))["score"] == "9"
