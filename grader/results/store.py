"""Stored results: `grades.db`, which keeps finished reports across runs, or a folder of reports of `grader run`.

SQLite with a write-ahead log: a batch of reports is one transaction, and they count as done when their files are on the
disk as well. A report is stored as its `report.json`, with the key of everything that it depends on; while the key is
the same, nothing is run again. All other files, of a student and of the class, are rendered from the store, so a run
that was killed and resumed writes the same files as an uninterrupted one. The store has digests of the files, so that
they can be checked without rendering them. One grader at a time works on a folder: two would mix their reports.
"""

import fcntl
import hashlib
import json
import os
import sqlite3
import stat
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from grader.core.cache import content_digest
from grader.core.errors import HostError, UsageError
from grader.core.model.gradebook import Afterwards, Entry, Grade, Gradebook, Student
from grader.core.model.report import Report, ReportedSpec, ReportedTest, Verdict, without_outputs
from grader.core.model.values import decodable, decode_json
from grader.core.report.document import Rendering
from grader.core.report.formats import FORMATS, render
from grader.core.report.json import from_json, make_folders, safe_name, tidy, to_json, write_files
from grader.core.text import one_line
from grader.core.threads import in_order
from grader.decisions.post_grading import apply_post_grading, grade_with, is_open
from grader.results.view import ReportFile

STORE_NAME = "grades.db"
LOCK_NAME = "grades.lock"
_MADE_OF = "made of"  # not a file: the digest of what, beside the report, the files were rendered with
_FORMAT = "3"  # version of the tables; another one is refused
_TABLES = Path(__file__).with_name("grades.sql")
_NOT_AS_WRITTEN = (zlib.error, msgspec.MsgspecError, TypeError, ValueError, RecursionError)  # errors of decoding


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportKey:
    """Digests of all that a report depends on; it holds as long as all of them do."""

    submission: str  # the submission, and the adjustments that the spec has for it alone
    spec: str  # the parts of the spec that are the same for all submissions
    reference: str
    toolchain: str  # the tools, their versions, and the sandbox
    grader: str  # our version, and the digest of our code


