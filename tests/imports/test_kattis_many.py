"""Many packages at once: folders and archives, what is refused and why, and one class over all their programs."""

import io
import re
import stat
import subprocess
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from grader.core.errors import UsageError
from grader.imports.kattis_package import (
    DEFAULT_OPTIONS,
    KattisOptions,
    ProblemSource,
    find_sources,
    read_package,
    unpacked,
)
from tests.support.commands import run_grader
from tests.support.contest_packages import contest_packages
from tests.support.packages import PAIRS, lay
from tests.support.rows import each_row


def call(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    done = run_grader(*words, cwd=folder, timeout=500)
    return subprocess.CompletedProcess(words, done.returncode, done.stdout.decode(), done.stderr.decode())


def zipped(path: Path, files: Mapping[str, str | bytes], links: Mapping[str, str] | None = None) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
        for name, target in (links or {}).items():
            info = zipfile.ZipInfo(name)
            info.external_attr = (stat.S_IFLNK | 0o777) << 16
            archive.writestr(info, target)
    return path


def tarred(
    path: Path, files: Mapping[str, str], links: Mapping[str, str] | None = None, hard: Mapping[str, str] | None = None
) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(path, "w:gz") as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content.encode())
            archive.addfile(info, io.BytesIO(content.encode()))
        for kind, some in ((tarfile.SYMTYPE, links or {}), (tarfile.LNKTYPE, hard or {})):
            for name, target in some.items():
                info = tarfile.TarInfo(name)
                info.type, info.linkname = kind, target
                archive.addfile(info)
    return path


def below(folder: str, files: Mapping[str, str]) -> dict[str, str]:
    return {f"{folder}/{name}": text for name, text in files.items()}


def test_packages_are_found_in_folders_and_archives(tmp_path: Path) -> None:
    lay(tmp_path / "archive/b", PAIRS)
    zipped(tmp_path / "archive/a.zip", PAIRS)
    tarred(tmp_path / "archive/c.tgz", {**below("main/contest/x", PAIRS), **below("main/contest/y", PAIRS)})
    lay(tmp_path / "archive", {"README.md": "", ".hidden/problem.yaml": "", "notes/a.txt": ""})
    found = find_sources(tmp_path / "archive")
    assert [source.path.name for source in found] == ["a.zip", "b", "c.tgz"]
    shown = []
    for source in found:
        with unpacked(source, DEFAULT_OPTIONS) as packages:
            shown += [(one.path.name, one.shown.removeprefix(f"{tmp_path}/archive/")) for one in packages]
            assert all((one.path / "problem.yaml").is_file() for one in packages)
    expected = [("a", "a.zip"), ("b", "b"), ("x", "c.tgz/main/contest/x"), ("y", "c.tgz/main/contest/y")]
    assert shown == expected


@pytest.mark.slow
def test_a_single_archive_is_named_and_its_mistakes_are_told_by_its_path(tmp_path: Path) -> None:
    zipped(tmp_path / "Pair Sums.zip", PAIRS)
    assert call(tmp_path, "import", "kattis", "Pair Sums.zip").returncode == 0
    assert (tmp_path / "specs/pair-sums.yaml").is_file()
    assert call(tmp_path, "import", "kattis", "Pair Sums.zip", "--id", "other").returncode == 0
    zipped(tmp_path / "two.zip", {**below("a", PAIRS), **below("b", PAIRS)})
    done = call(tmp_path, "import", "kattis", "two.zip", "--id", "other")
    assert (done.returncode, "--id names one assignment" in done.stderr) == (2, True)
    zipped(tmp_path / "twice.zip", {**PAIRS, "problem.yaml": "name: x\nname: y\n"})
    done = call(tmp_path, "import", "kattis", "twice.zip")
    assert (done.returncode, done.stderr.startswith("grader: twice.zip/problem.yaml:2:1: ")) == (2, True), done.stderr
    assert "/tmp" not in done.stderr.replace(str(tmp_path), "")


@each_row
def test_hostile_archives_are_refused(tmp_path: Path, files: Mapping[str, str], message: str) -> None:
    archive = zipped(tmp_path / "x/p.zip", {**PAIRS, **files})
    options = KattisOptions(max_bytes=2 * 2**20)
    with pytest.raises(UsageError, match=re.escape(message)), unpacked(ProblemSource(archive, "p.zip"), options):
        pass
    assert [path.name for path in tmp_path.rglob("*")] == ["x", "p.zip"]


@each_row
def test_an_archive_with_a_link_that_leads_out_is_refused(
    tmp_path: Path, links: Mapping[str, str], message: str
) -> None:
    for archive in (tarred(tmp_path / "x/t.tgz", PAIRS, links), zipped(tmp_path / "x/z.zip", PAIRS, links)):
        with pytest.raises(UsageError, match=message), unpacked(ProblemSource(archive, archive.name), DEFAULT_OPTIONS):
            pass
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["t.tgz", "x", "z.zip"]


