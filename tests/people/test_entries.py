import io
import os
import tarfile
import unicodedata
from collections.abc import Iterable
from pathlib import Path

import pytest

from grader.core.errors import UsageError
from grader.people.entries import ClassEntries, find_entries
from tests.support.growth import growth
from tests.support.packages import zipped
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
ROSTER = DATA["ROSTER"]


def tarred() -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        archive.addfile(tarfile.TarInfo("Queens.java"))
    return buffer.getvalue()


def hand_in(folder: Path, names: Iterable[str]) -> Path:
    """Lay out a class: `name/` is a folder, an archive's ending an archive, everything else a text."""
    folder.mkdir(exist_ok=True)
    for name in names:
        if name.endswith("/"):
            (folder / name).mkdir()
        elif name.endswith((".tar.gz", ".tgz")):
            (folder / name).write_bytes(tarred())
        elif name.endswith(".zip"):
            (folder / name).write_bytes(zipped({"Queens.java": "class Queens {}"}))
        else:
            (folder / name).write_bytes(b"text")
    return folder


def find(folder: Path, names: Iterable[str], roster: str | None = None) -> ClassEntries:
    path = None
    if roster is not None:
        path = folder / "roster.csv"
        path.write_text(roster)
    return find_entries(hand_in(folder / "class", names), path)


def paths(found: ClassEntries) -> dict[str, str | None]:
    return {entry.id: entry.path.name if entry.path else None for entry in found.entries}


def notes(found: ClassEntries) -> dict[str, tuple[str, ...]]:
    return {entry.id: entry.notes for entry in found.entries if entry.notes}


def doubts(found: ClassEntries) -> list[str]:
    return [entry.notes[0] for entry in found.entries if entry.is_doubtful]


@each_row
def test_a_class_without_a_roster(names: list[str], wanted: dict[str, str], tmp_path: Path) -> None:
    found = find(tmp_path, names)
    assert paths(found) == {id_: name.rstrip("/") for id_, name in wanted.items()}
    assert list(paths(found)) == sorted(wanted)
    assert found.unused == ()
    assert all(len(entry.students) == 1 and entry.students[0].id == entry.id for entry in found.entries)


@each_row
def test_the_latest_attempt_counts_and_is_told(names: list[str], counts: str, note: str, tmp_path: Path) -> None:
    found = find(tmp_path, names)
    assert paths(found) == {"alice": counts}
    assert note in notes(found)["alice"]
    assert found.unused == ()


@each_row
def test_nothing_is_chosen_silently(names: list[str], wanted: list[str], tmp_path: Path) -> None:
    found = find(tmp_path, [*names, "zoe/"])
    assert paths(found)["zoe"] == "zoe"
    lines = doubts(found)
    assert len(lines) == len(wanted)
    assert all(line.startswith(start) for line, start in zip(lines, wanted, strict=True))
    assert all(entry.path is None for entry in found.entries if entry.is_doubtful)


@each_row
def test_a_submission_finds_its_student(name: str, student: str, tmp_path: Path) -> None:
    found = find(tmp_path, [name], ROSTER)
    (entry,) = (entry for entry in found.entries if entry.path)
    known = {"s1", "s2", "s3"}
    assert {one.id for entry in found.entries for one in entry.students} == known | {entry.id}
    assert entry.id == entry.students[0].id
    on_roster = "not on the roster" not in entry.notes
    assert (entry.id if entry.id in known else "", on_roster) == (student, bool(student))


@each_row
def test_who_handed_in_what(
    names: list[str],
    roster: str,
    wanted: dict[str, str | None],
    noted: dict[str, list[str]],
    *,
    doubtful: list[str],
    tmp_path: Path,
) -> None:
    found = find(tmp_path, names, roster)
    assert paths(found) == wanted
    assert {id_: [*some] for id_, some in notes(found).items()} == noted
    assert [entry.id for entry in found.entries if entry.is_doubtful] == doubtful


def test_a_class_without_any_submission_is_one_with_a_roster(tmp_path: Path) -> None:
    assert set(paths(find(tmp_path, [], ROSTER)).values()) == {None}
    (tmp_path / "other").mkdir()
    with pytest.raises(UsageError, match="there is no submission in"):
        find_entries(tmp_path / "other")
    with pytest.raises(UsageError, match="name the folder that it is in"):
        find(tmp_path, ["Makefile", "Queens.java"])


MALLORY = "id,name,login,email\n1,Doea,doea,\nm,Mallory,mallory,m@uni.edu\n"
METADATA = "submission_9:\n  :submitters: [{':sid': m}]\nsubmission_10:\n  :submitters: [{':email': m@uni.edu}]\n"


