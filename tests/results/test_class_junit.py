import dataclasses
import tracemalloc
import xml.etree.ElementTree as ET
from collections import Counter
from functools import cache
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.model.judgement import Judgement, Verdict
from grader.core.model.submission import Submission
from grader.results.class_junit import _CUT_MARK, _check_written, _cut_text, _escaped, _fitting_length, to_class_junit
from tests.support.class_samples import ClassSample, class_of, sample_class
from tests.support.report_samples import HOSTILE, case_result, full_report, hostile_report, report_of, scored_test


@cache
def schema() -> etree.XMLSchema:
    return etree.XMLSchema(etree.parse(Path(__file__).parents[1] / "jenkins-junit.xsd"))


def suites(sample: ClassSample, limit: int = 29 * 10**6) -> list[ET.Element]:
    """Render, hold against the schema and the limit, and give back the suites; their names have to be unique."""
    data = to_class_junit(sample.book, sample.file, limit=limit)
    assert len(data) <= limit
    schema().assertValid(etree.fromstring(data))
    root = ET.fromstring(data)  # noqa: S314  our own file
    pairs = [(case.get("classname"), case.get("name")) for case in root.iter("testcase")]
    assert len(set(pairs)) == len(pairs) == int(root.get("tests", ""))
    found = list(root)
    assert len({suite.get("name") for suite in found}) == len(found) == len(sample.book.grades)
    return found


def outcomes(suite: ET.Element) -> list[str]:
    return [child.tag for case in suite for child in case if child.tag in {"failure", "error", "skipped"}]