class GradeStore(Struct, frozen=True, kw_only=True):
    """An open `grades.db`; its methods raise HostError where the disk fails."""

    path: Path
    connection: sqlite3.Connection
    unwritten: list[Callable[[], None]] = []  # each writes the files of a report that is in the batch

    def _read(self, query: str, *values: object, decode: Callable[..., Any]) -> list[Any]:
        with _guarded(self.path, *_NOT_AS_WRITTEN):
            return [decode(*row) for row in self.connection.execute(query, values)]

    @contextmanager
    def batch(self) -> Iterator[sqlite3.Connection]:
        """Make one transaction of what is stored in the block, and then write its files, side by side."""
        if self.connection.in_transaction:
            yield self.connection
            return
        self.unwritten.clear()
        with _guarded(self.path), self.connection:
            self.connection.execute("BEGIN IMMEDIATE")
            yield self.connection
        # The file system commits once for all that wait; sync(2) would wait for what students' programs write, too.
        list(in_order(self.unwritten, min(len(self.unwritten), 16)))

    def put(self, name: str, key: ReportKey, report: bytes, verdict: Verdict) -> None:
        """Store a `report.json`, replacing an older one; it is on the disk when the batch is."""
        row = os.fsencode(name)
        with self.batch() as connection:
            connection.execute("DELETE FROM digests WHERE id = ?", (row,))
            values = row, msgspec.json.encode(key).decode(), verdict, zlib.compress(report)
            connection.execute("INSERT OR REPLACE INTO reports VALUES (?, ?, ?, ?)", values)

    def finished(self) -> Mapping[str, ReportKey]:
        """Return the keys of all reports except the ungraded ones, which are retried."""
        query, read = "SELECT id, key FROM reports WHERE verdict != ?", partial(decode_json, kind=ReportKey)
        return dict(self._read(query, Verdict.UNGRADED, decode=lambda name, key: (os.fsdecode(name), read(key))))

    def get(self, name: str) -> bytes | None:
        """Return the stored `report.json` of an entry; None when there is none."""
        rows = self._read("SELECT report FROM reports WHERE id = ?", os.fsencode(name), decode=zlib.decompress)
        return next(iter(rows), None)

    def digests(self, name: str) -> dict[str, str]:
        """Return the digests of a report's files, by their names; none before they were rendered."""
        query, read = "SELECT files FROM digests WHERE id = ?", partial(decode_json, kind=dict[str, str])
        rows = self._read(query, os.fsencode(name), decode=read)
        return rows[0] if rows else {}

    def update_files(self, name: str, folder: Path, files: Callable[[], Mapping[str, bytes]], made_of: str) -> None:
        """Write the `files` of a report that are missing, changed, or made of something else; else render nothing."""
        tidy(folder)
        known = self.digests(name)
        if known.pop(_MADE_OF, None) == made_of and all(_digest_of(folder / file) == known[file] for file in known):
            return
        wanted = files()
        fresh = {file: content_digest(data) for file, data in wanted.items()}
        row = os.fsencode(name), msgspec.json.encode({**fresh, _MADE_OF: made_of}).decode()
        with self.batch() as connection:
            connection.execute("INSERT OR REPLACE INTO digests VALUES (?, ?)", row)
            if wrong := {file: data for file, data in wanted.items() if _digest_of(folder / file) != fresh[file]}:
                self.unwritten.append(partial(write_files, wrong, folder))

    def state(self) -> str:
        """Return a digest of the whole store: the entries, the facts about the class, and the reports."""
        total = hashlib.sha256()
        with _guarded(self.path):
            for query in ("about ORDER BY name", "entries ORDER BY id", "reports ORDER BY id"):
                for row in self.connection.execute(f"SELECT * FROM {query}"):  # noqa: S608 - our own names
                    total.update(repr(row).encode())
        return total.hexdigest()

    def forget(self) -> None:
        """Delete every report."""
        with self.batch() as connection:
            connection.execute("DELETE FROM digests")
            connection.execute("DELETE FROM reports")

    def enrol(self, entries: Sequence[Entry], about: Mapping[str, str]) -> None:
        """Replace the entries of the class, and store the facts `about` it."""
        # msgspec writes no surrogates, which names on a disk may have: so json makes the text.
        rows = {(os.fsencode(entry.id), json.dumps(msgspec.to_builtins(entry, enc_hook=str))) for entry in entries}
        with self.batch() as connection:  # which waits for no disk where nothing changes
            stored = {*connection.execute("SELECT * FROM entries")}
            connection.executemany("DELETE FROM entries WHERE id = ?", [row[:1] for row in stored - rows])
            connection.executemany("INSERT INTO entries VALUES (?, ?)", rows - stored)
            connection.executemany("INSERT OR REPLACE INTO about VALUES (?, ?)", about.items() - self.about().items())

    def entries(self) -> tuple[Entry, ...]:
        """Return the entries of the class, sorted by id."""
        read = partial(msgspec.convert, type=decodable(Entry), dec_hook=lambda path, text: path(text))
        entries = self._read("SELECT entry FROM entries", decode=lambda text: read(json.loads(text)))
        return tuple(sorted(entries, key=lambda entry: entry.id))

    def about(self) -> Mapping[str, str]:
        """Return the facts about the class as a whole."""
        return dict(
            self._read("SELECT * FROM about", decode=lambda *row: msgspec.convert(row, decodable(tuple[str, str])))
        )


@contextmanager
def open_store(folder: Path) -> Iterator[GradeStore]:
    """Open the store of a class's folder, or create it; raises HostError when that fails."""
    path = folder / STORE_NAME
    with _guarded(path):
        make_folders(folder)
        with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)) as file:
            _keep_private(file.fileno(), path)
        connection = sqlite3.connect(path, timeout=10)
    with closing(connection):
        with _guarded(path):
            connection.executescript(_TABLES.read_text(encoding="utf-8").format(version=_FORMAT))
        yield _checked_store(path, connection)


def _keep_private(descriptor: int, path: Path) -> None:
    """Close the store to others; raises UsageError when somebody else put it there, with grades of their own."""
    facts, user = os.fstat(descriptor), os.geteuid()
    if facts.st_uid not in {user, 0} and (user or path.parent.stat().st_mode & stat.S_IWOTH):
        raise UsageError(f"{path} belongs to another user, who may have written grades there; use another folder")
    if facts.st_mode & stat.S_IRWXO and user in {facts.st_uid, 0}:
        os.fchmod(descriptor, stat.S_IMODE(facts.st_mode) & ~stat.S_IRWXO)


@contextmanager
def read_store(path: Path) -> Iterator[GradeStore]:
    """Open an existing store read-only; raises UsageError when it is no store.

    Where nothing can be written, as in a mounted artifact, SQLite has to be told that nobody else writes.
    """
    may_change = path.with_name(f"{path.name}-wal").exists() or os.access(path.parent, os.W_OK)
    address = f"{path.resolve().as_uri()}?mode=ro{'' if may_change else '&immutable=1'}"
    with ExitStack() as opened:
        try:
            connection = opened.enter_context(closing(sqlite3.connect(address, uri=True, timeout=10)))
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()  # only now errors are reported
        except sqlite3.Error as error:
            remedy = f"; {_REMEDY_OF_DAMAGE}" if _is_damaged(error) else ""
            raise UsageError(f"{path} cannot be read: {error}{remedy}") from error
        yield _checked_store(path, connection)


