"""A spec comes out of the cache exactly as it is loaded, and only while nothing of it has changed."""

import pickle
import subprocess
from pathlib import Path
from typing import Any

import pytest

from grader.core.cache import Cache, content_digest
from grader.core.reader import spec_cache as kept
from grader.core.reader.spec import load
from grader.core.reader.spec_cache import load_cached
from tests.support.packages import lay
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
ROOT = Path(__file__).parents[3]
SPECS = sorted((ROOT / "specs").glob("*.yaml"))


@pytest.fixture
def course(tmp_path: Path) -> Path:
    lay(tmp_path, DATA["FILES"])
    return tmp_path


def is_kept(path: Path, cache: Cache, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether the spec comes out of the cache; and it is what it is in either case."""
    read: list[str] = []

    def import_noting(name: str) -> Any:
        read.append(name)
        return __import__(name, fromlist=["read"])

    monkeypatch.setattr(kept, "import_module", import_noting)
    found = load_cached(path, cache)
    assert repr(found) == repr(load(path))
    return "grader.core.reader.spec" not in read


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_every_spec_is_kept_as_it_is(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = Cache(folder=tmp_path)
    assert [is_kept(path, cache, monkeypatch) for _ in range(2)] == [False, True]


@each_row
def test_what_has_changed_is_loaded(script: str, course: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache, path = Cache(folder=tmp_path / "cache"), course / "specs/many.yaml"
    assert [is_kept(path, cache, monkeypatch) for _ in range(2)] == [False, True]
    subprocess.run(["/bin/sh", "-c", script], cwd=course, check=True, timeout=60)
    assert [is_kept(path, cache, monkeypatch) for _ in range(2)] == [False, True]


def test_another_course_and_other_source_of_ours_have_specs_of_their_own(
    course: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache, path = Cache(folder=tmp_path / "cache"), course / "specs/many.yaml"
    load_cached(path, cache)
    (tmp_path / "other").mkdir()
    for name in ("specs", "data", "reference"):
        (course / name).rename(tmp_path / "other" / name)
    assert not is_kept(tmp_path / "other/specs/many.yaml", cache, monkeypatch)
    monkeypatch.setattr(kept, "_READERS", ("load",))
    monkeypatch.setattr(kept, "_source", kept._source.__wrapped__)  # which is looked at once by a process
    assert not is_kept(tmp_path / "other/specs/many.yaml", cache, monkeypatch)


class Hostile:
    """What opens a file when it is read back, as anything may that Python writes down."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.place,)


def test_what_is_damaged_or_foreign_in_the_cache_is_no_spec(
    course: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache, path = Cache(folder=tmp_path / "cache"), course / "specs/many.yaml"
    touched = tmp_path / "touched"
    load_cached(path, cache)
    (file,) = cache.folder.iterdir()
    good = file.read_bytes()
    for bad in (good[:-200], b"", good.replace(b"grader.core", b"grader.cure"), good.replace(b"many", b"less")):
        file.write_bytes(bad)
        load_cached(path, cache)
        assert is_kept(path, cache, monkeypatch)
    foreign = (pickle.dumps(Hostile(touched)), pickle.dumps([1]), pickle.dumps(Path), b"\x80\x05.")
    for written in foreign:
        assert kept._read_back(written, tmp_path) is None
    assert not touched.exists()


def test_data_is_stored_under_the_digest_of_what_was_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "data.yaml"
    path.write_text("key: first\n")

    def digest_before_a_save(content: bytes) -> str:
        path.write_text("key: second\n")
        return content_digest(content)

    monkeypatch.setattr(kept, "content_digest", digest_before_a_save)
    assert kept.read_data_cached(path, Cache(folder=tmp_path / "cache")) == {"key": "first"}
