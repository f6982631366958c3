"""Nobody hands in for somebody else, or at another time, by the name of a file."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from grader.people.entries import ClassEntries, find_entries
from grader.people.names import MOODLE, PLATFORMS, read_name
from grader.people.people import platform_number
from grader.people.uploads import read_download
from tests.people.test_entries import hand_in
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
ROSTER = DATA["ROSTER"]

HEADS: Mapping[str, Mapping[str, str]] = DATA["heads"]
"""a platform -> what its names of three students begin with"""
TAILS: list[str] = DATA["tails"]
"""what a student may call a file"""


def find(folder: Path, names: list[str], roster: str = ROSTER, *, platform: str = "") -> ClassEntries:
    (folder / "roster.csv").write_text(roster)
    return find_entries(hand_in(folder / "class", names), folder / "roster.csv", platform=platform)


def work(found: ClassEntries) -> dict[str, str | None]:
    return {entry.id: entry.path.name if entry.path else None for entry in found.entries}


def in_doubt(found: ClassEntries) -> dict[str, str]:
    return {entry.id: entry.notes[0] for entry in found.entries if entry.is_doubtful}


@pytest.mark.parametrize("tail", TAILS, ids=ascii)
@pytest.mark.parametrize("platform", HEADS)
def test_the_end_of_a_name_says_neither_who_nor_when(platform: str, tail: str, tmp_path: Path) -> None:
    heads = HEADS[platform]
    names = {id_: head + (tail if id_ == "1004" else "p.zip") for id_, head in heads.items()}
    for number, named in enumerate(("", PLATFORMS[platform.partition(",")[0]])):
        (tmp_path / str(number)).mkdir()
        found = find(tmp_path / str(number), list(names.values()), platform=named)
        assert work(found) == {"1002": None, **names}
        assert in_doubt(found) == {}
        mallory = next(entry for entry in found.entries if entry.id == "1004")
        assert mallory.notes == (("handed in late, says its name",) if "LATE" in heads["1004"] else ())
    _, plain = read_download(list(names.values()), PLATFORMS[platform.partition(",")[0]])
    _, fair = read_download([head + "p.zip" for head in heads.values()])
    for one, other in zip(plain, fair, strict=True):
        assert (one.who, one.owner, one.number, one.attempt, one.part, one.late) == (
            *(other.who, other.owner, other.number, other.attempt, other.part, other.late),
        )


@pytest.mark.parametrize("tail", TAILS, ids=ascii)
def test_whoever_did_hand_in_keeps_their_own(tail: str, tmp_path: Path) -> None:
    for platform, heads in HEADS.items():
        bob = heads["1003"].replace("poecarol", "roebob").replace("carol", "bob").replace("Carol Poe", "Bob Roe")
        bob = bob.replace("_13_", "_15_").replace("_35_", "_37_").replace("73-", "74-")
        names = {"1001": heads["1001"] + "p.zip", "1002": bob + "p.zip", "1004": heads["1004"] + tail}
        (tmp_path / platform).mkdir()
        found = find(tmp_path / platform, list(names.values()))
        assert (work(found), in_doubt(found)) == ({"1003": None, **names}, {})


@each_row
def test_one_file_alone_is_of_whom_its_beginning_names(name: str, tmp_path: Path) -> None:
    found = find(tmp_path, [name])
    assert work(found) == {"1001": None, "1002": None, "1003": None, "1004": name}
    assert in_doubt(found) == {}


def test_one_file_alone_is_in_doubt_where_nobody_knows_its_beginning(tmp_path: Path) -> None:
    name = "nickname_14_36_bob_attempt_2099-01-01-00-00-00_p.zip"
    found = find(tmp_path, [name])
    assert set(work(found).values()) == {None}
    assert in_doubt(found) == {
        "1002": (
            f"{name}: this may be of 1002 (Bob Roe) (line 3) of the roster; write its name there, in the column "
            "folder, or name the platform of all of them with --platform: this name has the form of Blackboard and of "
            "Canvas"
        )
    }
    settled = find(tmp_path, [], platform="Canvas")
    assert work(settled) == {**dict.fromkeys(("1001", "1002", "1003", "1004")), "nickname": name}
    written = find(tmp_path, [], f"id,name,folder\n1002,Bob Roe,\n1004,Mallory Moe,{name}\n")
    assert work(written) == {"1002": None, "1004": name}


def test_without_a_roster_a_name_of_two_platforms_is_in_doubt_too(tmp_path: Path) -> None:
    name = "mallory_14_36_bob_attempt_2099-01-01-00-00-00_p.zip"
    found = find_entries(hand_in(tmp_path / "class", [name]))
    (told,) = in_doubt(found).values()
    assert told == (
        f"{name}: this name has the form of Blackboard and of Canvas; name the platform of all of them with --platform"
    )
    found = find_entries(hand_in(tmp_path / "class", ["doealice_12_34_p.zip"]))
    assert work(found) == {"doealice": "doealice_12_34_p.zip", "mallory": name}


@each_row
def test_the_end_of_a_name_does_not_say_which_attempt_it_is(
    names: list[str], counts: str, *, shown: bool, tmp_path: Path
) -> None:
    found = find(tmp_path, names)
    latest = find_entries(tmp_path / "class", tmp_path / "roster.csv", latest=True)
    assert work(latest)["1004"] == counts
    assert work(found)["1002"] is None
    assert work(found)["1004"] == (counts if shown else None)


def test_many_files_of_one_student_outvote_nobody(tmp_path: Path) -> None:
    names = [f"moemallory_14_{part}_bob_attempt_2099-01-01-00-00-{part}_p.zip" for part in range(40, 60)]
    found = find(tmp_path, ["doealice_12_34_p.zip", *names])
    assert (work(found)["1001"], work(found)["1002"]) == ("doealice_12_34_p.zip", None)
    assert list(in_doubt(found)) == ["1004"]  # it is not known which of the twenty counts


def test_a_download_of_no_known_platform_is_not_read_as_one(tmp_path: Path) -> None:
    """The beginnings are a platform's that we do not know, and the ends look like those that we do."""
    names = ["alice#1#p.zip", "carol#2#p.zip", "mallory#3#_1002_attempt_99.zip"]
    found = find(tmp_path, [*names, "mallory#3#_bob_attempt_2099-01-01-00-00-00_p.zip"])
    assert work(found)["1002"] is None
    assert list(in_doubt(found)) == ["1002"]
    assert "and fewer than two in three names here have it" in in_doubt(found)["1002"]
    plain = find(tmp_path, [], platform="plain")
    assert work(plain)["1002"] is None
    assert in_doubt(plain) == {}


