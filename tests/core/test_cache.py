"""The cache on disk: what another user may have written there decides nothing, and the run goes on."""

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.core.cache import Cache, grader_cache_folder, why_untrusted
from grader.doctor import machine_requirements
from tests.support.classes import grader
from tests.support.courses import course, submission
from tests.support.rows import each_row, read_data

SPEC = read_data(__file__)["SPEC"]
STRANGER = 4711
REFERENCE = "import sys\nprint('right', *sys.argv[1:])\n"
PROGRAM = "import sys\nprint('wrong', *sys.argv[1:])\n"
is_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can make what belongs to another user")


def give_away(folder: Path) -> None:
    for path in (folder, *folder.rglob("*")):
        os.lchown(path, STRANGER, STRANGER)


def link(folder: Path) -> None:
    elsewhere = folder.rename(folder.with_name("elsewhere"))
    folder.symlink_to(elsewhere)
    os.lchown(folder, STRANGER, STRANGER)


def open_to_group(folder: Path) -> None:
    os.chown(folder, 0, STRANGER)
    folder.chmod(0o770)


FOREIGN: dict[str, Callable[[Path], None]] = {
    "belongs to another user": give_away,
    "the folder alone is another user's": lambda folder: os.chown(folder, STRANGER, STRANGER),
    "the folder above is another user's": lambda folder: os.chown(folder.parent, STRANGER, STRANGER),
    "a link of another user": link,
    "everybody can write": lambda folder: folder.chmod(0o777),
    "everybody can add": lambda folder: folder.chmod(0o1777),
    "everybody can write above": lambda folder: folder.parent.chmod(0o777),
    "a group can write": open_to_group,
}
"""how others get at `answers-4`"""


def score(folder: Path) -> tuple[int, str]:
    words = ("--spec", "specs/echo.yaml", "--sandbox", "none", "--format", "json", "--out", folder / "out")
    done = grader(folder, "run", "echo/alice", *words, XDG_CACHE_HOME=str(folder / "cache"))
    assert done.returncode in (0, 1), done.stderr
    return json.loads(done.stdout)["score"], done.stderr


@pytest.fixture(scope="module")
def poisoned_course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a course with a cache in which the reference's answer is what a wrong program says."""
    root = tmp_path_factory.mktemp("poisoned")
    course(root, SPEC, REFERENCE)
    submission(root, "alice", PROGRAM)
    assert score(root) == (0, "")
    found = 0
    folder = root / "cache" / "grader" / "answers-4"
    for path in folder.iterdir():
        content = path.read_bytes()[32:]
        changed = content.replace(b"right shown", b"wrong shown")
        found += changed != content
        path.write_bytes(hashlib.sha256(changed).digest() + changed)
    assert found == 1
    assert score(root) == (10, "")  # so the answer is really read there
    return root


@pytest.fixture
def poisoned(tmp_path: Path, poisoned_course: Path) -> Path:
    """Return the folder of the cache in a copy of that course."""
    return shutil.copytree(poisoned_course, tmp_path / "course") / "cache" / "grader" / "answers-4"


@pytest.mark.slow
@is_root
@pytest.mark.parametrize("change", FOREIGN.values(), ids=FOREIGN)
def test_what_others_may_have_cached_decides_no_grade(change: Callable[[Path], None], poisoned: Path) -> None:
    change(poisoned)
    result, told = score(poisoned.parents[2])
    assert result == 0
    assert told.count("\n") == told.count("grader: the cache is not used, as ") == 1
    assert told.endswith("name a folder of your own in XDG_CACHE_HOME\n")


@is_root
def test_a_file_of_another_user_in_our_own_cache_is_not_read(poisoned: Path) -> None:
    for path in poisoned.iterdir():
        os.chown(path, STRANGER, STRANGER)
    assert score(poisoned.parents[2]) == (0, "")


@is_root
def test_a_cache_of_another_user_is_left_as_it_is(poisoned: Path) -> None:
    give_away(poisoned)
    before = {path.name: path.read_bytes() for path in poisoned.iterdir()}
    (poisoned.parents[2] / "reference" / "echo.py").write_text(f"{REFERENCE}# another\n")
    score(poisoned.parents[2])
    assert {path.name: path.read_bytes() for path in poisoned.iterdir()} == before


@is_root
def test_doctor_names_what_is_wrong_with_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    os.chown(tmp_path, STRANGER, STRANGER)
    found = {one.name: one for one in machine_requirements()}["cache"]
    assert (found.state, found.found) == ("missing", f"the cache is not used, as {tmp_path} belongs to another user")


def test_links_and_pipes_in_the_cache_are_no_values(tmp_path: Path) -> None:
    cache, other = (Cache(folder=tmp_path / name) for name in ("cache", "other"))
    for each in (cache, other):
        each.store("key", "value")
    path = next(cache.folder.iterdir())
    assert cache.look_up("key", str) == "value"
    path.unlink()
    path.symlink_to(next(other.folder.iterdir()))
    assert cache.look_up("key", str) is None
    path.unlink()
    os.mkfifo(path)
    assert cache.look_up("key", str) is None  # and nobody waits for a writer
    cache.store("key", "again")
    assert cache.look_up("key", str) == "again"


def test_own_folders_and_links_are_trusted(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir(0o700)
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "dangling").symlink_to("missing")
    for name in ("real", "link", "link/new", "dangling/new", "missing/new", "real/../link"):
        assert why_untrusted(tmp_path / name) == ""
    (tmp_path / "circle").symlink_to("circle")
    assert why_untrusted(tmp_path / "circle").endswith("is a link to itself")
    assert why_untrusted(Path("cache")) == "the cache folder cache is not an absolute path"


def test_every_folder_that_is_made_for_the_cache_is_its_owners_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        Cache(folder=tmp_path / "a" / "b" / "c").store("key", "value")
    finally:
        os.umask(before)
    made = [path for path in (tmp_path / "a").rglob("*") if path.is_dir()]
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "a", *made)} == {0o700}


@each_row
def test_the_cache_is_where_the_base_directory_specification_says(
    named: str, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    monkeypatch.setenv("XDG_CACHE_HOME", named)
    assert str(grader_cache_folder()) == folder
