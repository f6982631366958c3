import os
from pathlib import Path

import pytest

from grader.core.build.staging import check_path
from grader.core.errors import HostError
from grader.people.entries import ClassEntries, find_entries, gather
from tests.support.rows import each_row


def found_in(folder: Path, names: list[str]) -> ClassEntries:
    folder.mkdir()
    for name in names:
        (folder / name).write_text(name)
    return find_entries(folder)


def gathered(found: ClassEntries, target: Path, *wanted: str) -> dict[str, dict[str, str]]:
    """Return what there is in the folder of every entry."""
    return {
        entry.id: {file.name: file.read_text() for file in sorted(entry.path.iterdir())}
        for entry in gather(found, target, wanted).entries
        if entry.path
    }


def test_loose_files_become_folders(tmp_path: Path) -> None:
    names = ["doealice_12345_1_Makefile", "doealice_12345_2_Queens.java", "roebob_7_3_Queens.java"]
    found = found_in(tmp_path / "class", names)
    assert [entry.path is not None and entry.path.name for entry in found.entries] == [names[0], names[2]]
    assert found.entries[0].notes == ()  # that they are loose is the platform's doing
    whole = gather(found, tmp_path / "out")
    assert whole.loose == frozenset()
    for entry in whole.entries:
        assert entry.path
        check_path(entry.path)
    assert gathered(found, tmp_path / "out") == {
        "doealice": {"Makefile": names[0], "Queens.java": names[1]},
        "roebob": {"Queens.java": names[2]},
    }


@each_row
def test_files_get_their_own_names_back(
    names: list[str], wanted: list[str], files: dict[str, int], tmp_path: Path
) -> None:
    found = found_in(tmp_path / "class", names)
    (content,) = gathered(found, tmp_path / "out", *wanted).values()
    assert content == {name: names[place] for name, place in files.items()}


def test_gathering_again_leaves_nothing_of_before(tmp_path: Path) -> None:
    found = found_in(tmp_path / "class", ["a_1_2_x.c", "a_1_3_y.c"])
    gather(found, tmp_path / "out")
    (tmp_path / "class" / "a_1_2_x.c").unlink()
    assert gathered(find_entries(tmp_path / "class"), tmp_path / "out") == {"a": {"y.c": "a_1_3_y.c"}}
    assert (tmp_path / "class" / "a_1_3_y.c").read_text() == "a_1_3_y.c"


def test_a_disk_that_cannot_link_gets_copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_args: object, **_more: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    found = found_in(tmp_path / "class", ["a_1_2_x.sh"])
    (tmp_path / "class" / "a_1_2_x.sh").chmod(0o755)
    monkeypatch.setattr(os, "link", refuse)
    assert gathered(found, tmp_path / "out") == {"a": {"x.sh": "a_1_2_x.sh"}}
    assert (tmp_path / "out/a/x.sh").stat().st_mode & 0o777 == 0o755


def test_what_is_in_the_way_is_told(tmp_path: Path) -> None:
    found = found_in(tmp_path / "class", ["a_1_2_x.c"])
    (tmp_path / "out").write_text("")
    with pytest.raises(HostError, match=r"out/a: .*; remove .*out/a, and start again"):
        gather(found, tmp_path / "out")


@pytest.mark.parametrize("planted", ["out", "out/doealice"])
def test_no_link_is_followed_where_folders_are_emptied(planted: str, tmp_path: Path) -> None:
    found = found_in(tmp_path / "class", ["doealice_12345_2_Queens.java"])
    other = tmp_path / "instructor"
    other.mkdir()
    (other / "precious").write_text("kept")
    (tmp_path / planted).parent.mkdir(exist_ok=True)
    (tmp_path / planted).symlink_to(other)
    with pytest.raises(HostError, match="a link, and links are not followed"):
        gather(found, tmp_path / "out")
    assert (other / "precious").read_text() == "kept"