def test_a_name_of_another_platform_than_the_others_is_told(tmp_path: Path) -> None:
    names = ["doealice_12_34_p.zip", "poecarol_13_35_p.zip", "HW_bob_attempt_2026-10-12-13-14-15_p.zip", "mallory/"]
    found = find(tmp_path, names)
    assert work(found) == {"1001": names[0], "1002": None, "1003": names[1], "1004": "mallory"}
    assert in_doubt(found) == {
        "1002": (
            f"{names[2]}: this may be of 1002 (Bob Roe) (line 3) of the roster; write its name there, in the column "
            "folder, or name the platform of all of them with --platform: this name has the form of Blackboard, "
            "and the names here are those of Canvas"
        )
    }
    (tmp_path / "class" / "mallory").rmdir()
    assert in_doubt(find_entries(tmp_path / "class")).keys() == {names[2].removesuffix(".zip")}
    found = find(tmp_path, ["bob/"])  # then Bob has work of which there is no doubt, and the other is told
    assert work(found)["1002"] == "bob"
    assert found.unused[0].startswith(f"{names[2]}: this may be of 1002 (Bob Roe)")


def test_a_number_of_one_student_beside_the_name_of_another_is_told_to_both(tmp_path: Path) -> None:
    roster = 'Student,ID,SIS User ID\n"Roe, Bob",15,s2\n"Moe, Mallory",14,s4\n'
    found = find(tmp_path, ["roebob_14_36_p.zip"], roster)
    assert work(found) == {"s2": None, "s4": None}
    assert list(in_doubt(found)) == ["s2", "s4"]


