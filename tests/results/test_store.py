import os
import random
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from grader.core.errors import HostError, UsageError
from grader.core.model.gradebook import Entry, Student
from grader.core.model.report import Verdict
from grader.core.report.formats import FORMATS
from grader.core.report.json import to_json, write_files
from grader.results.class_files import CLASS_FORMATS
from grader.results.store import (
    STORE_NAME,
    GradeStore,
    ReportKey,
    locked,
    open_results,
    open_store,
    read_store,
    results_of,
)
from tests.support.past_samples import record, scored

KEY = ReportKey(submission="s", spec="p", reference="r", toolchain="t", grader="0")
HOSTILE = ("alice", "Müller, Anna", "a\nb\t", "\udcff\udc80", "'; DROP TABLE reports; --", "x" * 255)


def put(store: GradeStore, name: str, report: bytes = b"{}", verdict: Verdict = Verdict.PASSED) -> None:
    store.put(name, KEY, report, verdict)


def write(store: GradeStore, name: str, files: Mapping[str, bytes]) -> None:
    store.update_files(name, store.path.parent / "files", lambda: files, "it")


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_put_is_there_when_the_store_is_opened_again(tmp_path: Path, name: str) -> None:
    with open_store(tmp_path) as store:
        put(store, name, b"\x00\xff" * 1000)
        write(store, name, {"feedback.md": b"2", "junit.xml": b"3"})
    with open_store(tmp_path) as store:
        assert store.get(name) == b"\x00\xff" * 1000
        assert store.finished() == {name: KEY}
        assert store.digests(name).keys() == {"made of", "feedback.md", "junit.xml"}
        assert (store.get("nobody"), store.digests("nobody")) == (None, {})


