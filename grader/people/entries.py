"""Turn a folder of submissions and a roster into entries, one for each line of the gradebook.

No choice is silent: if two submissions could count, that student's entry is in doubt, with both names and what to do.
So is a name that may be of several platforms, or of another one than the rest: nobody's work becomes another's by it.
The others are graded, and every student on the roster gets an entry.

Canvas, and Moodle if so configured, export all files of a class into one folder and prefix each name with its owner:
`gather` makes a folder for each student, with the student's own file names.
"""

import errno
import os
import shutil
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

import msgspec
from msgspec.structs import replace as change

from grader.core.errors import HostError, UsageError
from grader.core.model.gradebook import Entry, Student
from grader.core.model.values import decode_json
from grader.core.report.json import make_folders, safe_name
from grader.core.text import count, listed, one_line
from grader.people import people, uploads
from grader.people.columns import PARTICIPANT, read_bounded, read_csv
from grader.people.names import CANVAS, MOODLE, PLAIN, Named, bare_name, read_name, without_copy
from grader.people.people import Member, NameIndex, Owner, PlatformRow, RosterIndex
from grader.people.times import parse_platform_time
from grader.people.uploads import FolderScan, UploadGroup, check_numbers

_MAX_JSON_BYTES = 64 * 2**20


class PlatformTimes(msgspec.Struct, frozen=True, kw_only=True):
    """The times of submission in a platform's file."""

    name: str  # of the file
    rows: Sequence[PlatformRow]
    files: NameIndex = NameIndex()  # the platform's numbers of the files, where it tells them


def read_platform_times(path: Path) -> PlatformTimes:
    """Read Moodle's grading worksheet, another CSV with times, or Canvas's list of submissions (JSON).

    Raises UsageError for any other file.
    """
    name, files = one_line(path.name), NameIndex()
    rows = _read_canvas(path, name, files) if path.suffix.lower() == ".json" else _read_worksheet(path, name)
    return PlatformTimes(name=name, rows=tuple(rows), files=files)


def _read_worksheet(path: Path, name: str) -> Iterator[PlatformRow]:
    file = read_csv(path)
    if not file.has("modified", "submitted"):
        raise UsageError(
            f"{name}: no column says when work was handed in; --times reads Moodle's grading worksheet with "
            "Last modified (submission), or a column submitted"
        )
    for row in file.rows:
        ids = tuple(cell for cell in row.every("id", "email", "login") if not PARTICIPANT.fullmatch(cell))
        time = next((cell for cell in row.every("modified", "submitted") if cell not in {"-", "—"}), "")
        yield PlatformRow(row=row.line, number=row.number, ids=ids, name=row.name, submitted=time)


class _CanvasUser(msgspec.Struct, frozen=True):
    name: str | None = None
    sis_user_id: str | None = None
    login_id: str | None = None


class _CanvasFile(msgspec.Struct, frozen=True):
    id: int


class _CanvasSubmission(msgspec.Struct, frozen=True):
    user_id: int
    submitted_at: str | None = None
    user: _CanvasUser = _CanvasUser()
    attachments: tuple[_CanvasFile, ...] = ()


def _read_canvas(path: Path, name: str, files: NameIndex) -> Iterator[PlatformRow]:
    """Read what Canvas answers at `/api/v1/courses/N/assignments/N/submissions`."""
    data = read_bounded(path, _MAX_JSON_BYTES, "list of submissions")
    try:
        submissions = decode_json(data, list[_CanvasSubmission])
    except msgspec.MsgspecError as error:
        raise UsageError(f"{name} is no list of submissions as Canvas's API returns it: {error}") from error
    for number, submission in enumerate(submissions):
        files.enter(number, *(str(file.id) for file in submission.attachments))
        ids = tuple(filter(None, (submission.user.sis_user_id, submission.user.login_id)))
        name, time = submission.user.name or "", submission.submitted_at or ""
        yield PlatformRow(row=number, number=str(submission.user_id), ids=ids, name=name, submitted=time)


