"""What students read, as it is handed out: each finds the own page, and nobody another one's."""

import csv
import io
import re
from pathlib import Path
from zipfile import ZipFile

import pytest
from msgspec.structs import replace

from grader.core.errors import UsageError
from grader.core.model.gradebook import Student
from grader.core.model.report import Judgement
from grader.exports.bundles import CODE_LENGTH, page_code
from grader.exports.registry import make_export
from grader.exports.request import Exported
from tests.support.chromium import open_page
from tests.support.export_samples import graded, not_readable, request_of, template, ungraded
from tests.support.report_samples import HOSTILE, hostile_report
from tests.support.rows import each_row

REPORTS = {"S0001": graded("87.5"), "S0002": graded(12), "S0003": not_readable(), "S0004": ungraded()}
CLASS: dict[str, Judgement | None] = {
    name: replace(report, submission=replace(report.submission, id=name)) for name, report in REPORTS.items()
} | {"S0005": None}
PEOPLE = {
    "S0001": Student(id="S0001", name="Ada Abara"),
    "S0002": Student(id="S0002", name="Ben Berg", email="ben@uni.example"),
    "S0003": Student(id="S0003", name="=Chris"),
}
LEFT_OUT = "S0004 is left out: ungraded, by a fault of the grader and not of the student"


def unpacked(exported: Exported) -> dict[str, bytes]:
    with ZipFile(io.BytesIO(exported.content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def assert_own(page: bytes, student: str) -> None:
    assert {name for name in CLASS if name.encode() in page} == {student}


def test_moodle_gets_the_folders_of_its_own_download() -> None:
    uploads = {
        "S0001": ("Ada Abara_501_assignsubmission_file_",),
        "S0002": ("Ben_ Berg_502_assignsubmission_file_Queens.zip",),
        "S0003": ("S0003.zip",),
    }
    exported = make_export("moodle-feedback", request_of(CLASS, PEOPLE, uploads))
    files = unpacked(exported)
    assert list(files) == [
        "Ada Abara_501_assignsubmission_file_/feedback.html",
        "Ben  Berg_502_assignsubmission_file_/feedback.html",
    ]
    for page, student in zip(files.values(), ("S0001", "S0002"), strict=True):
        assert_own(page, student)
    assert exported.left_out == (
        "S0003 is left out: Moodle's number of it is not known; name the grading worksheet with --template",
        LEFT_OUT,
    )


def test_a_worksheet_of_moodle_knows_the_numbers() -> None:
    reports = {**CLASS, "S9999": REPORTS["S0001"]}
    exported = make_export("moodle-feedback", request_of(reports, PEOPLE, template=template("moodle-worksheet.csv")))
    assert [name.partition("_assign")[0] for name in unpacked(exported)] == [
        "Ada Abara_5001",
        "Ben Berg_5002",
        "Chloé Costa_5003",
    ]
    assert exported.left_out == (LEFT_OUT, "S9999 is left out: no row of moodle-worksheet.csv fits with certainty")


def test_of_many_who_are_left_out_the_number_and_the_reason_come_first() -> None:
    everybody = dict.fromkeys([f"S{number:04}" for number in range(1, 300)], REPORTS["S0001"])
    (told,) = make_export("canvas-feedback", request_of(everybody, PEOPLE)).left_out
    assert told.startswith("299 are left out: it was not downloaded from Canvas: S0001, S0002, ")
    assert told.endswith(", S0299")


@each_row
def test_canvas_gets_what_the_name_of_the_student_s_own_file_promises(
    uploads: tuple[str, ...], name: str, starts: bytes
) -> None:
    exported = make_export("canvas-feedback", request_of({"S0001": CLASS["S0001"]}, PEOPLE, {"S0001": uploads}))
    files = unpacked(exported)
    if starts:
        ((found, content),) = files.items()
        assert (found, content[: len(starts)].lower(), exported.left_out) == (name, starts.lower(), ())
        if starts == b"PK":
            with ZipFile(io.BytesIO(content)) as inner:
                assert_own(inner.read("feedback.html"), "S0001")
    else:
        assert files == {}
        assert name in exported.left_out[0]


def test_pages_have_names_that_say_nothing_and_stay() -> None:
    request = request_of(CLASS, PEOPLE, secret=b"1" * 64)
    exported = make_export("pages", request)
    files = unpacked(exported)
    rows = list(csv.DictReader(io.StringIO(exported.staff_files["pages.csv"].decode())))
    assert [(row["id"], row["name"]) for row in rows] == [
        ("S0001", "Ada Abara"),
        ("S0002", "Ben Berg"),
        ("S0003", "'=Chris"),
    ]
    for row in rows:
        assert len(row["page"]) == CODE_LENGTH + len(".html")
        assert_own(files.pop(row["page"]), row["id"])
    assert list(files) == ["index.html"]
    assert b"S0" not in files["index.html"]
    assert exported.left_out == (LEFT_OUT,)
    # Another class of the same course: who is in both keeps the name.
    fewer = make_export("pages", request_of({"S0002": CLASS["S0001"]}, PEOPLE, secret=b"1" * 64))
    assert set(unpacked(fewer)) == {"index.html", rows[1]["page"]}


def test_a_name_depends_on_secret_assignment_and_student() -> None:
    found = {
        page_code(*parts) for parts in ((b"s", "a", "b"), (b"t", "a", "b"), (b"s", "c", "b"), (b"s", "a", "\udcff"))
    }
    assert len(found) == 4
    assert page_code(b"s", "ab", "c") != page_code(b"s", "a", "bc")


def test_without_a_secret_there_are_no_pages() -> None:
    with pytest.raises(UsageError, match="--secret"):
        make_export("pages", request_of(CLASS, PEOPLE))


@pytest.mark.slow
def test_pages_of_hostile_students_do_nothing_in_a_browser(tmp_path: Path) -> None:
    data = b"".join(HOSTILE)
    text = data.decode("utf-8", "surrogateescape")
    person = Student(id=text, name=text, email=text, login=text)
    exported = make_export("pages", request_of({text: hostile_report(data)}, {text: person}, secret=b"0" * 64))
    files = unpacked(exported)
    assert len(files) == 2
    for name, content in files.items():
        path = tmp_path / name
        path.write_bytes(content)
        with open_page(path, width=360) as page:
            assert page.evaluate("document.scripts.length + document.images.length + frames.length") == 0
            assert page.messages() == []
            assert page.requests() == [path.as_uri()]
    _, row = csv.reader(io.StringIO(exported.staff_files["pages.csv"].decode(), newline=""))
    assert not any(re.match(r"\s*[=+\-@]", cell) for cell in row)
    assert all(cell.isprintable() for cell in row)
