"""When work was handed in, by a platform's own files and its own part of names; never by what students wrote."""

import json
from datetime import UTC
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from grader.core.errors import UsageError
from grader.decisions.post_grading import Rules, resolve_post_grading
from grader.people.entries import find_entries, read_platform_times
from grader.people.times import parse_moment, parse_platform_time, to_zone
from tests.support.rows import each_row, read_data


@each_row
def test_how_platforms_write_a_time(written: str, time: str) -> None:
    assert parse_platform_time(written) == time


def test_a_time_without_a_zone_is_of_where_the_work_is_due() -> None:
    zurich = ZoneInfo("Europe/Zurich")
    assert to_zone("2026-11-24 23:59", zurich) == "2026-11-24 23:59 +0100"
    assert to_zone("2026-07-24 23:59:01", zurich) == "2026-07-24 23:59:01 +0200"
    assert to_zone("2026-11-24 23:59", None) == "2026-11-24 23:59"
    assert to_zone("2026-11-24T22:59:00Z", zurich) == "2026-11-24T22:59:00Z"
    # The hour that is there twice: the earlier is meant, which is never later than it was.
    assert parse_moment(to_zone("2026-10-25 02:30", zurich)).time.astimezone(UTC).hour == 0


DATA = read_data(__file__)
WORKSHEET = DATA["WORKSHEET"]


def moodle_download(folder: Path) -> Path:
    for name in ("Ada Abara_14", "Bo Berg_15", "Cy Costa_16", "Bo Berg_17"):
        (folder / "moodle" / f"{name}_assignsubmission_file_").mkdir(parents=True)
    return folder / "moodle"


def test_moodle_s_worksheet_tells_who_and_when(tmp_path: Path) -> None:
    folder, sheet = moodle_download(tmp_path), tmp_path / "worksheet.csv"
    sheet.write_text(WORKSHEET)
    times = {"1001": "2026-11-24 23:59", "1002": "2026-11-25 00:00", "1003": "", "1004": ""}
    # As the roster itself: two students have one name, and the participant's number tells them apart.
    found = find_entries(folder, sheet)
    assert {entry.id: entry.submitted for entry in found.entries} == times
    assert [entry.path and entry.path.name[:10] for entry in found.entries] == [
        *("Ada Abara_", "Bo Berg_15", "Cy Costa_1", "Bo Berg_17")
    ]
    # Beside another roster, and beside none.
    (tmp_path / "roster.csv").write_text("id,name\n1001,Ada Abara\n")
    stated = read_platform_times(sheet)
    for roster in (tmp_path / "roster.csv", None):
        found = find_entries(folder, roster, times=stated)
        assert sorted(filter(None, (entry.submitted for entry in found.entries))) == sorted(
            filter(None, times.values())
        )
        assert any(line.startswith("worksheet.csv does not say when ") for line in found.unused)
        assert "worksheet.csv: 1 time cannot be read, such as '24/11/26'" in found.unused
    rules = Rules(file=tmp_path / "adjustments.yaml", due=parse_moment("2026-11-24 23:59 Europe/Zurich"))
    resolved = resolve_post_grading(find_entries(folder, sheet).entries, rules, {})
    assert {entry.id: entry.submitted for entry in resolved}["1002"] == "2026-11-25 00:00 +0100"
    assert resolve_post_grading(resolved, rules, {}) == resolved


def test_a_team_handed_in_when_the_last_of_it_did(tmp_path: Path) -> None:
    (tmp_path / "given/owls").mkdir(parents=True)
    roster = tmp_path / "roster.csv"
    roster.write_text("id,team,last modified (submission)\na,owls,2026-11-24 10:00\nb,owls,2026-11-26 10:00\n")
    assert [entry.submitted for entry in find_entries(tmp_path / "given", roster).entries] == ["2026-11-26 10:00"]


@each_row
def test_a_worksheet_in_another_language_is_a_roster(tmp_path: Path, header: str) -> None:
    who = "Teilnehmer/in" if header.startswith("ID") else "Participante"
    rows = [f'{who} 14,Ada Abara,1001,ada@x.edu,,,"24. November 2026, 23:59"', f"{who} 15,Bo Berg,1002,bo@x.edu,,,-"]
    sheet = tmp_path / "worksheet.csv"
    sheet.write_text("\n".join([header, *rows]) + "\n")
    folder = moodle_download(tmp_path)
    for name in ("Cy Costa_16", "Bo Berg_17"):
        (folder / f"{name}_assignsubmission_file_").rmdir()
    found = find_entries(folder, sheet)
    assert {entry.id: entry.submitted for entry in found.entries} == {"1001": "2026-11-24 23:59", "1002": ""}
    assert [entry.students[0].email for entry in found.entries] == ["ada@x.edu", "bo@x.edu"]
    assert found.unused == ()


OTHER = WORKSHEET.replace("Participant 1", "Participant 41")


