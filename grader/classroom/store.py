"""`grades.db`: what is finished stays finished, whatever happens next.

SQLite with a write-ahead log: each report is one transaction, on the disk before the next submission counts as started.
A report is kept as its `report.json`, with the key of everything that it depends on; while the key is the same, nothing
is run again. All other files, of a student and of the class, are made from here, so a run that was killed and resumed
writes what an uninterrupted one does. Of the students' files there are digests, by which it is seen without making them
that they are as they should be. Only one grader at a time works on a folder: two would mix their reports.
"""

import fcntl
import json
import os
import sqlite3
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from grader.errors import HostError, UsageError
from grader.model import Verdict
from grader.model.gradebook import Entry, Student

STORE_NAME = "grades.db"
LOCK_NAME = "grades.lock"

_FORMAT = 2
"""of the tables; another one is not read"""

_TABLES = """
CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS entries (id BLOB PRIMARY KEY, entry TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS reports (
    id BLOB PRIMARY KEY, submission TEXT NOT NULL, spec TEXT NOT NULL, reference TEXT NOT NULL,
    toolchain TEXT NOT NULL, grader TEXT NOT NULL, verdict TEXT NOT NULL, report BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS digests (
    id BLOB NOT NULL, after_due INTEGER NOT NULL, file TEXT NOT NULL, digest TEXT NOT NULL,
    PRIMARY KEY (id, after_due, file)
) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """Digests of all that a report depends on; it holds as long as all of them do."""

    submission: str
    spec: str
    reference: str
    toolchain: str
    """the tools, their versions, and the sandbox"""
    grader: str
    """our version"""


_KEY = ", ".join(field.name for field in fields(Key))


@dataclass(frozen=True, slots=True, kw_only=True)
class GradeStore:
    """An open `grades.db`."""

    path: Path
    connection: sqlite3.Connection

    def put(self, name: str, key: Key, report: bytes, verdict: Verdict) -> None:
        """Keep a `report.json`, in place of an older one; on the disk when this returns. Raises HostError else."""
        row = os.fsencode(name)
        with _guarded(self.path), self.connection:
            self.connection.execute("DELETE FROM digests WHERE id = ?", (row,))
            self.connection.execute(
                f"INSERT OR REPLACE INTO reports (id, {_KEY}, verdict, report) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608 - our own names
                (row, *asdict(key).values(), verdict, zlib.compress(report)),
            )

    def finished(self) -> Mapping[str, Key]:
        """Return the keys of all reports but the ungraded ones, which are tried again."""
        query = f"SELECT id, {_KEY} FROM reports WHERE verdict != ?"  # noqa: S608 - our own names
        with _guarded(self.path):
            rows = self.connection.execute(query, (Verdict.UNGRADED,)).fetchall()
        names = [field.name for field in fields(Key)]
        return {os.fsdecode(row[0]): Key(**dict(zip(names, row[1:], strict=True))) for row in rows}

    def get(self, name: str) -> bytes | None:
        """Return the `report.json` that is kept under a name; None when there is none."""
        with _guarded(self.path):
            row = self.connection.execute("SELECT report FROM reports WHERE id = ?", (os.fsencode(name),)).fetchone()
            return None if row is None else zlib.decompress(row[0])

    def note_digests(self, name: str, digests: Mapping[str, str], *, after_due: bool) -> None:
        """Keep the digests of the files that belong to a report, before or after the due date."""
        rows = [(os.fsencode(name), int(after_due), *item) for item in digests.items()]
        with _guarded(self.path), self.connection:
            self.connection.executemany("INSERT OR REPLACE INTO digests VALUES (?, ?, ?, ?)", rows)

    def digests(self, name: str, *, after_due: bool) -> Mapping[str, str]:
        """Return the digests of a report's files, by their names; none before they were made."""
        query = "SELECT file, digest FROM digests WHERE id = ? AND after_due = ?"
        with _guarded(self.path):
            return dict(self.connection.execute(query, (os.fsencode(name), int(after_due))).fetchall())

    def forget(self) -> None:
        """Forget every report."""
        with _guarded(self.path), self.connection:
            self.connection.execute("DELETE FROM digests")
            self.connection.execute("DELETE FROM reports")

    def enrol(self, entries: Sequence[Entry], about: Mapping[str, str]) -> None:
        """Keep who is in the class, in place of who was, and what is to be known `about` it."""
        rows = [(os.fsencode(entry.id), _to_json(entry)) for entry in entries]
        with _guarded(self.path), self.connection:
            self.connection.execute("DELETE FROM entries")
            self.connection.executemany("INSERT INTO entries VALUES (?, ?)", rows)
            self.connection.executemany("INSERT OR REPLACE INTO about VALUES (?, ?)", about.items())

    def entries(self) -> tuple[Entry, ...]:
        """Return who is in the class, by id."""
        with _guarded(self.path):
            rows = self.connection.execute("SELECT entry FROM entries").fetchall()
        return tuple(sorted((_from_json(row[0]) for row in rows), key=lambda entry: entry.id))

    def about(self) -> Mapping[str, str]:
        """Return what is known about the class as a whole."""
        with _guarded(self.path):
            return dict(self.connection.execute("SELECT name, value FROM about").fetchall())