@each_row
def test_the_latest_counts_where_that_is_asked_for_and_the_names_tell(
    names: list[str], latest: str, tmp_path: Path
) -> None:
    folder = hand_in(tmp_path / "class", names)
    (folder / "submission_metadata.yml").write_text(METADATA)
    (tmp_path / "roster.csv").write_text(MALLORY)
    without = find_entries(folder, tmp_path / "roster.csv")
    assert all(("--latest takes the latest" in told) == bool(latest) for told in doubts(without))
    found = find_entries(folder, tmp_path / "roster.csv", latest=True)
    if latest:
        assert [name for name in paths(found).values() if name] == [latest]
        assert doubts(found) == []
        assert any(latest in told or "older" in told for told in sum(notes(found).values(), ()))
    else:
        assert doubts(found) == doubts(without) != []


def test_names_that_look_the_same_are_written_out(tmp_path: Path) -> None:
    both = [unicodedata.normalize(form, "José") for form in ("NFC", "NFD")]
    assert set(paths(find(tmp_path, [f"{name}/" for name in both]))) == set(both)
    (tmp_path / "two").mkdir()
    (told,) = doubts(find(tmp_path / "two", [f"{name}/" for name in both], "id\nJosé\n"))
    assert told.startswith(r"Jose\u0301, Jos\xe9: all of José")


TEAMS = "id,name,team\na,Alice Doe,Red Team\nb,Bob Roe,Red Team\nc,Carol Poe,\nd,Dan Foe,Blue\n"


@pytest.mark.parametrize("name", ["Red Team/", "redteam_7_8_x.zip", "a/", "Bob Roe.zip"])
def test_a_team_hands_in_once(name: str, tmp_path: Path) -> None:
    found = find(tmp_path, [name, "c/"], TEAMS)
    assert paths(found) == {"Blue": None, "Red Team": name.rstrip("/"), "c": "c"}
    team = next(entry for entry in found.entries if entry.id == "Red Team")
    assert (team.team, [student.id for student in team.students]) == ("Red Team", ["a", "b"])
    assert next(entry for entry in found.entries if entry.id == "c").team == ""


def test_links_and_strays_are_told_and_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    folder = hand_in(tmp_path / "class", ["alice/", "notes.txt", "s3.java"])
    (folder / "s1").symlink_to(outside)
    (folder / "lost").symlink_to("nowhere")
    os.mkfifo(folder / "pipe")
    roster = tmp_path / "roster.csv"
    roster.write_text(ROSTER.replace("alice@", "x@").replace("s2,Bob", "alice,Bob"))
    found = find_entries(folder, roster)
    assert paths(found) == {"alice": "alice", "s1": None, "s3": None}
    assert [sentence.partition(":")[0] for sentence in found.unused] == ["lost", "notes.txt", "pipe", "s1", "s3.java"]
    assert notes(found)["s1"][0].startswith("not graded: s1 (a link is not followed")
    assert notes(found)["s3"][0].startswith("not graded: s3.java (this is neither a folder nor")


def test_the_roster_may_lie_among_the_submissions(tmp_path: Path) -> None:
    folder = hand_in(tmp_path / "class", ["s1/"])
    (folder / "roster.csv").write_text(ROSTER)
    assert find_entries(folder, folder / "roster.csv").unused == ()


@pytest.mark.parametrize("name", ["alice.rar", "alice.7z", "alice_1_attempt_1.tar", "doealice_1_2_Queens.rar"])
def test_an_archive_that_cannot_be_read_is_not_nothing(name: str, tmp_path: Path) -> None:
    found = find(tmp_path, [name])
    (entry,) = found.entries
    assert entry.path == tmp_path / "class" / name
    assert found.loose == frozenset()
    assert entry.notes[0].startswith("no archive that can be read")


def test_names_are_shown_safely(tmp_path: Path) -> None:
    found = find(tmp_path, ["a_1_attempt_1_\x1b[31m\n.zip", "a_1_attempt_2.zip", "\u202e\udcff.txt"])
    text = "".join((*found.unused, *found.entries[0].notes))
    assert text.isprintable()
    assert "\\x1b[31m\\n" in text


def test_a_folder_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file or directory"):
        find_entries(tmp_path / "nowhere")
    (tmp_path / "all.zip").write_bytes(zipped({"Queens.java": "class Queens {}"}))
    with pytest.raises(UsageError, match="Not a directory; unpack it first"):
        find_entries(tmp_path / "all.zip")


