"""Whatever the format: what students may not see is not in it, and what a file name or an output holds does no harm."""

from dataclasses import replace
from typing import Any

import pytest

from grader.errors import UsageError
from grader.exports.registry import EXPORTS, make_export
from grader.exports.request import Request
from grader.model.gradebook import Student
from tests.support.export_samples import LATER, SECRET, graded, keeping_secrets, not_readable, request_of, template
from tests.support.report_samples import HOSTILE

ADA = Student(id="S0001", name="Ada Abara", email="ada@uni.example", login="aabara")
ROOM = dict.fromkeys(("classroom", "assignment", "owner", "commit", "release", "review"), "x")
ASKED: dict[str, dict[str, Any]] = {
    "canvas": {"template": template("canvas.csv"), "assignment": "Queens (40231)", "scale": True},
    "moodle": {"template": template("moodle-worksheet.csv"), "scale": True},
    "classroom50": {"fields": {**ROOM, "submission": "submit/1", "datetime": "2026-05-04T21:12:01Z"}},
}


def asked(name: str, data: str = "", **more: Any) -> Request:
    report = keeping_secrets(data)
    return request_of({"S0001": report}, {"S0001": ADA}, **ASKED.get(name, {}), **more)


@pytest.mark.parametrize("name", sorted(EXPORTS))
@pytest.mark.parametrize("data", ["", *(one.decode("utf-8", "surrogateescape") for one in HOSTILE)])
def test_hidden_details_never_leave(name: str, data: str) -> None:
    for after_due in (False, True):
        exported = make_export(name, asked(name, data, after_due=after_due))
        told = exported.content.decode() + " ".join((*exported.notes, *exported.left_out))
        assert SECRET not in told
        assert after_due or LATER not in told


@pytest.mark.parametrize("name", ["exercism", "gradescope", "moodle", "classroom50", "prairielearn"])
def test_after_the_date_the_details_are_there(name: str) -> None:
    assert LATER in make_export(name, asked(name, after_due=True)).content.decode()


@pytest.mark.parametrize("name", ["autolab", "csv", "exercism", "gradescope", "classroom50", "prairielearn"])
def test_name_and_points_of_a_hidden_test_may_be_seen(name: str) -> None:
    assert "covert" in make_export(name, asked(name)).content.decode()


@pytest.mark.parametrize("name", sorted(EXPORTS))
def test_the_same_grades_give_the_same_bytes(name: str) -> None:
    assert make_export(name, asked(name)) == make_export(name, asked(name))


@pytest.mark.parametrize("name", sorted(EXPORTS))
@pytest.mark.parametrize("data", HOSTILE)
def test_hostile_names_stay_in_their_place(name: str, data: bytes) -> None:
    text = data.decode("utf-8", "surrogateescape")
    person = Student(id=text, name=text, email=text, login=text)
    request = request_of({text: graded(50)}, {text: person}, **ASKED.get(name, {}))
    exported = make_export(name, request)
    exported.content.decode("utf-8", "strict")
    assert b"\x1b" not in exported.content
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
        nothing = make_export(name, request_of({"S0001": None}, {"S0001": ADA}, **ASKED[name]))
        assert (exported.content, exported.notes[1:]) == (nothing.content, nothing.notes[1:]) or "RAR" in str(exported)
    told = exported.content.decode() + " ".join(exported.notes)
    assert "RAR" in told or "not readable" in told.lower()
    assert "fault" not in told


@pytest.mark.parametrize("name", sorted(EXPORTS))
def test_a_format_that_fills_a_file_wants_one(name: str) -> None:
    request = replace(asked(name), template=None)
    if EXPORTS[name].fills:
        with pytest.raises(UsageError, match="--template"):
            make_export(name, request)
    else:
        assert make_export(name, request).content
