import io
import os
import tarfile
import unicodedata
import zipfile
from collections.abc import Iterable
from pathlib import Path

import pytest

from grader.core.errors import UsageError
from grader.people.entries import ClassEntries, find_entries
from tests.support.growth import growth
from tests.support.rows import each_row

ROSTER = (
    "id,name,email,login\n"
    "s1,Alice Doe,alice@uni.edu,adoe\n"
    "s2,Bob de la Cruz,bob@uni.edu,bcruz\n"
    "s3,José Müller,jose@uni.edu,jm-99\n"
)


def zipped() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("Queens.java", "class Queens {}")
    return buffer.getvalue()


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
        else:
            (folder / name).write_bytes(zipped() if name.endswith(".zip") else b"text")
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
def test_the_latest_attempt_counts_and_is_told(
    names: list[str], counts: str, note: str, unused: list[str], tmp_path: Path
) -> None:
    found = find(tmp_path, names)
    assert paths(found) == {"alice": counts}
    assert note in notes(found)["alice"]
    assert len(found.unused) == len(unused)
    assert all(sentence.startswith(start) for sentence, start in zip(found.unused, unused, strict=True))


def test_what_is_late_is_told(tmp_path: Path) -> None:
    found = find(tmp_path, ["doealice_LATE_1_2_x.zip", "roebob_3_4_x.zip"])
    assert notes(found) == {"doealice": ("handed in late, says its name",)}


@each_row
def test_nothing_is_chosen_silently(names: list[str], wanted: list[str], tmp_path: Path) -> None:
    found = find(tmp_path, [*names, "zoe/"])
    assert paths(found)["zoe"] == "zoe"
    lines = doubts(found)
    assert len(lines) == len(wanted)
    assert all(line.startswith(start) for line, start in zip(lines, wanted, strict=True))
    assert all(entry.path is None for entry in found.entries if entry.is_doubtful)


MATCHES = {
    "s1/": "s1",
    "S1.zip": "s1",
    "adoe/": "s1",
    "alice@uni.edu.zip": "s1",
    "alice/": "s1",
    "Alice Doe/": "s1",
    "Doe, Alice/": "s1",
    "doe-alice/": "s1",
    "alice_doe.tar.gz": "s1",
    "doealice_12345_1_Queens.zip": "s1",
    "delacruzbob_LATE_5_1_x.zip": "s2",
    "Bob de la Cruz_9_assignsubmission_file_/": "s2",
    "Cruz Bob de la/": "s2",
    "HW 1_bcruz_attempt_2020-10-12-13-14-15_x.zip": "s2",
    "HW_jm-99_attempt_2020-10-12-13-14-15_x.zip": "s3",
    "josemuller_1_2_x.zip": "s3",
    "müllerjosé_1_2_x.zip": "s3",
    unicodedata.normalize("NFD", "José Müller") + "/": "s3",
    "alicia/": "",
    "doe/": "",
    "queens-99/": "",
    "adoe2/": "",
}


@pytest.mark.parametrize("name", MATCHES, ids=ascii)
def test_a_submission_finds_its_student(name: str, tmp_path: Path) -> None:
    found = find(tmp_path, [name], ROSTER)
    handed_in = {entry.id: entry for entry in found.entries if entry.path}
    (entry,) = handed_in.values()
    if MATCHES[name]:
        assert entry.id == entry.students[0].id == MATCHES[name]
        assert "not on the roster" not in entry.notes
    else:
        assert entry.notes == ("not on the roster",)
    everybody = {student.id for entry in found.entries for student in entry.students}
    assert everybody >= {"s1", "s2", "s3"}
    assert len(found.entries) == (3 if MATCHES[name] else 4)


def test_who_handed_in_nothing_is_there(tmp_path: Path) -> None:
    found = find(tmp_path, ["s2/"], ROSTER)
    assert paths(found) == {"s1": None, "s2": "s2", "s3": None}
    assert [entry.students[0].name for entry in found.entries] == ["Alice Doe", "Bob de la Cruz", "José Müller"]


def test_a_class_without_any_submission_is_one_with_a_roster(tmp_path: Path) -> None:
    assert set(paths(find(tmp_path, [], ROSTER)).values()) == {None}
    (tmp_path / "other").mkdir()
    with pytest.raises(UsageError, match="there is no submission in"):
        find_entries(tmp_path / "other")
    with pytest.raises(UsageError, match="name the folder that it is in"):
        find(tmp_path, ["Makefile", "Queens.java"])