def with_platform_times(entries: Sequence[Entry], times: PlatformTimes) -> tuple[tuple[Entry, ...], Sequence[str]]:
    """Return the entries with the times in a platform's file, where nothing else says when; and notes on the others.

    A row is found by the platform's number in the name of the upload, then by the students' ids, addresses and names.
    Of a team's times the latest counts, unless the number names one.
    """
    index = people.index_rows(times.rows, [student for entry in entries for student in entry.students])
    numbers = {
        entry.id: read_name(entry.uploads[0], entry.platform).number
        for entry in entries
        if entry.uploads and entry.platform in {CANVAS, MOODLE}  # whose own files have them
    }
    parts = (str(read_name(name, entry.platform).part or "") for entry in entries for name in entry.uploads)
    submitted = {row.row: parse_platform_time(row.submitted) for row in times.rows}
    unread = [one_line(row.submitted) for row in times.rows if row.submitted and not submitted[row.row]]
    notes = [f"{times.name}: {count(len(unread), 'time')} cannot be read, such as {unread[0]!r}"] if unread else []
    notes += check_numbers(numbers.values(), index.numbers, times.name)
    notes += check_numbers(parts, times.files, times.name)
    rows: dict[str, set[int]] = {}
    for entry in (entry for entry in entries if entry.path is not None and not entry.submitted):
        by_name = [people.find_rows(index, student, "") for student in entry.students]
        by_number = index.numbers.find(numbers.get(entry.id, ""))
        rows[entry.id] = {*by_number} or {match[0] for match in by_name if len(match) == 1}
    known = {id_: max(map(submitted.__getitem__, own), default="") for id_, own in rows.items()}
    if missing := [one_line(id_) for id_, time in known.items() if not time]:
        if not any(rows.values()):
            raise UsageError(f"{times.name} has nobody of this class: it is of another assignment or course")
        notes.append(f"{times.name} does not say when {listed(missing, most=5)} handed in")
    return tuple(replace(entry, submitted=known.get(entry.id) or entry.submitted) for entry in entries), notes


_CHOOSE_PLATFORM = "name the platform of all of them with --platform"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassEntries:
    """The entries of a class, and the notes on anything in its folder that is no submission."""

    entries: tuple[Entry, ...]  # sorted by id
    unused: tuple[str, ...] = ()  # a sentence each
    loose: frozenset[str] = frozenset()
    """the ids of those whose files lie in the class's folder one by one: `gather` makes a path that can be graded"""


class _Sorting(msgspec.Struct, kw_only=True):
    """The state of matching submissions to owners."""

    scan: FolderScan
    index: RosterIndex
    latest: bool  # whether of several submissions the latest counts
    entries: list[Entry] = []
    loose: set[str] = set()
    unused: list[str] = []

    def add(
        self, entry: Entry, groups: Sequence[UploadGroup], whose: str, what_to_do: str, members: Sequence[Member] = ()
    ) -> None:
        """Add an entry with the upload that counts; where several of these groups could, it is in doubt."""
        chosen = uploads.choose_submission(groups, [member.folder for member in members], latest=self.latest)
        if chosen:
            modified = filter(None, (parse_platform_time(member.modified) for member in members))
            known = [*modified] or [parse_platform_time(chosen.first.named.time)]
            entry = replace(
                entry,
                path=chosen.first.path,
                notes=(*entry.notes, *chosen.notes),
                is_doubtful=False,
                submitted=entry.submitted or chosen.first.time or max(known),
                uploads=tuple(item.path.name for item in chosen.work),
                # A name in no platform's form, or in doubt, is never parsed later: the student chose it.
                platform=chosen.first.named.platform or self.scan.platform or PLAIN,
            )
            # An archive among loose files cannot be read; if there is nothing else, the grading reports that.
            if not all(item.is_whole or item.is_archive for item in chosen.work):
                self.loose.add(entry.id)
        elif groups:
            choices = [choice for group in groups for choice in group.choices]
            names = uploads.list_files([choice[0].path.name for choice in choices])
            latest = "; --latest takes the latest" if uploads.find_latest(choices) else ""
            why = f"{names}: all of {whose}, and one counts; {what_to_do}{latest}"
            further = groups[0].notes if len(groups) == 1 else ()
            entry = replace(entry, notes=(why, *entry.notes, *further), is_doubtful=True)
        self.entries.append(entry)


