"""Holds a report against what `expected.yaml` says of a sample, as the specification language describes it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from grader.load import read_data
from grader.model import Report, TestResult, Verdict
from grader.report.text import points

ROOT = Path(__file__).parent.parent
SAMPLES = ROOT / "sample_submissions"


def expectations(spec_id: str) -> Mapping[str, Mapping[str, Any]]:
    """What each sample of an assignment must get, by name."""
    stated: Mapping[str, Mapping[str, Any]] = read_data(SAMPLES / spec_id / "expected.yaml")
    return stated


def differences(report: Report, stated: Mapping[str, Any]) -> list[str]:
    """All that is not as stated, one line each."""
    told = [f"score {got(report)} is not {stated['score']}"] if got(report) != str(stated["score"]) else []
    tests = stated.get("tests", {})
    if tests == "all":
        return told + [line for result in report.tests for line in test_differences(result, {"score": 0, **stated})]
    unknown = set(tests) - {result.test.name for result in report.tests}
    assert not unknown, f"no such tests: {unknown}"
    return told + [
        line for result in report.tests for line in test_differences(result, tests.get(result.test.name, {}))
    ]


def got(report: Report) -> str:
    """The score as it is shown."""
    return "none" if report.score is None else points(report.score)


def test_differences(result: TestResult, stated: Mapping[str, Any]) -> list[str]:
    """The same for one test; one that is not named must have full marks and no deviation."""
    name = result.test.name
    score = points(result.score) if result.score is not None else "none"
    verdicts = {case.verdict for case in result.cases} - {Verdict.PASSED}
    deviations = {deviation.kind for case in result.cases for deviation in case.deviations}
    wanted = {
        "score": (str(stated.get("score", points(result.test.points))), score),
        "verdicts": (sorted(stated.get("verdicts", [])), sorted(map(str, verdicts))),
        "deviations": (sorted(stated.get("deviations", [])), sorted(deviations)),
    }
    messages = [f"{case.id}: {case.verdict}: {case.message}" for case in result.cases if case.message]
    told = [f"{name}: {key} should be {want}, is {have}" for key, (want, have) in wanted.items() if want != have]
    return told + messages[:5] if told else []


test_differences.__test__ = False  # type: ignore[attr-defined]