@contextmanager
def open_store(folder: Path) -> Iterator[GradeStore]:
    """Open the store of a class's folder, a new one when there is none; raises HostError when that fails."""
    path = folder / STORE_NAME
    with _guarded(path):
        folder.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, timeout=10)
    try:
        with _guarded(path):
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.executescript(_TABLES)
            with connection:
                connection.execute("INSERT OR IGNORE INTO about VALUES ('format', ?)", (str(_FORMAT),))
        store = GradeStore(path=path, connection=connection)
        _check_format(store)
        yield store
    finally:
        connection.close()


@contextmanager
def read_store(path: Path) -> Iterator[GradeStore]:
    """Open a store that is there, only to read; UsageError when it is none."""
    connection = _connected(path)
    try:
        store = GradeStore(path=path, connection=connection)
        _check_format(store)
        yield store
    finally:
        connection.close()


def _connected(path: Path) -> sqlite3.Connection:
    """Open a store to read. Where nothing may be written, as in a mounted artifact, SQLite has to be told so."""
    address = path.resolve().as_uri()
    is_whole = not path.with_name(f"{path.name}-wal").exists()
    for options in ("mode=ro", "mode=ro&immutable=1") if is_whole else ("mode=ro",):
        try:
            connection = sqlite3.connect(f"{address}?{options}", uri=True, timeout=10)
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.Error as error:
            why = error
        else:
            return connection
    raise UsageError(f"{path} cannot be read: {why}") from why


def _check_format(store: GradeStore) -> None:
    found = store.about().get("format")
    if found != str(_FORMAT):
        raise UsageError(
            f"{store.path} has format {found}, and this grader reads format {_FORMAT}; choose another --out"
        )


@contextmanager
def _guarded(path: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError, zlib.error) as error:
        advice = "make room on that disk" if "full" in str(error) else "look at the disk and at who may write there"
        raise HostError(f"{path}: {error}; what was graded before is kept; {advice}, and grade again") from error


def _to_json(entry: Entry) -> str:
    return json.dumps({**asdict(entry), "path": None if entry.path is None else str(entry.path)})


def _from_json(text: str) -> Entry:
    found = json.loads(text)
    return Entry(
        id=found["id"],
        path=None if found["path"] is None else Path(found["path"]),
        students=tuple(Student(**student) for student in found["students"]),
        team=found["team"],
        notes=tuple(found["notes"]),
    )


def read_keys(folder: Path) -> Mapping[str, Key]:
    """Return the keys of a class's reports by id; none for a folder of `grader run`, whose reports stand alone."""
    if not (folder / STORE_NAME).is_file():
        return {}
    with read_store(folder / STORE_NAME) as store:
        return store.finished()


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold a folder; raises UsageError when another grader does. The kernel lets go when we end, however we do."""
    path = folder / LOCK_NAME
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666)
    except OSError as error:
        raise HostError(f"{path}: {error.strerror}; choose a folder that you may write to with --out") from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        other = os.read(descriptor, 20).decode(errors="replace").strip()
        raise UsageError(
            f"another grader (process {other or 'unknown'}) is at work in {folder}; wait for it, or choose --out"
        ) from None
    else:
        os.ftruncate(descriptor, 0)
        os.write(descriptor, f"{os.getpid()}\n".encode())
        yield
    finally:
        os.close(descriptor)
