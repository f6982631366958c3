from pathlib import Path

import pytest

from grader.core.errors import UsageError
from grader.people.people import Member, read_roster


def roster(folder: Path, content: str | bytes) -> Path:
    path = folder / "roster.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def summary(member: Member) -> tuple[str, ...]:
    student = member.student
    return student.id, student.name, student.email, student.login, member.team, student.section


ALICE = ("s1", "Alice Doe", "alice@uni.edu", "alice", "", "")
ROSTERS: dict[str, tuple[str | bytes, list[tuple[str, ...]]]] = {
    "own": ("id,name,email,login\ns1,Alice Doe,alice@uni.edu,alice\n", [ALICE]),
    "bom": (b"\xef\xbb\xbfid,name,email,login\r\ns1,Alice Doe,alice@uni.edu,alice\r\n", [ALICE]),
    "utf-16": ("id\tname\temail\tlogin\ns1\tAlice Doe\talice@uni.edu\talice\n".encode("utf-16"), [ALICE]),
    "semicolons": ("id;name;email;login\ns1;Alice Doe;alice@uni.edu;alice\n", [ALICE]),
    "separator line": ("sep=;\nid;name;email;login\ns1;Alice Doe;alice@uni.edu;alice\n", [ALICE]),
    "tabs": ("id\tname\temail\tlogin\ns1\tAlice Doe\talice@uni.edu\talice\n", [ALICE]),
    "other case and blanks": (" ID , Full_Name,E-Mail,User-Name\n s1 ,Alice  Doe , alice@uni.edu,alice", [ALICE]),
    "blank lines": ("\n\nid,name,email,login\n\ns1,Alice Doe,alice@uni.edu,alice\n,,,\n\n", [ALICE]),
    "old mac": ("id,name,email,login\rs1,Alice Doe,alice@uni.edu,alice\r", [ALICE]),
    "quotes": (
        'id,name\ns1,"Doe, Alice"\ns2,"two\nlines"\n',
        [("s1", "Alice Doe", *[""] * 4), ("s2", "two lines", *[""] * 4)],
    ),
    "latin-1": ("id,name\ns1,Jürgen\n".encode("latin-1"), [("s1", "Jürgen", *[""] * 4)]),
    "windows": ("id,name\ns1,O\u2019Neil\n".encode("cp1252"), [("s1", "O\u2019Neil", *[""] * 4)]),
    "decomposed": ("id,name\ns1,Jose\u0301\n", [("s1", "Jos\u00e9", *[""] * 4)]),
    "team": ("id,team,section\na,red,1\nb,red,2\n", [("a", "", "", "", "red", "1"), ("b", "", "", "", "red", "2")]),
    "canvas": (
        (
            "Student,ID,SIS User ID,SIS Login ID,Section,Queens (123)\n"
            ",,,,,Manual Posting\n    Points Possible,,,,,100\n"
            '"Doe, Alice",901,s1,alice,CS 1 and CS 2,\n"Student, Test",902,,abc,CS 1,\n"Roe, Bob",903,,bob,CS 1,\n'
        ),
        [("s1", "Alice Doe", "", "alice", "", "CS 1 and CS 2"), ("903", "Bob Roe", "", "bob", "", "CS 1")],
    ),
    "github classroom": (
        'identifier,github_username,github_id,name\n"Doe, Alice",alice-gh,1,Alice Doe\ns2,,,\n',
        [("Doe, Alice", "Alice Doe", "", "alice-gh", "", ""), ("s2", "", "", "", "", "")],
    ),
    "classroom 50": (
        (
            "username,first_name,last_name,email,section,github_id,role\n"
            "alice,Alice,Doe,alice@uni.edu,A,1,student\nprof,Pat,Roe,,,2,teacher\n"
        ),
        [("alice", "Alice Doe", "alice@uni.edu", "alice", "", "A")],
    ),
    "gradescope": (
        "First Name,Last Name,SID,Email,Role\nAlice,Doe,s1,alice@uni.edu,Student\nT,A,s9,ta@uni.edu,TA\n",
        [("s1", "Alice Doe", "alice@uni.edu", "", "", "")],
    ),
    "moodle worksheet": (
        "Identifier,Full name,Email address,Status,Grade\nParticipant 77,Alice Doe,alice@uni.edu,,\n",
        [("Participant 77", "Alice Doe", "alice@uni.edu", "", "", "")],
    ),
    "moodle participants": (
        '"First name","Last name","ID number","Email address",Groups\nAlice,Doe,s1,alice@uni.edu,\n',
        [("s1", "Alice Doe", "alice@uni.edu", "", "", "")],
    ),
    "emails only": ("email\nalice@uni.edu\n", [("alice@uni.edu", "", "alice@uni.edu", "", "", "")]),
}