def test_a_second_report_takes_the_place_of_the_first_and_of_what_was_made_of_it(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        put(store, "alice", b"one")
        write(store, "alice", {"feedback.md": b"1"})
        put(store, "alice", b"two")
        assert (store.get("alice"), store.digests("alice")) == (b"two", {})


def test_only_what_a_killed_grader_left_of_its_own_files_is_removed(tmp_path: Path) -> None:
    ours = [tmp_path / f".{name}.0123456789abcdef" for name in (*FORMATS, *CLASS_FORMATS)]
    theirs = tmp_path / ".notes.0123456789abcdef"  # in a folder that was named with `--out`
    for path in (*ours, theirs):
        path.write_text("half of it")
    (tmp_path / ".cache.0123456789abcdef").mkdir()
    with open_store(tmp_path) as store:
        store.update_files("", tmp_path, lambda: {"grades.csv": b"1"}, "it")
    assert not any(path.exists() for path in ours)
    assert theirs.read_text() == "half of it"


def test_a_folder_that_cannot_be_tidied_takes_no_report_of_its_batch_along(tmp_path: Path) -> None:
    (tmp_path / "files/.report.json.0123456789abcdef").mkdir(parents=True)  # as if it were another user's
    with open_store(tmp_path) as store:
        with store.batch():
            for name in ("alice", "bo"):
                put(store, name)
                write(store, name, {"feedback.md": b"1"})
        assert store.finished().keys() == {"alice", "bo"}
    assert (tmp_path / "files/feedback.md").read_bytes() == b"1"


def test_an_ungraded_report_is_kept_but_not_finished(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        put(store, "alice", verdict=Verdict.UNGRADED)
        assert store.finished() == {}
        assert store.get("alice") is not None
        store.forget()
        assert store.get("alice") is None


def test_the_class_is_kept_as_it_was_last(tmp_path: Path) -> None:
    student = Student(id="1", name="\udcff", email="a@example.org", login="al", section="B")
    entries = (
        Entry(id="b", path=None, students=(student,), team="owls", notes=("first\nsecond",)),
        Entry(id="a\udcff", path=tmp_path / "\udcfe", students=(Student(id="2"),)),
    )
    with open_store(tmp_path) as store:
        store.enrol((Entry(id="gone", path=None, students=()),), {"title": "old"})
        store.enrol(entries, {"title": "new"})
    with read_store(tmp_path / STORE_NAME) as store:
        assert store.entries() == tuple(sorted(entries, key=lambda entry: entry.id))
        assert store.about()["title"] == "new"


def test_a_report_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        put(store, "alice", b"one")
        store.connection.execute("CREATE TRIGGER no BEFORE INSERT ON reports BEGIN SELECT RAISE(ABORT, 'no'); END")
        with pytest.raises(HostError, match=r"grades\.db: no; finished reports are kept"):
            put(store, "alice", b"two")
        assert store.get("alice") == b"one"


@pytest.mark.parametrize(
    ("change", "read"),
    [
        ("entries SET entry", GradeStore.entries),
        ("reports SET key", GradeStore.finished),
        ("digests SET files", lambda store: store.digests("alice")),
        ("about SET value", results_of),
    ],
)
@pytest.mark.parametrize("text", [b"", "", "{}x", "[1]", "[" * 99_999, "9" * 5000, "NaN", "1e999", b'"\xff"'])
def test_a_store_whose_texts_are_no_longer_ours_is_damaged(
    tmp_path: Path, change: str, read: Callable[[GradeStore], object], text: str | bytes
) -> None:
    with open_store(tmp_path) as store:
        store.enrol([Entry(id="alice", path=tmp_path, students=())], {"max_score": "10.0"})
        put(store, "alice")
        write(store, "alice", {"feedback.md": b"1"})
        store.connection.execute(f"UPDATE {change} = ?", (text,))
        with pytest.raises(HostError, match=r"grades\.db is damaged \(.*elsewhere, and grade again"):
            read(store)


def test_a_text_that_sqlite_cannot_decode_is_damage_too(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        put(store, "alice")
        store.connection.execute("UPDATE reports SET key = CAST(x'7bff7d' AS TEXT)")
        for read in (store.finished, store.state):
            with pytest.raises(HostError, match="is damaged"):
                read()


def test_a_mistake_in_a_batch_is_not_taken_for_damage(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="ours"), open_store(tmp_path) as store, store.batch():
        raise ValueError("ours")


def test_ids_of_assignments_in_reports_of_others_are_shown_escaped(tmp_path: Path) -> None:
    for name, id_ in (("a", "echo"), ("b", "x\n::error::\x1b[31m")):
        report = record(scored("usage", 10))
        write_files({"report.json": to_json(replace(report, spec=replace(report.spec, id=id_)))}, tmp_path / name)
    with pytest.raises(UsageError, match=r"\(echo, x\\n::error::\\x1b\[31m\)"), open_results(tmp_path):
        pass


@pytest.mark.parametrize("written", ["2", "99"])
def test_a_store_of_another_format_is_refused(tmp_path: Path, written: str) -> None:
    with open_store(tmp_path) as store:
        store.enrol((), {"format": written})
    with pytest.raises(UsageError, match=f"format {written}, and this grader reads format 3"), open_store(tmp_path):
        pass


@pytest.mark.parametrize("content", [b"", b"no database" * 100])
def test_what_is_no_store_is_told(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / STORE_NAME
    path.write_bytes(content)
    with pytest.raises((UsageError, HostError), match=r"grades\.db"), read_store(path):
        pass


@pytest.mark.parametrize("damage", ["header", "pages", "report"])
def test_a_damaged_store_says_what_helps(damage: str, tmp_path: Path) -> None:
    path = tmp_path / STORE_NAME
    with open_store(tmp_path) as store:
        put(store, "alice")
        if damage == "report":
            store.connection.execute("UPDATE reports SET report = x'00'")
            store.connection.commit()
    content = bytearray(path.read_bytes())
    if damage == "header":
        content[:16] = b"x" * 16
    elif damage == "pages":
        content[100:4000] = b"x" * 3900
    path.write_bytes(content)
    with pytest.raises(HostError, match="elsewhere, and grade again"), open_store(tmp_path) as store:
        store.get("alice")
    with pytest.raises((UsageError, HostError), match="elsewhere, and grade again"), read_store(path) as store:
        store.get("alice")
    for part in tmp_path.glob(f"{STORE_NAME}*"):
        part.unlink()
    with open_store(tmp_path) as store:
        assert store.get("alice") is None


def test_a_store_that_is_not_there_is_not_made_by_reading(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"), read_store(tmp_path / STORE_NAME):
        pass
    assert not (tmp_path / STORE_NAME).exists()


def test_the_log_is_written_ahead_and_to_the_disk(tmp_path: Path) -> None:
    def pragma(store: GradeStore, name: str) -> object:
        return store.connection.execute(f"PRAGMA {name}").fetchone()[0]

    with open_store(tmp_path) as store:
        assert (pragma(store, "journal_mode"), pragma(store, "synchronous")) == ("wal", 2)


def test_a_full_disk_leaves_what_was_there(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        put(store, "alice")
        pages = store.connection.execute("PRAGMA page_count").fetchone()[0]
        store.connection.execute(f"PRAGMA max_page_count = {pages}")
        big = random.Random(1).randbytes(200_000)  # noqa: S311 - bytes that do not shrink
        with pytest.raises(HostError, match=r"full; finished reports are kept; make room on that disk"):
            put(store, "bob", big)
        assert store.get("alice") == b"{}"
    with closing(sqlite3.connect(tmp_path / STORE_NAME)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_store_on_a_disk_that_is_read_only_is_read(tmp_path: Path) -> None:
    with open_store(tmp_path / "results") as store:
        put(store, "alice")
    script = (
        "from pathlib import Path; from grader.results.store import read_store\n"
        "with read_store(Path('results/grades.db')) as store: print(sorted(store.finished()))"
    )
    unshare = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "--mount"]
    shell = 'mount --bind results results && mount -o remount,bind,ro results && "$@"'
    read = subprocess.run(
        [*unshare, "sh", "-c", shell, "sh", sys.executable, "-c", script],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (read.stdout, read.stderr) == ("['alice']\n", "")


def test_only_the_owner_may_read_it(tmp_path: Path) -> None:
    folder = tmp_path / "reports"
    with locked(folder), open_store(folder) as store:
        put(store, "alice")
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    assert {"grades.db", "grades.db-wal", "grades.lock"} <= set(modes)
    assert set(modes.values()) == {0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
