import xml.etree.ElementTree as ET
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.model.report import Judgement, Verdict
from grader.core.report.json import to_report
from grader.core.report.junit import _check_counts, to_junit, unique
from tests.support.report_samples import (
    HOSTILE,
    broken_report,
    case_result,
    full_report,
    hostile_report,
    report_of,
    scored_test,
)
from tests.support.rows import each_row

OUTCOMES = {
    Verdict.PASSED: None,
    Verdict.SKIPPED: "skipped",
    Verdict.NOT_READABLE: "skipped",
    Verdict.UNGRADED: "error",
}


@cache
def schema() -> etree.XMLSchema:
    return etree.XMLSchema(etree.parse(Path(__file__).parents[2] / "jenkins-junit.xsd"))


def cases(report: Judgement) -> list[ET.Element]:
    """Render, hold against the schema, and give back the cases."""
    data = to_junit(to_report(report))
    schema().assertValid(etree.fromstring(data))
    return list(ET.fromstring(data).iter("testcase"))  # noqa: S314  our own file


def outcome(case: ET.Element) -> str | None:
    found = [child.tag for child in case if not child.tag.startswith("system-")]
    assert len(found) <= 1
    return found[0] if found else None


@pytest.mark.parametrize("verdict", Verdict)
def test_every_verdict_has_its_outcome(verdict: Verdict) -> None:
    report = report_of(scored_test("a", (case_result(verdict=verdict, message=""),), verdict), verdict=verdict)
    assert [outcome(case) for case in cases(report)] == [OUTCOMES.get(verdict, "failure")]


def test_a_full_report_keeps_the_schema_and_its_counts() -> None:
    report = full_report()
    found = Counter(map(outcome, cases(report)))
    assert found == Counter(OUTCOMES.get(case.verdict, "failure") for test in report.tests for case in test.cases)
    suite = ET.fromstring(to_junit(to_report(report)))[0]  # noqa: S314  our own file
    assert {key: suite.get(key) for key in ("name", "tests", "failures", "errors", "skipped")} == {
        "name": "Müller, Anna",
        "tests": "13",
        "failures": "9",
        "errors": "0",
        "skipped": "1",
    }


@pytest.mark.parametrize(("student", "classname"), [("alice", "alice"), ("a.b", "a%2Eb"), ("a%2Eb", "a%252Eb")])
def test_a_dot_in_a_name_makes_no_package(student: str, classname: str) -> None:
    report = report_of(scored_test("a", (case_result(),), Verdict.FAILED), student=student)
    assert cases(report)[0].get("classname") == f"cmps12b-pa2.{classname}"


def test_names_are_unique() -> None:
    same = tuple(case_result(name) for name in ("a", "a", "a (2)", "a"))
    found = [case.get("name") for case in cases(report_of(scored_test("a", same, Verdict.FAILED)))]
    assert len(set(found)) == len(same)
    assert found[:2] == ["a", "a (2)"]


def test_a_failed_build_has_its_log_in_every_case() -> None:
    for case in cases(broken_report()):
        assert "int n = 4" in (case.findtext("failure") or "")


@pytest.mark.parametrize("visibility", ["hidden", "after-due"])
def test_of_a_test_that_students_may_not_see_nothing_is_told(visibility: Literal["hidden", "after-due"]) -> None:
    case = case_result("secret[n=11]", message="2680 solutions", stdout=b"1", expected=b"2680", command="q 11")
    result = scored_test("secret", (case, case), Verdict.FAILED)
    data = to_junit(to_report(report_of(replace(result, test=replace(result.test, visibility=visibility)))))
    assert b"2680" not in data
    assert b"11" not in data
    assert data.count(b"<failure") == 2


def test_output_is_kept_of_what_did_not_pass_and_cut() -> None:
    passed = case_result("a[1]", Verdict.PASSED, "", stdout=b"fine")
    failed = case_result("a[2]", stdout=b"x" * 10**6, stderr=b"e")
    one, other = cases(report_of(scored_test("a", (passed, failed), Verdict.FAILED)))
    assert one.find("system-out") is None
    assert (other.findtext("system-out") or "").endswith("more bytes")
    assert [child.tag for child in other] == ["failure", "system-out", "system-err"]


@pytest.mark.parametrize("verdict", [Verdict.FAILED, Verdict.UNGRADED])
def test_a_report_that_lost_points_nowhere_does_not_look_like_a_pass(verdict: Verdict) -> None:
    passed = scored_test("a", (case_result(verdict=Verdict.PASSED, message=""),), Verdict.PASSED, 10)
    assert [outcome(case) for case in cases(report_of(passed, verdict=verdict))] == [
        None,
        OUTCOMES.get(verdict, "failure"),
    ]
    assert [outcome(case) for case in cases(report_of(verdict=verdict))] == [OUTCOMES.get(verdict, "failure")]


def test_a_test_without_cases_is_not_lost() -> None:
    assert [outcome(case) for case in cases(report_of(scored_test("a", (), Verdict.FAILED)))] == ["failure"]


@pytest.mark.parametrize("data", HOSTILE)
def test_hostile_bytes_lose_nothing(data: bytes) -> None:
    (case,) = cases(hostile_report(data))
    assert outcome(case) == "failure"
    assert "\r" not in "".join(case.itertext())


@given(st.binary(), st.sampled_from(Verdict))
def test_whatever_a_student_prints_the_file_is_read_back_with_its_counts(data: bytes, verdict: Verdict) -> None:
    assert [outcome(case) for case in cases(hostile_report(data, verdict))] == [OUTCOMES.get(verdict, "failure")]


@given(st.text(st.characters(), min_size=1))
def test_any_text_in_any_place_is_safe(text: str) -> None:
    case = replace(case_result(text, message=text, command=text), deviations=())
    report = report_of(scored_test(text, (case,), Verdict.FAILED), student=text)
    assert [outcome(found) for found in cases(report)] == ["failure"]


@each_row
def test_a_file_that_would_say_something_else_is_refused(failures: int, case: str) -> None:
    suite = f"<testsuite tests='1' failures='{failures}' errors='0' skipped='0'>{case}</testsuite>"
    with pytest.raises(HostError, match=r"junit\.xml would"):
        _check_counts(f"<testsuites>{suite}</testsuites>".encode(), ["failure"])


def test_names_become_unique_however_many_are_equal() -> None:
    assert unique(["a", "a (2)", "a", "b", "a"]) == ["a", "a (2)", "a (3)", "b", "a (4)"]
    assert unique(["a"] * 20_000)[-1] == "a (20000)"
