"""The mutants of a reference are tried on unit tests. What students are told of these is in `scenarios/unit-tests/`."""

from pathlib import Path

from msgspec.structs import replace

from grader.check.verification import verify_spec
from grader.core.model.layout import Finding
from grader.core.model.report import Verdict
from grader.core.pipeline import prepare
from grader.core.report.json import to_report
from grader.results.view import why_not_graded
from tests.support.courses import course
from tests.support.report_samples import case_result, report_of, scored_test
from tests.support.rows import read_data

DATA = read_data(__file__)
SPEC = DATA["SPEC"]


def test_the_mutants_of_the_reference_are_tried_on_unit_tests(tmp_path: Path) -> None:
    path = course(tmp_path, SPEC, "def twice(value):\n    return value + value\n")
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/test_twice.py").write_text(
        "from echo import twice\n\ndef test_number():\n    assert twice(4) == 8\n"
    )
    found = verify_spec(path, prepare(path), most=3, samples=False)
    source = [trial for trial in found.trials if trial.mutant.kind == "source"]
    assert {str(trial.outcome) for trial in source} <= {"killed", "survived"}
    assert "killed" in {str(trial.outcome) for trial in source}


def test_the_staff_is_told_of_a_pass_that_is_made_up_before_any_case_without_a_grade() -> None:
    case = case_result("a", Verdict.UNGRADED, "It is ungraded.")
    judgement = report_of(scored_test("a", (case,), Verdict.UNGRADED, None), verdict=Verdict.UNGRADED, score=None)
    assert why_not_graded(to_report(judgement)) == "It is ungraded."
    forged = replace(judgement, findings=(Finding(kind="forged", message="It passed with a turned assertion."),))
    assert why_not_graded(to_report(forged)) == "It passed with a turned assertion."