def find_entries(
    folder: Path,
    roster: Path | None = None,
    *,
    latest: bool = False,
    platform: str = "",
    times: PlatformTimes | None = None,
) -> ClassEntries:
    """Make an entry of every folder, zip and tar.gz in `folder`; with a roster also for students who handed in nothing.

    With `latest`, the latest of several submissions of one student counts, if their names have an order. The names are
    the `platform`'s; without one, they tell which. `times` say when, where neither the roster nor Gradescope does.
    Raises UsageError for a folder or a roster that cannot be read.
    """
    known = people.read_roster(roster) if roster else people.Roster(members=())
    index = people.index_roster(known)
    scan = uploads.scan_folder(folder, roster, platform=platform, index=index)
    numbers = [item.named.number for item in scan.items if item.named.platform in {CANVAS, MOODLE}]
    scan.notes += check_numbers(numbers, index.platform_numbers, one_line(roster.name) if roster else "")
    if teams := _teams_of(scan, index):
        members = (change(member, team=teams.get(member.student.id, member.team)) for member in known.members)
        index = people.index_roster(change(known, members=tuple(members)))
    sorting = _Sorting(scan=scan, index=index, latest=latest)
    _add_by_names(_add_by_roster(uploads.group_by_student(scan.items), sorting), sorting)
    if not sorting.entries:
        hint = "; if this is a submission itself, name the folder that it is in" if scan.strays else ""
        where = one_line(str(folder))
        raise UsageError(f"there is no submission in {where}: neither a folder nor a zip or tar.gz archive{hint}")
    strays = (f"{one_line(name)}: {why}" for name, why in sorted(scan.strays.items()))
    ordered = tuple(sorted(sorting.entries, key=lambda entry: entry.id))
    entries, unknown = with_platform_times(ordered, times) if times else (ordered, ())
    unused = (*known.notes, *scan.notes, *unknown, *strays, *sorting.unused)
    return ClassEntries(entries=entries, unused=unused, loose=frozenset(sorting.loose))


def _teams_of(scan: FolderScan, index: RosterIndex) -> Mapping[str, str]:
    """Return who handed in together on Gradescope, by id: its groups are teams where the roster has none."""
    teams: dict[str, str] = {}
    for item in scan.items:
        owners = [_owners_of(index, student) for student in item.students]
        if all(len(group) < 2 and not any(owner.team for owner in group) for group in owners):  # noqa: PLR2004 - one, or not on the roster
            ids = {owner.id for group in owners for owner in group}
            teams |= dict.fromkeys(ids, item.path.name) if len(ids) > 1 and teams.keys().isdisjoint(ids) else {}
    return teams


def _owners_of(index: RosterIndex, student: Student) -> tuple[Owner, ...]:
    """Return whom Gradescope may mean on the roster: by the id, else by the address, else by the name."""
    keys = (Named(who=key, owner=key) for key in (student.id, student.email, student.name) if key)
    return next(filter(None, (people.find_owners(index, key, "") for key in keys)), ())


# ---------------------------------------------------------------- by the names alone


def _add_by_names(groups: Sequence[UploadGroup], sorting: _Sorting) -> None:
    """Make an entry of each group that is of nobody on the roster, with a distinct id from its name."""
    taken = {owner.id for owner in sorting.index.owners}
    ids = _choose_distinct([_possible_ids(group.first) for group in groups], taken)
    for group, id_ in zip(groups, ids, strict=True):
        first, named = group.first, group.first.named
        doubts = [f"{one_line(first.path.name)}: {named.doubt}; {_CHOOSE_PLATFORM}"] if named.doubt else []
        entry = Entry(
            id=id_,
            path=None,
            students=first.students or (Student(id=id_, name=named.who if named.platform == MOODLE else ""),),
            team=id_ if len(first.students) > 1 else "",
            notes=(*doubts, *(["not on the roster"] if taken else []), *(group.notes if doubts else ())),
            is_doubtful=bool(doubts),
            is_unknown=bool(taken),
        )
        sorting.add(entry, [] if doubts else [group], "one student", "move the rest elsewhere")