def test_a_number_is_an_id_where_nearly_all_of_them_are(tmp_path: Path) -> None:
    names = {"1001": "a_1001_1_p.zip", "1002": "b_1002_2_p.zip", "1003": "c_1003_3_p.zip"}
    (tmp_path / "all").mkdir()
    assert work(find(tmp_path / "all", list(names.values()))) == {**names, "1004": None}
    found = find(tmp_path, ["alice_7_attempt_1.zip", "carol_8_attempt_1.zip", "nickname_1002_attempt_1.zip"])
    assert work(found)["1002"] is None
    blind = ["Participant_1001_assignsubmission_file_/", "Participant_1002_assignsubmission_file_/"]
    (tmp_path / "blind").mkdir()
    assert work(find(tmp_path / "blind", blind))["1002"] is None  # a number of Moodle's is nobody's id


@each_row
def test_a_login_begins_where_the_names_of_repositories_agree(
    names: list[str], wanted: dict[str, str], tmp_path: Path
) -> None:
    for number, platform in enumerate(("", "GitHub Classroom")):
        (tmp_path / str(number)).mkdir()
        found = find(tmp_path / str(number), names, platform=platform)
        assert {id_: path for id_, path in work(found).items() if path and id_.startswith("100")} == wanted
        assert in_doubt(found) == {}


def test_one_repository_does_not_show_where_its_login_begins(tmp_path: Path) -> None:
    found = find(tmp_path, ["queens-mallory-bob/", "alice/"])
    assert {name: path for name, path in work(found).items() if path} == {
        "1001": "alice",
        "queens-mallory-bob": "queens-mallory-bob",
    }
    assert in_doubt(found) == {}
    (tmp_path / "one").mkdir()
    found = find(tmp_path / "one", ["nqueens-2020-bob.zip"], platform="GitHub Classroom")
    assert (work(found)["1002"], in_doubt(found)) == ("nqueens-2020-bob.zip", {})


@pytest.mark.parametrize("name", ["queens-t/", "queens-Red Team/"])
def test_a_repository_of_a_team(name: str, tmp_path: Path) -> None:
    found = find(tmp_path, [name, "queens-c/"], "id,name,team\nt,Alice Doe,Red Team\nb,Bob,Red Team\nc,Carol,\n")
    assert work(found) == {"Red Team": name.rstrip("/"), "c": "queens-c"}


def test_the_title_of_an_assignment_is_no_part_of_a_user_s_name(tmp_path: Path) -> None:
    names = [f"Lab_1_{user}_attempt_2026-10-12-13-14-15_p.zip" for user in ("alice", "carol", "mallory_bob")]
    found = find(tmp_path, names)
    assert work(found)["1002"] is None
    assert (work(found)["1001"], work(found)["1003"]) == (names[0], names[1])


def test_two_that_are_named_for_one_student_are_both_told(tmp_path: Path) -> None:
    found = find(tmp_path, ["doealice_12_34_p.zip", "poecarol_13_35_p.zip", "roebob_15_36_p.zip", "bob/"])
    assert in_doubt(found)["1002"].startswith("bob, roebob_15_36_p.zip: all of 1002 (Bob Roe)")


@pytest.mark.parametrize("word", PLATFORMS)
def test_nothing_is_lost_whatever_platform_is_named(word: str, tmp_path: Path) -> None:
    names = [head + "p.zip" for heads in HEADS.values() for head in heads.values()]
    found = find(tmp_path, names, platform=PLATFORMS[word])
    told = " ".join((*found.unused, *(note for entry in found.entries for note in entry.notes)))
    graded = {path for path in work(found).values() if path}
    assert all(name in graded or name in told for name in names)


def test_what_a_student_wrote_into_a_name_of_no_platform_stays_unread(tmp_path: Path) -> None:
    """Others go by the roster's names, so this one cannot be known to be Moodle's, whoever settles whose it is."""
    name = "Mallory Moe_34_assignsubmission_file_"
    found = find(tmp_path, ["alice.zip", "bob.zip", "carol.zip", name])
    assert "1004" in in_doubt(found)
    roster = tmp_path / "roster.csv"
    head, *rows = ROSTER.strip().splitlines()
    roster.write_text("\n".join([f"{head},folder", *(f"{row},{name if row[:4] == '1004' else ''}" for row in rows)]))
    entry = next(entry for entry in find_entries(tmp_path / "class", roster).entries if entry.id == "1004")
    assert (entry.path and entry.path.name, platform_number(entry, MOODLE)) == (name, "")
    assert read_name(name, entry.platform).number == ""
