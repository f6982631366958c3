"""What a small class comes to, as kept in `tests/golden/`; GRADER_GOLDEN=write keeps it anew."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from grader.core.model.gradebook import Gradebook, Student
from grader.core.model.report import Verdict
from grader.results.class_files import CLASS_FORMATS
from tests.support.class_samples import ClassSample, class_of
from tests.support.report_samples import broken_report, case_result, full_report, report_of, scored_test

GOLDEN = Path(__file__).parents[1] / "golden"


def small_class() -> ClassSample:
    ours = case_result("usage[1]", Verdict.UNGRADED, "The sandbox could not be set up.")
    sample = class_of(
        {
            "anna": full_report(),
            "bela, or =1+1": full_report(),
            "carla": broken_report(),
            "dora": report_of(
                scored_test("usage", (ours,), Verdict.UNGRADED, None), verdict=Verdict.UNGRADED, score=None
            ),
            "team 7": full_report(),
        },
        nothing=["emil"],
        waiting=["fritz"],
    )
    return replace(sample, book=_with_a_team(sample.book))


def _with_a_team(book: Gradebook) -> Gradebook:
    people = (Student(id="gina", name="Gina Sánchez", login="gg"), Student(id="hugo", name="@Hugo;-1", section="B"))
    grades = tuple(
        replace(grade, entry=replace(grade.entry, students=people, team="Seven", notes=("attempt 2 of 2 was graded",)))
        if grade.entry.id == "team 7"
        else grade
        for grade in book.grades
    )
    return replace(book, grades=grades, max_score=100.0, unused=("`notes.txt` is no submission.",))


@pytest.mark.parametrize("name", ["grades.csv", "summary.md"])
def test_a_class_looks_as_it_is_kept(name: str) -> None:
    sample = small_class()
    rendered = CLASS_FORMATS[name](sample.book, sample.file)
    if os.environ.get("GRADER_GOLDEN") == "write":
        (GOLDEN / name).write_bytes(rendered)
    assert rendered == (GOLDEN / name).read_bytes()
