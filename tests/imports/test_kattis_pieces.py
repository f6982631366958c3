"""Packages with much data: it is never in memory, it may be linked, and whatever ends an import leaves nothing."""

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest

from grader.core.errors import HostError
from grader.core.model.layout import ContentsByName
from grader.core.reader.spec import load
from grader.imports import Tell, write_assignment
from grader.imports.draft import Loss
from grader.imports.kattis import import_kattis
from grader.imports.kattis_package import KattisOptions, Package
from grader.imports.kattis_programs import read_labelled, read_programs
from tests.support.packages import SUM, lay
from tests.support.rows import each_row, read_data

LARGE = "1 2 word\n" * 20_000
DATA = read_data(__file__)
_PEAK = DATA["_PEAK"]


def package(folder: Path, text: str = LARGE) -> Path:
    files = {
        "problem.yaml": "name: Large\nlimits: {time_limit: 2}\n",
        "data/sample/1.in": "1 2\n",
        "data/sample/1.ans": "3\n",
        "data/secret/a.in": text,
        "data/secret/a.ans": text,
        "submissions/accepted/ann.py": SUM,
    }
    return lay(folder / "large", files)


def left_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*") if path.is_file() or path.name.startswith(".grader"))


@pytest.mark.slow
def test_the_data_of_a_package_is_not_in_memory(tmp_path: Path) -> None:
    package(tmp_path, LARGE * 200)  # twice 34 MiB
    done = subprocess.run(
        [sys.executable, "-c", _PEAK], cwd=tmp_path, check=True, capture_output=True, text=True, timeout=100
    )
    assert int(done.stdout.splitlines()[-1]) < 75 * 2**10
    assert done.stderr == ""  # no terminal, no progress
    data, copy = (tmp_path / name for name in ("large/data/secret/a.ans", "data/large/secret/a.ans"))
    assert copy.read_bytes() == data.read_bytes()
    assert copy.stat().st_nlink == 1


def take_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # who starts the tests may ignore it


@pytest.mark.slow
def test_a_terminal_shows_progress_and_ctrl_c_leaves_nothing(tmp_path: Path) -> None:
    package(tmp_path, LARGE * 1000)
    command = ["-m", "grader", "import", "kattis", "large", "--out", "course"]
    child = pexpect.spawn(
        sys.executable,
        command,
        cwd=str(tmp_path),
        env={**os.environ, "TERM": "xterm"},
        timeout=60,
        dimensions=(24, 80),
        preexec_fn=take_interrupts,
    )
    child.expect(r"large  (reading|writing|checking), [0-9.]+ [KM]iB  [0-9]+ s")
    child.sendintr()
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130
    assert left_in(tmp_path / "course") == []


def test_large_data_may_be_linked(tmp_path: Path) -> None:
    (package(tmp_path) / "data/secret/a.in").chmod(0o444)
    written = write_assignment(import_kattis(tmp_path / "large"), tmp_path / "course", link=True)
    assert not any("Links" in note for note in written.notes)
    for name, links in (("secret/a.in", 2), ("secret/a.ans", 2)):
        assert (tmp_path / f"course/data/large/{name}").stat().st_nlink == links
    before = load(written.spec)
    with (tmp_path / "large/data/secret/a.in").open("a") as file:  # the original is changed, and so is the link
        file.write("3\n")
    assert load(written.spec).digest != before.digest


def test_what_cannot_be_linked_is_copied_and_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_args: object, **_options: object) -> None:
        raise OSError(errno.EXDEV, "Invalid cross-device link")

    monkeypatch.setattr(os, "link", refused)
    written = write_assignment(import_kattis(package(tmp_path)), tmp_path / "course", link=True)
    assert any("Links: " in note and "copied, not linked" in note for note in written.notes)
    assert (tmp_path / "course/data/large/secret/a.in").read_text() == LARGE


@pytest.mark.parametrize("link", [False, True])
def test_data_that_changes_meanwhile_is_refused(tmp_path: Path, *, link: bool) -> None:
    made = import_kattis(package(tmp_path))
    (tmp_path / "large/data/secret/a.in").write_text(LARGE.replace("2", "3"))
    with pytest.raises(HostError, match="has changed"):
        write_assignment(made, tmp_path / "course", link=link)
    assert left_in(tmp_path / "course") == []


def test_a_file_larger_than_its_size_said_is_refused(tmp_path: Path) -> None:
    path = package(tmp_path) / "data/secret/a.in"
    grown: list[int] = []

    def grow(_what: str, size: int) -> None:
        if not grown and size > len(LARGE):  # the first of the large files has been read
            grown.append(size)
            for name in ("a.in", "a.ans"):
                with path.with_name(name).open("a") as file:
                    file.write(LARGE)

    made = import_kattis(tmp_path / "large", options=options(grow))
    with pytest.raises(HostError, match="has changed"):
        write_assignment(made, tmp_path / "course")
    assert grown
    assert left_in(tmp_path / "course") == []


def options(tell: Tell = lambda *_: None) -> KattisOptions:
    return KattisOptions(tell=tell)


def test_an_interrupted_import_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = import_kattis(package(tmp_path))

    def interrupt(what: str, size: int) -> None:
        if what == "writing" and size > len(LARGE):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_assignment(made, tmp_path / "course", tell=interrupt)
    assert left_in(tmp_path / "course") == []
    rename = Path.rename

    def interrupted(path: Path, target: Path) -> Path:
        if target.parent.name == "specs":
            raise KeyboardInterrupt
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_assignment(made, tmp_path / "course")
    assert left_in(tmp_path / "course") == []
    monkeypatch.undo()
    assert write_assignment(made, tmp_path / "course").spec.is_file()


class Counted(dict[str, bytes]):
    """The contents of a package, which count how often all their names are gone through."""

    rounds = 0

    def __iter__(self) -> Iterator[str]:
        self.rounds += 1
        return super().__iter__()


def test_a_folder_of_a_package_is_found_without_going_through_all_files() -> None:
    names = [f"data/secret/{number:03}.{ending}" for number in range(300) for ending in ("in", "ans")]
    contents = Counted(dict.fromkeys([*names, "data/secretly.in", "problem.yaml"], b""))
    package = Package(path=Path("x"), problem={}, files=ContentsByName(contents), links=())
    found = [list(package.below(f"data/secret/{number:03}")) for number in range(300)]
    assert found == [[".ans", ".in"]] * 300
    assert list(package.below("data/secret/"))[:2] == ["000.ans", "000.in"]
    assert contents.rounds == 1


@each_row
def test_an_entrypoint_says_which_file_or_class_is_the_main_one(
    files: dict[str, str], entry: str, main: str, content: str
) -> None:
    placed = {f"submissions/accepted/two/{name}": text.encode() for name, text in files.items()}
    package = WithEntry(path=Path("x"), problem={}, files=ContentsByName(placed), links=())
    WithEntry.entry = entry
    losses: list[Loss] = []
    (programs,) = read_programs(read_labelled(package, losses), losses)
    assert losses == []
    assert content in programs.found[0].files[main].decode()


class WithEntry(Package):
    """A package whose submissions.yaml has an entrypoint."""

    entry = ""

    def data(self, _name: str) -> dict[str, object]:
        return {"accepted/two": {"entrypoint": self.entry}}
