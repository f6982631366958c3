"""Whatever the format: what students may not see is not in it, and what a file name or an output holds does no harm."""

import io
from dataclasses import replace
from typing import Any
from zipfile import ZipFile

import pytest

from grader.core.errors import UsageError
from grader.core.model.gradebook import Student
from grader.exports.registry import EXPORTS, make_export
from grader.exports.request import Exported, Request
from tests.support.export_samples import LATER, SECRET, graded, keeping_secrets, not_readable, request_of, template
from tests.support.report_samples import HOSTILE

ADA = Student(id="S0001", name="Ada Abara", email="ada@uni.example", login="aabara")
ROOM = dict.fromkeys(("classroom", "assignment", "owner", "commit", "release", "review"), "x")
ASKED: dict[str, dict[str, Any]] = {
    "canvas": {"template": template("canvas.csv"), "assignment": "Queens (40231)", "scale": True},
    "moodle": {"template": template("moodle-worksheet.csv"), "scale": True},
    "moodle-feedback": {"uploads": {"S0001": ("Ada Abara_7_assignsubmission_file_",)}},
    "canvas-feedback": {"uploads": {"S0001": ("abaraada_7_8_Queens.java",)}},
    "pages": {"secret": b"0" * 64},
    "classroom50": {"fields": {**ROOM, "submission": "submit/1", "datetime": "2026-05-04T21:12:01Z"}},
}


def asked(name: str, data: str = "", **more: Any) -> Request:
    report = keeping_secrets(data)
    return request_of({"S0001": report}, {"S0001": ADA}, **ASKED.get(name, {}), **more)


def description_in(exported: Exported) -> str:
    """Return all that an export says: of a zip, what is in it."""
    said = [*exported.notes, *exported.left_out, *(content.decode() for content in exported.staff_files.values())]
    if not exported.content.startswith(b"PK"):
        return "\n".join([exported.content.decode("utf-8", "strict"), *said])
    with ZipFile(io.BytesIO(exported.content)) as archive:
        return "\n".join([*archive.namelist(), *(archive.read(name).decode() for name in archive.namelist()), *said])


@pytest.mark.parametrize("name", sorted(EXPORTS))
@pytest.mark.parametrize("data", ["", *(one.decode("utf-8", "surrogateescape") for one in HOSTILE)])
def test_hidden_details_never_leave(name: str, data: str) -> None:
    for after_due in (False, True):
        exported = make_export(name, asked(name, data, after_due=after_due))
        told = description_in(exported)
        assert SECRET not in told
        assert after_due or LATER not in told


@pytest.mark.parametrize(
    "name", ["exercism", "gradescope", "moodle", "moodle-feedback", "canvas-feedback", "pages", "prairielearn"]
)
def test_after_the_date_the_details_are_there(name: str) -> None:
    assert LATER in description_in(make_export(name, asked(name, after_due=True)))


@pytest.mark.parametrize("name", ["autolab", "csv", "exercism", "gradescope", "classroom50", "prairielearn"])
def test_name_and_points_of_a_hidden_test_may_be_seen(name: str) -> None:
    assert "covert" in description_in(make_export(name, asked(name)))


@pytest.mark.parametrize("name", sorted(EXPORTS))
def test_the_same_grades_give_the_same_bytes(name: str) -> None:
    assert make_export(name, asked(name)) == make_export(name, asked(name))


@pytest.mark.parametrize("name", sorted(EXPORTS))
@pytest.mark.parametrize("data", HOSTILE)
def test_hostile_names_stay_in_their_place(name: str, data: bytes) -> None:
    text = data.decode("utf-8", "surrogateescape")
    person = Student(id=text, name=text, email=text, login=text)
    more = {
        **ASKED.get(name, {}),
        "uploads": {text: (f"{text}_5001_assignsubmission_file_", f"{text}_7_8_Queens.java")},
    }
    request = request_of({text: graded(50)}, {text: person}, **more)
    exported = make_export(name, request)
    assert "\x1b" not in description_in(exported)
    for line in (*exported.notes, *exported.left_out):
        assert line.isprintable()


@pytest.mark.parametrize("name", sorted(EXPORTS))
def test_what_cannot_be_read_is_as_good_as_nothing_handed_in_and_told_with_the_reason(name: str) -> None:
    request = request_of({"S0001": not_readable()}, {"S0001": ADA}, **ASKED.get(name, {}))
    if name == "classroom50":
        with pytest.raises(UsageError, match=r"cannot be read \(This is a RAR\.\)"):
            make_export(name, request)
        return
    exported = make_export(name, request)
    assert exported.left_out == ()
    if name in {"canvas", "moodle"}:
        assert exported.content == make_export(name, request_of({"S0001": None}, {"S0001": ADA}, **ASKED[name])).content
    told = description_in(exported)
    assert "RAR" in told or "not readable" in told.lower()
    assert "fault of" not in told
    assert "went wrong" not in told


@pytest.mark.parametrize("name", sorted(EXPORTS))
def test_a_format_that_fills_a_file_wants_one(name: str) -> None:
    request = replace(asked(name), template=None)
    if name in {"canvas", "moodle"}:
        with pytest.raises(UsageError, match="--template"):
            make_export(name, request)
    else:
        assert make_export(name, request).content or name == "github-annotations"  # without findings there is none
