"""Reports in the shapes in which frameworks write them, and in shapes in which none does."""

from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from grader.kinds.reported_tests import report as report_module
from grader.kinds.reported_tests.model import TestReportFormat
from grader.kinds.reported_tests.report import MAX_BYTES_READ_HERE, MAX_REPORT_BYTES, read_test_report
from tests.support.rows import each_row, from_data, read_data

DATA = read_data(__file__)
READ = from_data(DATA["READ"], list[tuple[TestReportFormat, str, list[str]]])
ODD: dict[str, tuple[bytes, str]] = from_data(DATA["ODD"], dict[str, tuple[bytes, str]])
FORMS = from_data(DATA["FORMS"], Mapping[TestReportFormat, bytes])


@pytest.mark.parametrize("ends", [b"\n", b"\r\n"])
@pytest.mark.parametrize("form", FORMS)
def test_no_byte_in_a_message_costs_the_other_tests(form: TestReportFormat, ends: bytes) -> None:
    for name, (written, shown) in ODD.items():
        document = (FORMS[form] % (written, written)).replace(b"\n", ends)
        report = read_test_report(form, (document,))
        assert [one.outcome for one in report.results] == ["passed", "failed", "passed"], name
        assert not report.problem, name
        message = report.results[1].message
        if form == "junit":
            assert message == shown, name
        assert message.encode("utf-8", "strict").isascii() or not written.isascii(), name
        assert message[0] == shown[0], name


@each_row
def test_an_odd_document_of_junit_is_read(document: bytes, message: str) -> None:
    report = read_test_report("junit", (document,))
    assert ([one.message for one in report.results], report.problem) == ([message], "")


@pytest.mark.slow
def test_a_report_that_takes_too_long_to_read_is_void(monkeypatch: pytest.MonkeyPatch) -> None:
    assert report_module._HELPER.seconds == 10
    monkeypatch.setattr(report_module, "_HELPER", replace(report_module._HELPER, seconds=1))
    line = b"a.c:1:n:FAIL: Expected " + b"b Was " * 150 + b"\n"
    report = read_test_report("unity", (line * (MAX_REPORT_BYTES // len(line)),))
    assert (report.results, report.is_void, report.problem) == ((), True, "the report takes more time than 1 s to read")


ALL_ODD = b" ".join(written for written, _ in ODD.values())
DOCUMENTS_OF_ALL = [
    *((form, written.encode()) for form, written, _ in READ),
    *((form, begin % (ALL_ODD, ALL_ODD)) for form, begin in FORMS.items()),
]


@pytest.mark.slow
@pytest.mark.parametrize(("form", "written"), DOCUMENTS_OF_ALL)
def test_a_long_report_is_read_as_a_short_one_is(form: TestReportFormat, written: bytes) -> None:
    short = read_test_report(form, (written,))
    # Nobody's lines in front of it, or what XML may have behind it.
    filler = b"x\n" * MAX_BYTES_READ_HERE
    document = b"%b<!-- %b -->" % (written, filler) if form == "junit" else filler + written
    long = read_test_report(form, (document,))
    assert long.results
    assert long == short


@pytest.mark.parametrize(("form", "written", "expected"), READ)
def test_the_results_of_a_report_are_read(form: TestReportFormat, written: str, expected: list[str]) -> None:
    report = read_test_report(form, (written.encode(),))
    told = [
        f"{one.outcome} {one.name}"
        + (f": {one.message}" if one.message else "")
        + (f" ({one.place})" if one.place else "")
        + (f" {one.found}/{one.wanted}" if one.found else "")
        for one in report.results
    ]
    assert (told, report.problem) == (expected, "")


@each_row
def test_a_damaged_report_is_described(
    form: TestReportFormat, written: bytes, how: str, results: int, problem: str
) -> None:
    check_damaged(form, written, how, results, problem)


@pytest.mark.slow
@each_row
def test_a_report_of_any_length_is_described(
    form: TestReportFormat, written: bytes, how: str, results: int, problem: str
) -> None:
    check_damaged(form, written, how, results, problem)


def check_damaged(form: TestReportFormat, written: bytes, how: str, results: int, problem: str) -> None:
    report = read_test_report(form, (written,))
    assert ("void" if report.is_void else "read", len(report.results)) == (how, results)
    assert problem in report.problem if problem else not report.problem


BEHIND: list[tuple[str, list[str], str]] = from_data(DATA["BEHIND"], list[tuple[str, list[str], str]])


@pytest.mark.parametrize(("written", "results", "problem"), BEHIND)
def test_a_point_of_tap_may_stand_behind_what_a_program_wrote(written: str, results: list[str], problem: str) -> None:
    report = read_test_report("tap", (written.encode(),))
    assert [f"{one.outcome} {one.name}" for one in report.results] == results
    assert problem in report.problem if problem else not report.problem


@pytest.mark.parametrize(("written", "plans", "names", "problem"), DATA["DOCUMENTS"])
def test_one_document_may_follow_another(written: str, plans: list[int], names: list[str], problem: str) -> None:
    report = read_test_report("tap", (written.encode(),))
    assert ([*report.plans], [one.name for one in report.results]) == (plans, names)
    assert problem in report.problem if problem else not report.problem


@pytest.mark.slow
def test_a_report_may_nest_deeper_with_each_line() -> None:
    points = b"".join(b" " * depth + b"ok 1 - a\n" for depth in range(200))
    check_damaged("tap", points, "read", 200, "no plan")
    events = b"".join(b'{"Action":"pass","Test":"a%b"}\n' % (b"/a" * depth) for depth in range(200))
    check_damaged("go", events * 90, "read", 17_969, "breaks off")


def test_a_report_may_be_nested_as_deep_as_it_likes() -> None:
    written = b"1..1\n" + b"".join(b" " * (2_000 - at) + b"not ok 1\n" for at in range(2_001))
    report = read_test_report("tap", (written,))
    assert [one.outcome for one in report.results] == ["failed"]