@pytest.mark.parametrize("sheet", [OTHER, OTHER.replace("ID number", "Student ID")])
def test_a_worksheet_of_another_assignment_is_refused(tmp_path: Path, sheet: str) -> None:
    folder, other = moodle_download(tmp_path), tmp_path / "other.csv"
    other.write_text(sheet)
    told = "other.csv has none of the 4 numbers in the names of what was handed in, such as 14: it is of another assign"
    with pytest.raises(UsageError, match=told):
        find_entries(folder, other)
    with pytest.raises(UsageError, match=told):
        find_entries(folder, times=read_platform_times(other))


def test_a_worksheet_that_fits_few_is_told(tmp_path: Path) -> None:
    folder, other = moodle_download(tmp_path), tmp_path / "other.csv"
    lines = WORKSHEET.splitlines(keepends=True)
    other.write_text("".join([*lines[:2], *OTHER.splitlines(keepends=True)[2:]]))
    told = "other.csv has only 1 of the 4 numbers in the names of what was handed in, such as 14"
    for found in (find_entries(folder, other), find_entries(folder, times=read_platform_times(other))):
        assert [line for line in found.unused if line.startswith(told)] != []
    # Who left the course is no longer in a worksheet: three of four are enough.
    other.write_text("".join(lines[:4]))
    assert [line for line in find_entries(folder, other).unused if "numbers in the names" in line] == []


@each_row
def test_every_platform_s_times_of_something_else_are_refused(
    tmp_path: Path, name: str, content: str, told: str
) -> None:
    for one in ("abaraada_14_35_p", "bergbo_15_36_p"):
        (tmp_path / "canvas" / one).mkdir(parents=True)
    (tmp_path / name).write_text(content)
    with pytest.raises(UsageError, match=told):
        find_entries(tmp_path / "canvas", times=read_platform_times(tmp_path / name))


def test_gradescope_s_metadata_of_another_export_are_refused(tmp_path: Path) -> None:
    for number in (3001, 3002):
        (tmp_path / f"submission_{number}").mkdir()
    line = "submission_9:\n  :submitters:\n  - :sid: '1'\n"
    (tmp_path / "submission_metadata.yml").write_text(line)
    with pytest.raises(UsageError, match=r"submission_metadata\.yml names nothing of what lies beside it"):
        find_entries(tmp_path)
    (tmp_path / "submission_metadata.yml").write_text(line.replace("_9", "_3001"))
    assert len(find_entries(tmp_path).entries) == 2


def test_an_id_at_the_end_of_a_word_is_no_number_of_the_platform(tmp_path: Path) -> None:
    folder = moodle_download(tmp_path)
    (tmp_path / "roster.csv").write_text("id,name\n1001,Ada Abara\n1004,Bo Berg\n14,Eve Eze\n")
    (tmp_path / "times.csv").write_text(
        "id,name,submitted\ns14,Eve Eze,2026-11-25 10:00\n1001,Ada Abara,2026-11-24 10:00\n"
    )
    found = find_entries(folder, tmp_path / "roster.csv", times=read_platform_times(tmp_path / "times.csv"))
    assert {entry.id: entry.submitted for entry in found.entries if entry.submitted} == {"1001": "2026-11-24 10:00"}


def test_canvas_s_list_of_submissions_tells_when(tmp_path: Path) -> None:
    folder = tmp_path / "canvas"
    for name in ("abaraada_14_35_p", "bergbo_15_36_2020-01-01-00-00-00", "costacy_LATE_16_37_p"):
        (folder / name).mkdir(parents=True)
    submissions = [
        {"id": 1, "user_id": 14, "submitted_at": "2026-11-24T22:59:30Z", "late": False, "attempt": 2},
        {"id": 2, "user_id": 15, "submitted_at": "2026-11-26T10:00:00Z", "user": {"name": "Bo Berg"}},
        {"id": 3, "user_id": 16, "submitted_at": None},
    ]
    (tmp_path / "submissions.json").write_text(json.dumps(submissions))
    found = find_entries(folder, times=read_platform_times(tmp_path / "submissions.json"))
    assert [entry.submitted for entry in found.entries] == ["2026-11-24T22:59:30Z", "2026-11-26T10:00:00Z", ""]
    assert "submissions.json does not say when costacy handed in" in found.unused


@each_row
def test_names_of_blackboard_and_brightspace_tell_when_and_what_follows_does_not(
    names: list[str], tmp_path: Path
) -> None:
    for name in names:
        (tmp_path / name).mkdir()
    times = [entry.submitted[:16] for entry in find_entries(tmp_path).entries]
    assert times == ["2026-11-25 10:00", "2026-11-25 11:00"]


@each_row
def test_another_file_is_refused(name: str, text: str | None, problem: str, tmp_path: Path) -> None:
    if text is not None:
        (tmp_path / name).write_text(text)
    with pytest.raises(UsageError, match=problem):
        read_platform_times(tmp_path / name)