def _checked_store(path: Path, connection: sqlite3.Connection) -> GradeStore:
    store = GradeStore(path=path, connection=connection)
    if (stored := store.about().get("format")) != _FORMAT:
        remedy = "grade into another folder"
        raise UsageError(f"{path} has format {stored}, and this grader reads format {_FORMAT}; {remedy}")
    return store


_REMEDY_OF_DAMAGE = (
    "move it and what begins with its name elsewhere, and grade again; every submission is run anew, and what was "
    "decided by hand stays"
)


def _is_damaged(error: BaseException) -> bool:
    """Whether an error says that a file is no database of ours any more: trying again fails the same way."""
    codes = ("SQLITE_CORRUPT", "SQLITE_NOTADB", "")  # none where Python cannot decode a text
    return isinstance(error, sqlite3.Error) and getattr(error, "sqlite_errorname", "") in codes


@contextmanager
def _guarded(path: Path, *damage: type[Exception]) -> Iterator[None]:
    """Raise HostError where the disk fails, or where errors of other kinds say that what is stored is damaged."""
    kinds: tuple[type[Exception], ...] = (sqlite3.Error, OSError, *damage)
    try:
        yield
    except kinds as error:
        if isinstance(error, damage) or _is_damaged(error):
            raise HostError(f"{path} is damaged ({error}): {_REMEDY_OF_DAMAGE}") from error
        advice = "make room on that disk" if "full" in str(error) else "look at the disk and at who may write there"
        raise HostError(f"{path}: {error}; finished reports are kept; {advice}, and grade again") from error


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Lock a folder; raises UsageError when another grader has the lock. The kernel releases it even if we crash."""
    path = folder / LOCK_NAME
    try:
        make_folders(folder)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise HostError(f"{error.filename}: {error.strerror}; choose a folder that you may write to") from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        who = f"another grader (process {os.read(descriptor, 20).decode(errors='replace').strip() or 'unknown'})"
        raise UsageError(f"{who} is at work in {folder}; wait for it, or use another folder") from None
    else:
        os.ftruncate(descriptor, 0)
        os.write(descriptor, f"{os.getpid()}\n".encode())
        yield
    finally:
        os.close(descriptor)


# ---------------------------------------------------------------- what a run left behind, read again


class Results(Struct, frozen=True, kw_only=True):
    """A gradebook, and access to the files of its reports."""

    path: Path
    book: Gradebook
    file: ReportFile
    about: Mapping[str, str] = {}  # the facts about the class; none for a folder of `grader run`
    keys: Mapping[str, ReportKey] | None = None  # of the finished reports; None for a folder of `grader run`


@contextmanager
def open_results(path: Path, *, after_due: bool = False) -> Iterator[Results]:
    """Open what is at `path`; raises UsageError when there are no results."""
    database = path / STORE_NAME if path.is_dir() else path
    if database.name == STORE_NAME and database.is_file():
        with read_store(database) as store:
            yield replace(results_of(store, after_due=after_due), keys=store.finished())
    elif path.is_dir():
        yield _results_of_reports(path, after_due=after_due)
    else:
        raise UsageError(f"there are no results at {path}: name a folder that `grader class` or `grader run` wrote")


class _WithoutTests(Report, frozen=True, kw_only=True):
    """A report as far as its score."""

    tests: tuple[ReportedTest, ...] = msgspec.field(default=(), name="not read")


def results_of(store: GradeStore, *, after_due: bool = False, is_brief: bool = False) -> Results:
    """Return the results in an open store by id; `is_brief` reads tests only to know a score, or why there is none."""
    about, shared = store.about(), dict[bytes, Any]()
    with _guarded(store.path, *_NOT_AS_WRITTEN):
        most = decode_json(about.get("max_score", "0"), float)
    grades = []
    for entry in store.entries():
        written = None if entry.path is None else store.get(entry.id)
        report = _read_report(written, entry.after, shared, is_brief=is_brief) if written is not None else None
        grade = Grade(entry=entry, report=report, folder=safe_name(entry.id) if report else "")
        grades.append(grade_with(grade, entry.after))
    book = Gradebook(
        spec=ReportedSpec(id=about.get("spec", ""), title=about.get("title", ""), digest=about.get("digest", "")),
        max_score=most,
        grades=tuple(grades),
        spec_text=about.get("spec_text", ""),
        shard=about.get("shard", ""),
        unused=tuple(filter(None, about.get("unused", "").split("\n"))),
        unknown=tuple(filter(None, about.get("unknown", "").split("\n"))),
    )

    def file(grade: Grade, name: str) -> bytes | None:
        report, after = store.get(grade.entry.id), grade.entry.after
        path = store.path.parent / safe_name(grade.entry.id) / name
        digests = store.digests(grade.entry.id)
        is_made = digests.get(_MADE_OF) == _digest_after(after, after_due=after_due) and name in digests
        if is_made and report and name != "report.json" and _digest_of(path) == digests[name]:
            return path.read_bytes()  # reading is much faster than rendering
        shown = after_due or is_open(after)
        return report and _file(finished(report, after), name, about.get("course", ""), after_due=shown)

    return Results(path=store.path.parent, book=book, file=file, about=about)


def _read_report(written: bytes, after: Afterwards, shared: dict[bytes, Any], *, is_brief: bool) -> Report:
    report = from_json(written, _WithoutTests if is_brief and not after.late and not after.by_hand else Report)
    return without_outputs(from_json(written) if is_brief and report.score is None else report, shared)


def _file(report: bytes, name: str, course: str, *, after_due: bool) -> bytes | None:
    if name == "report.json":
        return report
    return FORMATS[name](Rendering(from_json(report), course, after_due)) if name in FORMATS else None


def finished(report: bytes, after: Afterwards) -> bytes:
    """Return a `report.json` with its post-grading applied; byte for byte the same where there is none."""
    return to_json(apply_post_grading(from_json(report), after)) if after.late or after.by_hand else report


def files_of(entry: Entry, report: bytes, about: Mapping[str, str]) -> Mapping[str, bytes]:
    """Render all files of an entry's report, by the facts `about` its class; hidden tests once the work is due."""
    whole, shown = finished(report, entry.after), bool(about.get("after_due")) or is_open(entry.after)
    return {**render(from_json(whole), course=about.get("course", ""), after_due=shown), "report.json": whole}


