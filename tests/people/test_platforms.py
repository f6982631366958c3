"""Nobody hands in for somebody else, or at another time, by the name of a file."""

from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest

from grader.people.entries import ClassEntries, find_entries
from grader.people.names import MOODLE, PLATFORMS, read_name
from grader.people.people import RosterIndex, platform_number
from grader.people.uploads import read_download
from tests.people.test_entries import hand_in
from tests.support.rows import each_row, read_data
from tests.support.stated import differences

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
    _, plain = read_download(list(names.values()), PLATFORMS[platform.partition(",")[0]], RosterIndex())
    _, fair = read_download([head + "p.zip" for head in heads.values()], "", RosterIndex())
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


class HandedIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A download, and whose work each part of it is."""

    names: list[str]
    roster: str | None = ROSTER
    platform: str = ""
    work: Mapping[str, str | None] = {}  # of these ids, and of all that have work
    doubtful: Mapping[str, str] = {}  # id -> what is told of it, but for `…`
    noted: Mapping[str, str] = {}  # id of no doubt -> how its first note begins
    unused: str = ""  # how the line about what is nobody's begins


@each_row
def test_whose_work_it_is(given: HandedIn, tmp_path: Path) -> None:
    if given.roster is None:
        found = find_entries(hand_in(tmp_path / "class", given.names), platform=given.platform)
    else:
        found = find(tmp_path, given.names, given.roster, platform=given.platform)
    assert {name: path for name, path in work(found).items() if path or name in given.work} == given.work
    told = in_doubt(found)
    assert told.keys() == given.doubtful.keys()
    assert [*differences("in doubt", told, given.doubtful)] == []
    notes = {entry.id: entry.notes[0] for entry in found.entries if entry.notes and not entry.is_doubtful}
    assert {name: start for name, start in given.noted.items() if not notes[name].startswith(start)} == {}
    assert "".join(found.unused).startswith(given.unused)
    assert bool(found.unused) == bool(given.unused)


@each_row
def test_the_end_of_a_name_does_not_say_which_attempt_it_is(
    names: list[str], counts: str, *, shown: bool, tmp_path: Path
) -> None:
    found = find(tmp_path, names)
    latest = find_entries(tmp_path / "class", tmp_path / "roster.csv", latest=True)
    assert work(latest)["1004"] == counts
    assert work(found)["1002"] is None
    assert work(found)["1004"] == (counts if shown else None)


def test_a_name_of_another_platform_is_told_beside_other_work_of_that_student(tmp_path: Path) -> None:
    names = ["doealice_12_34_p.zip", "poecarol_13_35_p.zip", "HW_bob_attempt_2026-10-12-13-14-15_p.zip", "bob/"]
    found = find(tmp_path, names)
    assert work(found)["1002"] == "bob"
    assert found.unused[0].startswith(f"{names[2]}: this may be of 1002 (Bob Roe)")


@each_row
def test_a_login_begins_where_the_names_of_repositories_agree(
    names: list[str], wanted: dict[str, str], tmp_path: Path
) -> None:
    for number, platform in enumerate(("", "GitHub Classroom")):
        (tmp_path / str(number)).mkdir()
        found = find(tmp_path / str(number), names, platform=platform)
        assert {id_: path for id_, path in work(found).items() if path and id_.startswith("100")} == wanted
        assert in_doubt(found) == {}


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