def test_the_folder_of_the_roster_counts_before_all_else(tmp_path: Path) -> None:
    roster = "id,name,folder\ns1,Alice Doe,s2.zip\ns2,Bob Roe,the other\n"
    found = find(tmp_path, ["s2.zip", "the other/"], roster)
    assert paths(found) == {"s1": "s2.zip", "s2": "the other"}
    assert notes(found) == {}


def test_a_folder_of_the_roster_that_is_not_there_is_told(tmp_path: Path) -> None:
    found = find(tmp_path, ["bob/"], "id,folder\nalice,her work\n")
    assert notes(found)["alice"] == ("the roster names her work, which is not there",)


def test_the_number_of_the_platform_counts_before_a_name(tmp_path: Path) -> None:
    roster = 'Student,ID,SIS User ID\n"Doe, Alice",901,s1\n"Doe, Alice",902,s2\n'
    found = find(tmp_path, ["doealice_902_1_x.zip", "doealice_901_2_x.zip"], roster)
    assert paths(found) == {"s1": "doealice_901_2_x.zip", "s2": "doealice_902_1_x.zip"}


def test_a_blind_download_of_moodle_is_matched_by_its_worksheet(tmp_path: Path) -> None:
    roster = "Identifier,Full name\nParticipant 7,Alice\nParticipant 8,Bob\n"
    found = find(tmp_path, ["Participant_8_assignsubmission_file_/"], roster)
    assert paths(found) == {"Participant 7": None, "Participant 8": "Participant_8_assignsubmission_file_"}


def test_a_number_is_an_id_when_nothing_else_fits(tmp_path: Path) -> None:
    found = find(tmp_path, ["xyz_4711_attempt_1.zip"], "id,name\n4711,Alice\n")
    assert paths(found) == {"4711": "xyz_4711_attempt_1.zip"}


def test_logins_that_differ_in_a_sign_are_two(tmp_path: Path) -> None:
    found = find(tmp_path, ["ann-lee/", "annlee/"], "id,name\nann-lee,\nannlee,\n")
    assert paths(found) == {"ann-lee": "ann-lee", "annlee": "annlee"}


def test_what_may_be_of_two_is_told_with_both(tmp_path: Path) -> None:
    roster = "id,name,folder\ns1,Alice Doe,{}\ns2,Alice Doe,{}\ns3,Bo,\n"
    found = find(tmp_path, ["doealice_5_6_x.zip", "s3/"], roster.format("", ""))
    assert paths(found) == {"s1": None, "s2": None, "s3": "s3"}
    assert doubts(found) == 2 * [
        (
            "doealice_5_6_x.zip: this may be of s1 (Alice Doe) (line 2) or s2 (Alice Doe) (line 3) of the roster; "
            "write its name there, in the column folder"
        )
    ]
    # One of them has another: then it is the other's, or a second one of his. Nobody guesses.
    found = find(tmp_path, ["a/"], roster.format("a", ""))
    assert paths(found) == {"s1": "a", "s2": None, "s3": "s3"}
    assert [entry.id for entry in found.entries if entry.is_doubtful] == ["s2"]
    assert next(entry.notes[0] for entry in found.entries if entry.id == "s1").startswith(
        "doealice_5_6_x.zip: this may"
    )
    both = find(tmp_path, ["b/"], roster.format("a", "b"))
    assert doubts(both) == []
    assert both.unused[0].startswith("doealice_5_6_x.zip: this may be of")
    settled = find(tmp_path, [], roster.format("", "doealice_5_6_x.zip"))
    assert paths(settled) == {"a": "a", "b": "b", "s1": None, "s2": "doealice_5_6_x.zip", "s3": "s3"}
    assert doubts(settled) == []


def test_two_submissions_of_one_student_are_told(tmp_path: Path) -> None:
    found = find(tmp_path, ["adoe/", "s1.zip", "s2/"], ROSTER)
    assert doubts(found) == [
        (
            "adoe, s1.zip: all of s1 (Alice Doe) (line 2 of the roster), and one counts; "
            "write its name there, in the column folder"
        )
    ]
    assert paths(found) == {"s1": None, "s2": "s2", "s3": None}


@pytest.mark.parametrize("folder", ["s1.zip", "s1"])
def test_what_the_roster_names_settles_it(folder: str, tmp_path: Path) -> None:
    for names in (["adoe/", "s1.zip"], ["adoe.zip"]):
        found = find(tmp_path, names, f"id,name,login,folder\ns1,Alice Doe,adoe,{folder}\n")
        assert paths(found) == {"s1": "s1.zip"}
        assert notes(found)["s1"][0].startswith("the roster names it; not graded: adoe")
    found = find(tmp_path / "class", ["s1/", "s1.zip"], f"id,folder\ns1,{folder}\n")
    assert paths(found) == {"s1": folder}


