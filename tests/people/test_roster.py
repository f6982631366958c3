from pathlib import Path

import pytest

from grader.core.errors import UsageError
from grader.people.people import Member, read_roster
from tests.support.rows import each_row


def roster(folder: Path, content: str | bytes) -> Path:
    path = folder / "roster.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def summary(member: Member) -> tuple[str, ...]:
    student = member.student
    return student.id, student.name, student.email, student.login, member.team, student.section


@each_row
def test_rosters_as_they_come(content: bytes, wanted: list[tuple[str, ...]], tmp_path: Path) -> None:
    assert [summary(member) for member in read_roster(roster(tmp_path, content)).members] == wanted


def test_numbers_of_platforms_are_kept(tmp_path: Path) -> None:
    canvas = read_roster(roster(tmp_path, "Student,ID,SIS User ID,SIS Login ID\nA,901,s1,a\n"))
    assert canvas.members[0].numbers == ("901",)
    moodle = read_roster(roster(tmp_path, "Identifier\nParticipant 77\n"))
    assert moodle.members[0].numbers == ("77",)
    own = read_roster(roster(tmp_path, "id\n901\n"))
    assert own.members[0].numbers == ()


@each_row
def test_mistakes_are_told_with_their_lines(kind: str, content: bytes, wanted: list[str], tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        read_roster(roster(tmp_path, content))
    message = str(caught.value)
    assert not [part for part in wanted if part not in message], message
    if kind in ("all at once", "times"):
        assert len(message.splitlines()) == len(wanted)


def test_there_is_no_such_roster(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^[^ ]*nothing\.csv cannot be read: No such file"):
        read_roster(tmp_path / "nothing.csv")
    with pytest.raises(UsageError, match="cannot be read: Is a directory"):
        read_roster(tmp_path)


def test_members_of_a_team_may_name_one_folder(tmp_path: Path) -> None:
    members = read_roster(roster(tmp_path, "id,team,folder\na,red,x\nb,red,x\n")).members
    assert [member.folder for member in members] == ["x", "x"]


def test_a_misspelt_column_is_told_and_only_students_are_in_the_class(tmp_path: Path) -> None:
    found = read_roster(roster(tmp_path, "id,emial,room,role\na,x,1,student\nb,y,2,Teacher\n"))
    assert found.notes == ("roster.csv: the column emial is not used; did you mean 'email'?",)
    assert [member.student.id for member in found.members] == ["a"]


@each_row
def test_columns_of_a_platform_are_not_taken_for_misspelt(header: str, tmp_path: Path) -> None:
    assert read_roster(roster(tmp_path, f"{header}\n" + ",".join("1" for _ in header.split(",")) + "\n")).notes == ()