def update_files(
    entry: Entry, store: GradeStore, out: Path, about: Mapping[str, str], rendered: Mapping[str, bytes] | None = None
) -> None:
    """Write the files of an entry's report below `out` that are missing or outdated, by the facts `about` its class."""
    store.update_files(
        entry.id,
        out / safe_name(entry.id),
        lambda: rendered or files_of(entry, store.get(entry.id) or b"", about),
        _digest_after(entry.after, after_due=bool(about.get("after_due"))),
    )


def _digest_after(after: Afterwards, *, after_due: bool) -> str:
    return content_digest(msgspec.json.encode([after.late, after.by_hand, after_due or is_open(after)]))


def _digest_of(path: Path) -> str:
    """Return the digest of a file; empty when there is none that can be read."""
    try:
        return content_digest(path.read_bytes())
    except OSError:
        return ""


def _results_of_reports(path: Path, *, after_due: bool) -> Results:
    """Read a student's folder, or a folder of them. Only reports are read: other files may reveal too much."""
    files = [path / "report.json"] if (path / "report.json").is_file() else sorted(path.glob("*/report.json"))
    if not files:
        what = f"neither {STORE_NAME} nor a report.json in it or in a folder of it"
        raise UsageError(f"there are no results in {path}: {what}")
    grades, specs, shared = list[Grade](), dict[str, Report](), dict[bytes, Any]()
    for report_file in files:
        try:
            report = without_outputs(from_json(report_file.read_bytes()), shared)
        except (OSError, HostError) as error:
            why = f" cannot be read: {error.strerror}" if isinstance(error, OSError) else f": {error}"
            raise HostError(f"{report_file}{why}") from error
        first, id_ = specs.setdefault(report.spec.id, report), report.submission.id
        entry = Entry(id=id_, path=report_file.parent, students=(Student(id=id_),))
        grades.append(Grade(entry=entry, report=report, folder=report_file.parent.name))
    if len(specs) > 1:
        named = ", ".join(map(one_line, sorted(specs)))
        raise UsageError(f"{path} holds reports of several assignments ({named}); name the folder of one")

    def file(grade: Grade, name: str) -> bytes | None:
        return _file(((grade.entry.path or path) / "report.json").read_bytes(), name, "", after_due=after_due)

    ordered = tuple(sorted(grades, key=lambda grade: grade.entry.id))
    return Results(path=path, book=Gradebook(spec=first.spec, max_score=first.max_score, grades=ordered), file=file)