def _possible_ids(item: uploads.Item) -> list[str]:
    """Return candidates for the entry's id, the best first; the last one is unique."""
    named, name = item.named, item.path.name
    if item.students:
        return [*(student.id for student in item.students if len(item.students) == 1), name]
    return [named.who, named.owner, name]


def _choose_distinct(names: Sequence[Sequence[str]], taken: Collection[str]) -> list[str]:
    """Choose a distinct name for each; all that collide move on to their next candidate together."""
    remaining = [list(candidates) for candidates in names]
    while True:
        count = Counter(first for first, *_ in remaining)
        again = [own for own in remaining if len(own) > 1 and (count[own[0]] > 1 or own[0] in taken)]
        if not again:
            return [first for first, *_ in remaining]
        for candidates in again:
            del candidates[0]


# ---------------------------------------------------------------- by the roster


def _add_by_roster(groups: Sequence[UploadGroup], sorting: _Sorting) -> list[UploadGroup]:
    """Make an entry of each owner on the roster; return the groups that are nobody's."""
    index, unowned, unsure = sorting.index, list[UploadGroup](), list[tuple[str, tuple[Owner, ...]]]()
    given = defaultdict[str, list[UploadGroup]](list)  # what is certainly of an owner, by id
    for group in groups:
        owners = _possible_owners(group, index)
        is_settled = not group.first.named.doubt or any(index.names_folder(item.path.name) for item in group.items)
        if not owners:
            unowned.append(group)
        elif is_settled and len(owners) == 1:
            given[owners[0].id].append(group)
        else:
            unsure.append((_describe_unsure(group, owners), owners))
    notes, maybe = _notes_by_owner(index, sorting.scan), set[str]()
    for note, owners in unsure:
        for owner in owners:
            notes[owner.id].insert(0, note)
            maybe.add(owner.id)
        if all(owner.id in given for owner in owners):  # all of them are graded, and this one belongs to none
            sorting.unused.append(note)
    for owner in index.owners:
        _add_owner(owner, given.get(owner.id, ()), notes[owner.id], sorting, is_doubtful=owner.id in maybe)
    return unowned


def _add_owner(
    owner: Owner, groups: Sequence[UploadGroup], notes: Sequence[str], sorting: _Sorting, *, is_doubtful: bool
) -> None:
    members, team, remedy = owner.members, "", "write its name there, in the column folder"
    if owner.team:
        team, remedy = "the team ", f"{remedy}, or take the team apart"
    entry = Entry(
        id=owner.id,
        path=None,
        students=tuple(member.student for member in members),
        team=owner.team,
        notes=tuple(notes),
        submitted=next(filter(None, (member.submitted for member in members)), ""),
        is_doubtful=is_doubtful,
    )
    whose = f"{team}{_describe_owner(owner)} (line {members[0].line} of the roster)"
    sorting.add(entry, _merge_attempts(groups), whose, remedy, members)


def _possible_owners(group: UploadGroup, index: RosterIndex) -> tuple[Owner, ...]:
    """Return the owners by a name in the group, else by the students whom Gradescope names."""
    # The roster's column folder may name any of the attempts.
    by_name = [owner for item in group.items for owner in people.find_owners(index, item.named, item.path.name)]
    by_student = [owner for student in group.first.students for owner in _owners_of(index, student)]
    return tuple({owner.id: owner for owner in by_name or by_student}.values())


