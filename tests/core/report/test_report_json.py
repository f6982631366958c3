import json
from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from grader.core.model.execution import Execution
from grader.core.model.report import Judgement, Verdict, summarise
from grader.core.report.json import on_one_line, to_json, to_report
from grader.core.report.view import headline
from grader.core.text import TEXT_LIMIT
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

CASE_KEYS = {"id", "verdict", "credit", "command", "message", "deviations", "exit", "time", "cpu", "memory"}
CASE_KEYS |= {"stdout", "stderr", "expected_stdout", "expected_stderr"}


def read(report: Judgement) -> Any:
    return json.loads(to_json(to_report(report)).decode("utf-8", "strict"))


def only_case(report: Judgement) -> Any:
    return read(report)["tests"][0]["cases"][0]


def test_every_key_of_format_1_is_there() -> None:
    for report in (full_report(), broken_report()):
        data = read(report)
        assert data["format"] == 1
        assert {"grader", "spec", "submission", "verdict", "score", "max_score"} <= data.keys()
        assert {"sandbox", "toolchain", "findings", "build", "tests"} <= data.keys()
        assert {"ok", "command", "log"} <= data["build"].keys()
        for test in data["tests"]:
            assert {"name", "points", "score", "verdict", "visibility", "cases"} <= test.keys()
            assert all(case.keys() >= CASE_KEYS for case in test["cases"])


@each_row
def test_a_score_is_a_number_rounded_once(score: Fraction | None, shown: str) -> None:
    assert f'"score": {shown},\n  "max_score"'.encode() in to_json(to_report(report_of(score=score)))


def test_who_lost_a_little_does_not_have_the_maximum_and_who_has_a_little_not_nothing() -> None:
    case = case_result("a", Verdict.FAILED, "")
    tests = [scored_test("most", (case,), Verdict.FAILED, Fraction(249, 250), 1)]
    tests.append(scored_test("little", (case,), Verdict.FAILED, Fraction(1, 250), 1))
    report = to_report(report_of(*tests, score=Fraction(2 * 999, 1000)))
    assert ([test.score for test in report.tests], report.score) == ([0.99, 0.01], 1.99)
    assert "part of the points" in headline(report)


@each_row
def test_how_a_case_ended(run: Execution | None, end: dict[str, int] | None) -> None:
    report = report_of(scored_test("a", (replace(case_result(), run=run and summarise(run)),), Verdict.FAILED))
    assert only_case(report)["exit"] == end


def test_a_long_text_is_cut_and_says_so() -> None:
    report = report_of(scored_test("a", (case_result(stdout=b"x" * 2**20, expected=b"y" * 2**20),), Verdict.FAILED))
    for key in ("stdout", "expected_stdout"):
        assert only_case(report)[key][-30:].endswith(f"… {2**20 - TEXT_LIMIT} more bytes")


@pytest.mark.parametrize("data", [*HOSTILE, b"###[error]"])
def test_a_line_says_the_same_and_gives_no_command_to_a_ci_system(data: bytes) -> None:
    line = on_one_line(to_json(to_report(hostile_report(data))))
    assert json.loads(line) == read(hostile_report(data))
    assert b"\n" not in line
    assert b"##" not in line
    assert b"##" not in to_json(to_report(hostile_report(data)))


@pytest.mark.parametrize("data", HOSTILE)
def test_hostile_bytes_stay_inside_strict_json(data: bytes) -> None:
    for character in to_json(to_report(hostile_report(data))).decode("utf-8", "strict"):
        assert character == "\n" or character.isprintable()
