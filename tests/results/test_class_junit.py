import xml.etree.ElementTree as ET
from functools import cache
from pathlib import Path

import pytest
from lxml import etree
from msgspec.structs import replace

from grader.results.class_files import to_class_junit
from tests.support.class_samples import ClassSample, class_of, sample_class
from tests.support.report_samples import HOSTILE, full_report, hostile_report


@cache
def schema() -> etree.XMLSchema:
    return etree.XMLSchema(etree.parse(Path(__file__).parents[1] / "jenkins-junit.xsd"))


def suites(sample: ClassSample) -> list[ET.Element]:
    """Render, hold against the schema, and give back the suites; their names have to be unique."""
    data = to_class_junit(sample.book, sample.file)
    schema().assertValid(etree.fromstring(data))
    root = ET.fromstring(data)  # noqa: S314  our own file
    pairs = [(case.get("classname"), case.get("name")) for case in root.iter("testcase")]
    assert len(set(pairs)) == len(pairs) == int(root.get("tests", ""))
    found = list(root)
    assert len({suite.get("name") for suite in found}) == len(found) == len(sample.book.grades)
    return found


def outcomes(suite: ET.Element) -> list[str]:
    return [child.tag for case in suite for child in case if child.tag in {"failure", "error", "skipped"}]


def test_a_class_has_a_suite_for_everybody_with_the_counts_of_their_own_files() -> None:
    sample = sample_class(60)
    for grade, suite in zip(sample.book.grades, suites(sample), strict=True):
        data = sample.file(grade, "junit.xml")
        if data is None:
            assert outcomes(suite) == ["skipped"]
            continue
        own = ET.fromstring(data)[0]  # noqa: S314  our own file
        assert outcomes(suite) == outcomes(own)
        keys = ("tests", "failures", "errors", "skipped", "time")
        assert [suite.get(key) for key in keys] == [own.get(key) for key in keys]
        assert "".join(suite.itertext()).split() == "".join(own.itertext()).split()


def test_nothing_handed_in_is_a_skipped_case_that_says_so() -> None:
    sample = class_of({"a": full_report()}, nothing=["b"], waiting=["c"])
    _, nothing, waiting = suites(sample)
    assert nothing.get("skipped") == waiting.get("skipped") == "1"
    assert [suite.find("testcase/skipped").get("message") for suite in (nothing, waiting)] == [  # type: ignore[union-attr]
        "nothing handed in",
        "not graded yet",
    ]


def test_names_that_look_the_same_are_told_apart() -> None:
    names = ["\x1b", r"\x1b", "a" * 300, "a" * 301, "a.b", "a%2Eb", ""]
    report = full_report()
    found = suites(class_of({name: replace(report, submission=replace(report.submission, id=name)) for name in names}))
    assert "\\x1b (2)" in {suite.get("name") for suite in found}


def test_of_a_hidden_test_nothing_is_told() -> None:
    sample = sample_class(60)
    assert any(test.name == "boards" for grade in sample.book.grades if grade.report for test in grade.report.tests)
    data = to_class_junit(sample.book, sample.file)
    assert b"boards[1]" in data
    assert b"secret" not in data


@pytest.mark.parametrize("data", HOSTILE)
def test_hostile_students_lose_nothing(data: bytes) -> None:
    name = data.decode("utf-8", "surrogateescape")
    found = suites(class_of({name: hostile_report(data), name + "2": hostile_report(data)}))
    assert [outcomes(suite) for suite in found] == [["failure"], ["failure"]]