def test_a_gradescope_export_tells_whose_is_what(tmp_path: Path) -> None:
    folder = hand_in(tmp_path / "class", ["submission_1/", "submission_2/", "submission_3/"])
    (folder / "submission_metadata.yml").write_text(
        "submission_1:\n  :submitters:\n  - :name: Alice Doe\n    :sid: 's1'\n    :email: alice@uni.edu\n  :score: 3\n"
        "submission_2:\n  :submitters:\n  - :name: Bob\n    :sid: s2\n  - :name: José\n    :email: jose@uni.edu\n"
    )
    found = find_entries(folder)
    assert paths(found) == {"s1": "submission_1", "submission_2": "submission_2", "submission_3": "submission_3"}
    assert [len(entry.students) for entry in found.entries] == [1, 2, 1]
    roster = tmp_path / "roster.csv"
    roster.write_text("id,name,email,team\ns1,,alice@uni.edu,\ns2,,,T\ns3,,jose@uni.edu,T\n")
    assert paths(find_entries(folder, roster)) == {
        "T": "submission_2",
        "s1": "submission_1",
        "submission_3": "submission_3",
    }
    roster.write_text("id,name,email\ns1,,alice@uni.edu\ns2,,\ns3,,jose@uni.edu\n")
    # Gradescope's own roster has no teams: who is in a group there is in one here.
    shared = {"s1": "submission_1", "submission_2": "submission_2", "submission_3": "submission_3"}
    found = find_entries(folder, roster)
    assert (paths(found), doubts(found)) == (shared, [])
    assert [student.id for entry in found.entries if entry.team for student in entry.students] == ["s2", "s3"]
    # Of two with one name, it is not known who is meant; and nobody is in two groups.
    metadata = folder / "submission_metadata.yml"
    metadata.write_text("submission_2:\n  :submitters:\n  - :name: Bob\n  - :name: Al\n")
    roster.write_text("id,name\ns1,Al\ns2,Bob\ns3,Bob\n")
    assert len(doubts(find_entries(folder, roster))) == 3
    group = "submission_{}:\n  :submitters:\n  - :sid: s1\n  - :sid: s{}\n"
    metadata.write_text(group.format(1, 2) + group.format(2, 3))
    assert all(entry.team != "submission_2" for entry in find_entries(folder, roster).entries)
    assert len(doubts(find_entries(folder, roster))) > 0


def test_when_it_was_handed_in(tmp_path: Path) -> None:
    """The roster's word counts before the platform's; what is no time with a zone is not known."""
    folder = hand_in(tmp_path / "class", [*(f"submission_{n}/" for n in range(1, 5)), "dan/"])
    told = (("1", "2018-09-12 18:39:34.110193000 Z"), ("2", "2018-09-12 18:39:34"), ("3", "[1, 2]"), ("4", "yesterday"))
    (folder / "submission_metadata.yml").write_text(
        "".join(f"submission_{n}:\n  :submitters:\n  - :sid: s{n}\n  :created_at: {time}\n" for n, time in told)
    )
    found = {entry.id: entry.submitted for entry in find_entries(folder).entries}
    assert found == {"s1": told[0][1], "s2": "", "s3": "", "s4": "", "dan": ""}
    roster = tmp_path / "roster.csv"
    roster.write_text("id,Submitted,team\ns1,2026-11-20 23:59 Z,\ns2,2026-11-21 12:00 Z,T\ns3,,T\ns4,,\n")
    (folder / "submission_3").rmdir()
    found = {entry.id: entry.submitted for entry in find_entries(folder, roster).entries}
    assert (found["s1"], found["T"], found["s4"]) == ("2026-11-20 23:59 Z", "2026-11-21 12:00 Z", "")


def test_a_gradescope_export_one_folder_below_is_told(tmp_path: Path) -> None:
    (tmp_path / "download").mkdir()
    below = hand_in(tmp_path / "download/assignment_7", ["submission_1/", "submission_2/"])
    (below / "submission_metadata.yml").write_text("submission_1:\n  :submitters:\n  - :sid: s1\n")
    with pytest.raises(UsageError, match=r"one folder below \S+/download: name \S+/download/assignment_7$"):
        find_entries(tmp_path / "download")
    assert paths(find_entries(below)) == {"s1": "submission_1", "submission_2": "submission_2"}
    (tmp_path / "download/bo").mkdir()  # whoever hands in such a file refuses nobody's class
    assert set(paths(find_entries(tmp_path / "download"))) == {"assignment_7", "bo"}


def test_gradescope_data_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    folder = hand_in(tmp_path / "class", ["submission_1/"])
    (folder / "submission_metadata.yml").write_text("submission_1: !ruby/object {}\n")
    found = find_entries(folder)
    assert paths(found) == {"submission_1": "submission_1"}
    assert found.unused[0].startswith("submission_metadata.yml cannot be used: a tag (!) is not allowed")


def test_many_submissions_take_time_in_proportion(tmp_path: Path) -> None:
    for size in (100, 1000):
        names = [f"doe{n}_{n + 5000}_{n + 9000}_Queens.zip" for n in range(size // 2)]
        hand_in(tmp_path / f"class{size}", names + [f"s{n}/" for n in range(size // 2, size)])
        roster = "id,name,email\n" + "".join(f"s{n},Anna{n} Doe{n},a{n}@uni.edu\n" for n in range(size))
        (tmp_path / f"roster{size}.csv").write_text(roster)

    def find_all(size: int) -> None:
        found = find_entries(tmp_path / f"class{size}", tmp_path / f"roster{size}.csv")
        assert len(found.entries) == size * 3 // 2

    assert growth(find_all, 100) < 40


def test_nobody_vanishes_for_a_dot_before_the_name(tmp_path: Path) -> None:
    found = find(tmp_path, [".mallory/", ".bob.zip", "alice/"])
    assert list(paths(found)) == ["alice"]
    assert [line.partition(":")[0] for line in found.unused] == [".bob.zip", ".mallory"]
    assert all("begins with a dot" in line for line in found.unused)