def _describe_unsure(group: UploadGroup, owners: Sequence[Owner]) -> str:
    who = " or ".join(f"{_describe_owner(owner)} (line {owner.members[0].line})" for owner in owners)
    name, doubt = one_line(group.first.path.name), group.first.named.doubt
    note = f"{name}: this may be of {who} of the roster; write its name there, in the column folder"
    return f"{note}, or {_CHOOSE_PLATFORM}: {doubt}" if doubt else note


def _describe_owner(owner: Owner) -> str:
    return one_line(owner.id) if owner.team else people.student_in_words(owner.members[0].student)


def _merge_attempts(groups: Sequence[UploadGroup]) -> Sequence[UploadGroup]:
    """Merge the groups of one person whose names differ only in the number of the upload."""
    items = [item for group in groups for item in group.items]
    owners = {(item.named.platform, people.fold_name(item.named.who)) for item in items}
    attempts = {item.named.attempt for item in items if item.named.attempt}
    return [uploads.make_group(items)] if len(owners) == 1 and len(attempts) == len(items) else groups


def _notes_by_owner(index: RosterIndex, scan: FolderScan) -> defaultdict[str, list[str]]:
    """Return notes on students: the folder that the roster names is missing, or their upload is no submission."""
    notes: defaultdict[str, list[str]] = defaultdict(list)
    present = {people.fold_name(name) for item in scan.items for name in (item.path.name, bare_name(item.path.name))}
    for owner in index.owners:
        folders = (member.folder for member in owner.members if member.folder)
        missing = [folder for folder in folders if people.fold_name(folder) not in present]
        notes[owner.id] += [f"the roster names {one_line(folder)}, which is not there" for folder in missing]
    for name, why in scan.strays.items():
        owners = people.find_owners(index, read_name(name.partition(".")[0], scan.platform or PLAIN), name)
        if len(owners) == 1:
            notes[owners[0].id].append(f"not graded: {one_line(name)} ({why})")
    return notes


# ---------------------------------------------------------------- loose files


def gather(scanned: ClassEntries, target: Path, wanted: Sequence[str] = ()) -> ClassEntries:
    """Make a folder below `target` of each loose submission, and return the entries with these folders as paths.

    `wanted` are names or patterns of the required files. Canvas renames a resubmitted file to `Queens-1.java`: it
    becomes `Queens.java` again when that is required and the other is not. Raises HostError.
    """
    entries = tuple(
        replace(entry, path=_make_folder(entry, entry.path.parent, target / safe_name(entry.id), wanted))
        if entry.path and entry.id in scanned.loose
        else entry
        for entry in scanned.entries
    )
    return replace(scanned, entries=entries, loose=frozenset())


def _make_folder(entry: Entry, source: Path, folder: Path, wanted: Sequence[str]) -> Path:
    def is_wanted(name: str) -> bool:
        return any(fnmatchcase(name, pattern) for pattern in wanted)

    files = {}  # of two with one name, the later one wins
    for named, upload in sorted(
        ((read_name(upload, entry.platform), upload) for upload in entry.uploads), key=lambda pair: pair[0].part
    ):
        before = without_copy(named.file) if entry.platform == CANVAS else named.file
        own = before if is_wanted(before) and not is_wanted(named.file) else named.file
        files["_" if own in {"", ".", ".."} else own] = source / upload
    try:
        make_folders(folder)
        for part in (folder.parent, folder):
            if part.is_symlink():  # else we would empty a folder that is not ours
                raise NotADirectoryError(errno.ENOTDIR, "a link, and links are not followed", str(part))
        for old in folder.iterdir():
            old.unlink()
        for name, path in files.items():
            try:
                os.link(path, folder / name, follow_symlinks=False)
            except FileExistsError:  # as where a disk takes two names for one
                raise
            except OSError:  # another disk, or one that cannot link
                shutil.copy(path, folder / name, follow_symlinks=False)
    except OSError as error:
        where = one_line(str(error.filename2 or error.filename or folder))
        raise HostError(f"{where}: {error.strerror}; remove {one_line(str(folder))}, and start again") from error
    return folder