def large(output: int = 6000, cases: int = 10, students: int = 100) -> ClassSample:
    """Make a class whose programs print a lot, half of them what XML has to escape."""
    texts = (b"x" * output, b"<&>" * (output // 3), b"fine\n")
    reports = {
        f"s{number:03}": report_of(
            scored_test(
                "count",
                tuple(case_result(f"count[{n}]", stdout=texts[(number + n) % 3], expected=b"1") for n in range(cases)),
                Verdict.FAILED,
            ),
            student=f"s{number:03}",
        )
        for number in range(students)
    }
    return class_of(reports)


def test_a_class_has_a_suite_for_everybody_with_the_counts_of_their_own_files() -> None:
    sample = sample_class(300)
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
    found = suites(class_of({name: replace(full_report(), submission=_of(name)) for name in names}))
    assert "\\x1b (2)" in {suite.get("name") for suite in found}


def _of(name: str) -> Submission:
    return replace(full_report().submission, id=name)


def test_too_much_text_is_cut_to_one_length_and_says_so() -> None:
    sample = large(output=30_000, cases=20, students=20)
    whole = sum(len(sample.file(grade, "junit.xml") or b"") for grade in sample.book.grades)
    limit = 1_000_000
    assert whole > 2 * limit
    data = to_class_junit(sample.book, sample.file, limit=limit)
    assert limit * 0.97 < len(data) <= limit
    found = suites(sample, limit)
    assert Counter(tag for suite in found for tag in outcomes(suite)) == {"failure": 20 * 20}
    texts = [text for suite in found for text in suite.itertext() if text.strip()]
    cut = [text for text in texts if text.endswith(_CUT_MARK)]
    assert cut
    assert any(text == "fine\n" for text in texts), "a short text is whole"
    sizes = {len(_escaped(text)) for text in cut}
    assert max(sizes) - min(sizes) < len("&amp;")


def test_a_file_that_is_small_enough_is_not_cut() -> None:
    sample = large(students=30)
    assert _CUT_MARK.encode() not in to_class_junit(sample.book, sample.file)


def test_too_many_cases_become_one_for_each_submission() -> None:
    sample = class_of(
        {
            "a": full_report(),
            "b": report_of(
                scored_test("x", (case_result(),), Verdict.UNGRADED, None), verdict=Verdict.UNGRADED, score=None
            ),
            "c": report_of(
                scored_test("x", (case_result(verdict=Verdict.PASSED),), Verdict.PASSED), verdict=Verdict.PASSED
            ),
        },
        nothing=["d"],
    )
    found = suites(sample, 2500)
    assert [outcomes(suite) for suite in found] == [["failure"], ["error"], [], ["skipped"]]
    assert [suite.get("tests") for suite in found] == ["1"] * 4
    message = found[0].find("testcase/failure").get("message", "")  # type: ignore[union-attr]
    assert message.startswith("39.17 of 100 points, failed.")
    assert "report of its own" in message


def test_what_cannot_fit_at_all_is_our_error() -> None:
    sample = large(students=3)
    with pytest.raises(HostError, match="needs more than 900 bytes"):
        to_class_junit(sample.book, sample.file, limit=900)


def test_of_a_hidden_test_nothing_is_told() -> None:
    sample = sample_class(60)
    assert any(test.name == "boards" for grade in sample.book.grades if grade.report for test in grade.report.tests)
    data = to_class_junit(sample.book, sample.file)
    assert b"boards[1]" in data
    assert b"secret" not in data


@pytest.mark.slow
def test_little_is_held_in_memory_at_a_time() -> None:
    sample = large(output=60_000, cases=30, students=4)
    data = sample.file(sample.book.grades[0], "junit.xml")
    assert data
    grades = tuple(
        dataclasses.replace(grade, entry=dataclasses.replace(grade.entry, id=f"s{n}"))
        for n, grade in enumerate(sample.book.grades * 25)
    )
    assert len(data) * len(grades) > 25 * 10**6
    tracemalloc.start()
    try:
        to_class_junit(dataclasses.replace(sample.book, grades=grades), lambda *_: data, limit=5_000_000)
        assert tracemalloc.get_traced_memory()[1] < 20 * 2**20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("data", HOSTILE)
def test_hostile_students_lose_nothing(data: bytes) -> None:
    name = data.decode("utf-8", "surrogateescape")
    reports = {name: hostile_report(data), name + "2": _long(hostile_report(data))}
    for limit in (10**6, 7000):
        found = suites(class_of(reports), limit)
        assert [outcomes(suite) for suite in found] == [["failure"], ["failure"]]


def _long(report: Judgement) -> Judgement:
    case = report.tests[0].cases[0]
    assert case.run
    longer = replace(case, run=replace(case.run, stdout=case.run.stdout * 200))
    return replace(report, tests=(replace(report.tests[0], cases=(longer,)),))


@given(
    st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from('&<>";\t'), max_size=200),
    st.integers(60, 300),
)
def test_a_cut_text_fits_and_is_a_beginning(text: str, most: int) -> None:
    cut = _cut_text(text, most)
    assert len(_escaped(cut)) <= most
    assert cut == text or text.startswith(cut.removesuffix(_CUT_MARK))


@given(st.lists(st.integers(0, 5000)), st.integers(-100, 100_000))
def test_the_length_that_fits_is_the_greatest(lengths: list[int], room: int) -> None:
    def total(most: int) -> int:
        return sum(min(length, most) for length in lengths)

    most = _fitting_length(lengths, room)
    least = len(_CUT_MARK.encode())
    if most is None:
        assert total(least) > room or room < 0
    else:
        assert total(most) <= room
        assert most > max(lengths, default=0) or total(most + 1) > room


@pytest.mark.parametrize(
    "change",
    [
        (b'<testcase name="usage[1]"', b'<other name="usage[1]"'),
        (b'failures="9"', b'failures="8"'),
        (b"</testsuites>", b""),
        (b'<testsuite errors="0" failures="9" name="b"', b'<testsuite errors="0" failures="9" name="a"'),
        (b'classname="cmps12b-pa2.b"', b'classname="cmps12b-pa2.a"'),
    ],
)
def test_a_file_that_would_say_something_else_is_refused(change: tuple[bytes, bytes]) -> None:
    sample = class_of({"a": full_report(), "b": full_report()})
    data = to_class_junit(sample.book, sample.file)
    counts = [Counter(passed=3, failure=9, skipped=1)] * 2
    _check_written(BytesIO(data), counts)
    assert change[0] in data
    wrong = data.replace(*change)
    with pytest.raises(HostError, match=r"junit\.xml"):
        _check_written(BytesIO(wrong), counts)