@pytest.mark.parametrize("kind", ROSTERS)
def test_rosters_as_they_come(kind: str, tmp_path: Path) -> None:
    content, wanted = ROSTERS[kind]
    assert [summary(member) for member in read_roster(roster(tmp_path, content)).members] == wanted


def test_numbers_of_platforms_are_kept(tmp_path: Path) -> None:
    canvas = read_roster(roster(tmp_path, "Student,ID,SIS User ID,SIS Login ID\nA,901,s1,a\n"))
    assert canvas.members[0].numbers == ("901",)
    moodle = read_roster(roster(tmp_path, "Identifier\nParticipant 77\n"))
    assert moodle.members[0].numbers == ("77",)
    own = read_roster(roster(tmp_path, "id\n901\n"))
    assert own.members[0].numbers == ()


MISTAKES: dict[str, tuple[str | bytes, list[str]]] = {
    "empty": ("", ["roster.csv: the roster is empty"]),
    "blank": ("\n\n", ["roster.csv: the roster is empty"]),
    "header only": ("id,name\n", ["roster.csv: there is no student"]),
    "no ids": (
        "name,room\nAlice,7\n",
        ["roster.csv:1: no column tells the students' ids", "(the columns are: name, room)"],
    ),
    "twice": ("id,name,Name\n", ["roster.csv:1: two columns are called 'name'"]),
    "binary": (b"PK\x03\x04\0\0", ["roster.csv: this is no CSV file"]),
    "quote": ('id,name\ns1,"Alice\n', ["roster.csv:2: this is not CSV"]),
    "times": (
        (
            "id,team,submitted\ns1,,2026-11-20 23:59\ns2,T,2026-11-20 23:59 Z\n"
            "s3,T,2026-11-21 00:59 +01:00\ns4,T,2026-11-22 00:00 Z\n"
        ),
        [
            "roster.csv:2: this line does not tell when it was submitted: the zone is missing: write",
            "roster.csv:5: this line has another time of submission than line 3, of the same team",
        ],
    ),
    "all at once": (
        'id,name,team,folder\ns1,A,red,x\n,B,,\nS1,C,Red,\n"s3\n",D,,x\ns4,E,,,extra\nred,F,,\n',
        [
            "roster.csv:2: this line has a team with the id of line 8",
            "roster.csv:3: this line has no id (B)",
            "roster.csv:4: this line has the id S1 of line 2",
            "roster.csv:4: this line has the team Red, and line 2 red",
            "roster.csv:5: this line has the folder x of line 2",
            "roster.csv:7: this line has 5 cells, and the header 4",
        ],
    ),
}


@pytest.mark.parametrize("kind", MISTAKES)
def test_mistakes_are_told_with_their_lines(kind: str, tmp_path: Path) -> None:
    content, wanted = MISTAKES[kind]
    with pytest.raises(UsageError) as caught:
        read_roster(roster(tmp_path, content))
    message = str(caught.value)
    assert not [part for part in wanted if part not in message], message
    if kind in ("all at once", "times"):
        assert len(message.splitlines()) == len(wanted)


def test_there_is_no_such_roster(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"nothing\.csv cannot be read: No such file"):
        read_roster(tmp_path / "nothing.csv")
    with pytest.raises(UsageError, match="cannot be read: Is a directory"):
        read_roster(tmp_path)


def test_members_of_a_team_may_name_one_folder(tmp_path: Path) -> None:
    members = read_roster(roster(tmp_path, "id,team,folder\na,red,x\nb,red,x\n")).members
    assert [member.folder for member in members] == ["x", "x"]


def test_columns_and_rows_that_are_not_used_are_told(tmp_path: Path) -> None:
    found = read_roster(roster(tmp_path, "id,emial,room,role\na,x,1,student\nb,y,2,Teacher\n"))
    assert found.notes == (
        "roster.csv: these columns are not used: emial, room; did you mean 'email' by emial?",
        "roster.csv: these are no students: line 3 (Teacher)",
    )
    assert [member.student.id for member in found.members] == ["a"]