LATEST = {
    "canvas": (["doea_1_2_a.zip", "doea_1_3_b.zip"], "doea_1_3_b.zip"),
    "canvas, late": (["doea_1_9_a.zip", "doea_LATE_1_12_b.zip"], "doea_LATE_1_12_b.zip"),
    "gradescope": (["submission_9/", "submission_10/"], "submission_10"),
    "attempts of one number": (["mallory_attempt_1__/", "mallory_attempt_2__/"], "mallory_attempt_2__"),
    "attempts of several": (["mallory_7_attempt_2.zip", "m_attempt_1__/", "m_attempt_3.zip"], "m_attempt_3.zip"),
    "blackboard": (
        ["HW_m_attempt_2026-10-12-13-14-15_x.zip", "HW2_mallory_attempt_2026-10-12-13-14-16_x.zip"],
        "HW2_mallory_attempt_2026-10-12-13-14-16_x.zip",
    ),
}
NO_LATEST = {
    "plain": ["m.zip", "mallory/"],
    "moodle": ["mallory_1_assignsubmission_file_/", "m_2_assignsubmission_file_/"],
    "the same attempt": ["m_attempt_1.zip", "mallory_attempt_1.zip"],
}
MALLORY = "id,name,login,email\n1,Doea,doea,\nm,Mallory,mallory,m@uni.edu\n"
METADATA = "submission_9:\n  :submitters: [{':sid': m}]\nsubmission_10:\n  :submitters: [{':email': m@uni.edu}]\n"


@pytest.mark.parametrize("kind", [*LATEST, *NO_LATEST])
def test_the_latest_counts_where_that_is_asked_for_and_the_names_tell(kind: str, tmp_path: Path) -> None:
    names, wanted = LATEST.get(kind) or (NO_LATEST[kind], None)
    folder = hand_in(tmp_path / "class", names)
    (folder / "submission_metadata.yml").write_text(METADATA)
    (tmp_path / "roster.csv").write_text(MALLORY)
    without = find_entries(folder, tmp_path / "roster.csv")
    assert all(("--latest takes the latest" in told) == (wanted is not None) for told in doubts(without))
    found = find_entries(folder, tmp_path / "roster.csv", latest=True)
    if wanted:
        assert [name for name in paths(found).values() if name] == [wanted]
        assert doubts(found) == []
        assert any(wanted in told or "older" in told for told in (*found.unused, *sum(notes(found).values(), ())))
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


def test_two_submissions_of_a_team_are_told(tmp_path: Path) -> None:
    assert doubts(find(tmp_path, ["a.zip", "b.zip", "c/", "d/"], TEAMS)) == [
        (
            "a.zip, b.zip: all of the team Red Team (line 2 of the roster), and one counts; "
            "write its name there, in the column folder, or take the team apart"
        )
    ]


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
    assert found.loose == ()
    assert entry.notes[0].startswith("no archive that can be read")


def test_names_are_shown_safely(tmp_path: Path) -> None:
    found = find(tmp_path, ["a_1_attempt_1_\x1b[31m\n.zip", "a_1_attempt_2.zip", "\u202e\udcff.txt"])
    text = "".join((*found.unused, *found.entries[0].notes))
    assert text.isprintable()
    assert "\\x1b[31m\\n" in text


def test_a_folder_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file or directory"):
        find_entries(tmp_path / "nowhere")
    (tmp_path / "all.zip").write_bytes(zipped())
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


def test_attempts_of_one_student_may_differ_in_a_number(tmp_path: Path) -> None:
    names = ("s1_97_attempt_1.zip", "s1_12_attempt_3.zip", "s1_44_attempt_2.zip", "s2_44_attempt_1.zip")
    found = find(tmp_path, names, ROSTER)
    assert paths(found)["s1"] == "s1_12_attempt_3.zip"
    entry = next(entry for entry in found.entries if entry.id == "s1")
    assert entry.notes == ("attempt 3 of 3; older: s1_44_attempt_2.zip, s1_97_attempt_1.zip",)


def test_the_same_attempt_twice_is_in_doubt(tmp_path: Path) -> None:
    (told,) = doubts(find(tmp_path, ("s1_97_attempt_1.zip", "s1_12_attempt_1.zip"), ROSTER))
    assert "all of s1" in told


def test_nobody_vanishes_for_a_dot_before_the_name(tmp_path: Path) -> None:
    found = find(tmp_path, [".mallory/", ".bob.zip", "alice/"])
    assert list(paths(found)) == ["alice"]
    assert [line.partition(":")[0] for line in found.unused] == [".bob.zip", ".mallory"]
    assert all("begins with a dot" in line for line in found.unused)