def test_a_link_inside_an_archive_stands_for_what_it_leads_to(tmp_path: Path) -> None:
    links = {"data/secret/l.in": "big.in", "data/secret/l.ans": "../secret/big.ans", "data/secret/none.in": "../none"}
    links |= {"a/b/up": "../..", "a/out": "b/up/..", "data/secret/out.in": "../../a/out/../../etc/hostname"}
    hard = {"data/secret/hard.in": "data/secret/big.in"}
    for archive in (tarred(tmp_path / "t.tgz", PAIRS, links, hard), zipped(tmp_path / "z.zip", PAIRS, links)):
        with unpacked(ProblemSource(archive, archive.name), DEFAULT_OPTIONS) as (one,):
            package = read_package(one.path)
            assert package.files["data/secret/l.in"] == package.files["data/secret/big.in"]
            assert package.files["data/secret/l.ans"] == package.files["data/secret/big.ans"]
            assert ("data/secret/hard.in" in package.files) == (archive.suffix == ".tgz")
            assert {"data/secret/none.in", "data/secret/out.in"} <= {*package.links}


@pytest.mark.parametrize("inner", [{"inner.zip": b"PK\x05\x06" + bytes(18)}, {"readme.txt": ""}])
def test_an_archive_without_a_package_is_refused(tmp_path: Path, inner: Mapping[str, str | bytes]) -> None:
    zipped(tmp_path / "p.zip", inner)
    done = call(tmp_path, "import", "kattis", "p.zip")
    assert (done.returncode, "is no problem package: there is no problem.yaml in it" in done.stderr) == (2, True)


def test_a_damaged_archive_is_refused(tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.zip"
    damaged.write_bytes(zipped(tmp_path / "whole.zip", PAIRS).read_bytes()[:-40])
    with pytest.raises(UsageError, match="is damaged"), unpacked(ProblemSource(damaged, "d"), DEFAULT_OPTIONS):
        pass


_ARCHIVED = {"partial": ".zip", "newer": ".tar.gz", "grader": ".zip"}
_TABLE = re.compile(r"(?m)^  ([\w-]+) +(\d+) agreed(?:, (\d+) disagreed)?$")


@pytest.mark.slow
def test_an_archive_of_every_form_is_imported_graded_and_compared_at_once(tmp_path: Path) -> None:
    packages = contest_packages()
    wrong_label = {"submissions/wrong_answer/right.py": packages["plain"]["submissions/accepted/ann.py"]}
    for name, files in {**packages, "wrong-label": {**packages["plain"], **wrong_label}}.items():
        inside = below(name, files)
        ending = _ARCHIVED.get(name, "")
        if ending == ".zip":
            zipped(tmp_path / f"archive/{name}.zip", inside)
        elif ending:
            tarred(tmp_path / f"archive/{name}{ending}", inside)
        else:
            lay(tmp_path / "archive", inside)
    zipped(tmp_path / "archive/hostile.zip", {**packages["plain"], "../out": ""})
    paths = sorted(str(path.relative_to(tmp_path)) for path in (tmp_path / "archive").iterdir())
    done = call(tmp_path, "import", "kattis", *paths, "--measure", "--link")
    assert (done.returncode, done.stderr) == (2, "")
    refused = [line.split(maxsplit=2)[::2] for line in done.stdout.splitlines() if "  refused: " in line]
    assert [name for name, _ in refused] == ["archive/hostile.zip", "archive/no-secret-data"]
    assert "make the data first" in refused[1][1]
    assert done.stdout.splitlines()[-1] == f"{len(paths) - 2} assignments imported, 2 refused"

    done = call(tmp_path, "class", "sample_submissions")
    assert (done.returncode, done.stderr) == (0, "")
    _, _, table = done.stdout.partition("What expected.yaml says of the samples of each assignment:\n")
    rows = {name: (int(agreed), int(disagreed or 0)) for name, agreed, disagreed in _TABLE.findall(table)}
    assert rows.keys() == {*packages, "wrong-label"} - {"no-secret-data"}
    programs = {
        name: len(
            {tuple(file.split("/")[1:3]) for file in files if file.count("/") > 1 and file.startswith("submissions/")}
        )
        for name, files in packages.items()
    }
    assert {name: row for name, row in rows.items() if row != (programs.get(name), 0)} == {"wrong-label": (3, 1)}, table
    assert "    wrong-answer-right  100 of 100  disagreed: the score should be 0, and is 100\n" in table
    assert table.splitlines()[-1].startswith("The exit code does not count what disagrees: ")
    assert table.splitlines()[-2].endswith(f"{sum(agreed for agreed, _ in rows.values())} samples agreed, 1 disagreed")
