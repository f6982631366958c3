"""A folder of submissions and a roster -> entries, one for everybody who is to have a line in the gradebook.

Nothing is chosen silently: where two submissions could both be the one, that student is in doubt, with both names and
what to do; the others are graded, and nobody on the roster is lost. Without a roster, a submission is named after whom
its name tells; when that is not clear, after more of its name.

Canvas, and Moodle if it is told so, give every file of a class in one folder, with whose it is in front of its name.
`gather` makes a folder for each student, with the names as the student gave them. The files are linked where the disk
can do that, so that this costs next to nothing.
"""

import errno
import os
import shutil
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path

from grader.classroom.names import CANVAS, MOODLE, Named, bare_name, read_name, without_copy
from grader.classroom.people import Owner, Roster, RosterIndex, find_owners, folded, index_roster, read_roster
from grader.classroom.uploads import (
    Look,
    Submitted,
    UploadGroup,
    find_latest,
    heap_of,
    heaps_of,
    list_files,
    look_into,
    read_submitters,
    settle,
)
from grader.core.build import ARCHIVE_ENDINGS
from grader.core.errors import HostError, UsageError
from grader.core.model.gradebook import Entry, Student
from grader.core.report import safe_name
from grader.core.text import one_line

Submitters = Mapping[str, Submitted]
"""folder -> whose it is and when it was handed in, as Gradescope tells"""
_NOBODY = Submitted(students=(), time="")


@dataclass(frozen=True, slots=True, kw_only=True)
class LooseFile:
    """A submission of files that lie in the class's folder one by one, under a platform's names."""

    id: str
    """the entry's"""
    files: tuple[tuple[Path, str], ...]
    """each with the name that the student gave it; what was uploaded later comes later"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassEntries:
    """Everybody's submission, and what lay among them and is none."""

    entries: tuple[Entry, ...]
    """sorted by id"""
    unused: tuple[str, ...] = ()
    """a sentence each"""
    loose: tuple[LooseFile, ...] = ()
    """Until `gather` has made a folder of them, such an entry's path is its first file, which cannot be graded."""


@dataclass(slots=True, kw_only=True)
class _Sorting:
    """Whose is what, while it is found out, and what is in doubt."""

    look: Look
    submitters: Submitters
    latest: bool
    """whether of several submissions the latest counts"""
    found: list[tuple[Entry, UploadGroup | None]] = field(default_factory=list)
    unused: list[str] = field(default_factory=list)


def find_entries(folder: Path, roster: Path | None = None, *, latest: bool = False) -> ClassEntries:
    """Find out who handed in what: every folder, zip and tar.gz in `folder`, and with a roster also who did not.

    With `latest`, of several submissions of one student the latest counts, where their names tell which that is.
    Raises UsageError for a folder or a roster that cannot be read.
    """
    people = read_roster(roster) if roster else None
    look = look_into(folder, roster)
    submitters, notes = read_submitters(folder)
    heaps = heaps_of(look.items)
    sorting = _Sorting(look=look, submitters=submitters, latest=latest)
    if people:
        _by_roster(heaps, people, sorting)
    else:
        _by_names(heaps, sorting)
    if not sorting.found:
        hint = "; if this is a submission itself, name the folder that it is in" if look.strays else ""
        message = f"there is no submission in {one_line(str(folder))}: neither a folder nor a zip or tar.gz archive"
        raise UsageError(message + hint)
    found = sorted(sorting.found, key=lambda pair: pair[0].id)
    sorting.unused += [line for _, heap in found if heap for line in heap.unused]
    loose = []
    for entry, chosen in found:
        work = sorted(chosen.work, key=lambda item: item.named.part) if chosen else []
        # An archive among them is one that we cannot read; where there is nothing else, that is what is told of it.
        if not all(item.is_whole or item.path.name.lower().endswith(ARCHIVE_ENDINGS) for item in work):
            loose.append(LooseFile(id=entry.id, files=tuple((item.path, item.named.file) for item in work)))
    return ClassEntries(
        entries=tuple(entry for entry, _ in found),
        unused=(
            *(people.notes if people else ()),
            *notes,
            *look.unused,
            *sorting.unused,
        ),
        loose=tuple(loose),
    )


# ---------------------------------------------------------------- without a roster


def _by_names(heaps: Sequence[UploadGroup], sorting: _Sorting, taken: Collection[str] = (), *notes: str) -> None:
    """Make an entry of each heap, named after what its name tells; no two have the same id, and none a taken one."""
    people = [sorting.submitters.get(heap.name, _NOBODY).students for heap in heaps]
    ids = _distinct([_possible_ids(heap, students) for heap, students in zip(heaps, people, strict=True)], taken)
    for heap, students, id_ in zip(heaps, people, ids, strict=True):
        chosen = settle([heap], (), latest=sorting.latest)
        doubts = () if chosen else (_describe_doubt([heap], "one student", "move the rest elsewhere"),)
        entry = Entry(
            id=id_,
            path=chosen.work[0].path if chosen else None,
            students=students or (Student(id=id_, name=heap.named.who if heap.named.platform == MOODLE else ""),),
            team=id_ if len(students) > 1 else "",
            notes=(*doubts, *notes, *(chosen or heap).notes),
            submitted=sorting.submitters.get((chosen or heap).name, _NOBODY).time,
            uploads=_names_of(chosen),
            is_doubtful=not chosen,
        )
        sorting.found.append((entry, chosen))


def _names_of(heap: UploadGroup | None) -> tuple[str, ...]:
    return tuple(item.path.name for item in heap.work) if heap else ()


def _describe_doubt(heaps: Sequence[UploadGroup], whose: str, what_to_do: str) -> str:
    """Say that several submissions could be the one, and what settles it."""
    choices = [choice for heap in heaps for choice in heap.choices]
    names = list_files([choice[0].path.name for choice in choices])
    latest = "; --latest takes the latest" if find_latest(choices) else ""
    return f"{names}: all of {whose}, and one counts; {what_to_do}{latest}"


def _possible_ids(heap: UploadGroup, students: Sequence[Student]) -> list[str]:
    """Return what the entry may be called, the best first; the last one is nobody else's."""
    if students:
        return [*(student.id for student in students if len(students) == 1), heap.name]
    named = heap.named
    return [named.who, f"{named.who}_{named.number}" if named.number else named.owner, named.owner, heap.name]


def _distinct(names: Sequence[Sequence[str]], taken: Collection[str]) -> list[str]:
    """Choose a name of each, so that no two are the same: those that are go on to their next one, together."""
    places = [0] * len(names)
    while True:
        ids = [some[place] for some, place in zip(names, places, strict=True)]
        count = Counter(ids)
        again = [i for i, name in enumerate(ids) if count[name] > 1 or name in taken]
        again = [i for i in again if places[i] + 1 < len(names[i])]
        if not again:
            return ids
        for i in again:
            places[i] += 1


# ---------------------------------------------------------------- with a roster


def _by_roster(heaps: Sequence[UploadGroup], roster: Roster, sorting: _Sorting) -> None:
    index = index_roster(roster)
    given: defaultdict[str, list[UploadGroup]] = defaultdict(list)
    unsure: list[tuple[UploadGroup, tuple[Owner, ...]]] = []
    others = []
    for heap in heaps:
        candidates = _possible_owners(index, heap, sorting.submitters)
        if len(candidates) > 1:
            unsure.append((heap, candidates))
        elif candidates:
            given[candidates[0].id].append(heap)
        else:
            others.append(heap)
    notes = _asides(index, sorting.look)
    named: defaultdict[str, list[str]] = defaultdict(list)
    for owner, member in index.members:
        named[owner.id].append(member.folder)
    maybe = _note_unsure(unsure, given, notes, sorting)
    for owner in index.owners:
        theirs = _one_attempt_each(given.get(owner.id, ()))
        chosen = settle(theirs, named[owner.id], latest=sorting.latest)
        if theirs and not chosen:
            notes[owner.id].insert(0, _describe_doubt_of(owner, theirs))
        entry = Entry(
            id=owner.id,
            path=chosen.work[0].path if chosen else None,
            students=owner.students,
            team=owner.team,
            notes=(*notes[owner.id], *(chosen.notes if chosen else ())),
            submitted=owner.submitted or (sorting.submitters.get(chosen.name, _NOBODY).time if chosen else ""),
            uploads=_names_of(chosen),
            is_doubtful=not chosen and (bool(theirs) or owner.id in maybe),
        )
        sorting.found.append((entry, chosen))
    _by_names(others, sorting, {owner.id for owner in index.owners}, "not on the roster")


def _note_unsure(
    unsure: Sequence[tuple[UploadGroup, tuple[Owner, ...]]],
    given: Collection[str],
    notes: defaultdict[str, list[str]],
    sorting: _Sorting,
) -> Collection[str]:
    """Tell everybody whose a submission may be; return their ids."""
    for heap, owners in unsure:
        who = " or ".join(f"{_who(owner)} (line {owner.line})" for owner in owners)
        told = f"{one_line(heap.name)}: this may be of {who} of the roster; write its name there, in the column folder"
        for owner in owners:
            notes[owner.id].insert(0, told)
        if all(owner.id in given for owner in owners):  # all of them are graded, and this is nobody's
            sorting.unused.append(told)
    return {owner.id for _, owners in unsure for owner in owners}


def _describe_doubt_of(owner: Owner, heaps: Sequence[UploadGroup]) -> str:
    whose = f"{'the team ' if owner.team else ''}{_who(owner)} (line {owner.line} of the roster)"
    apart = ", or take the team apart" if owner.team else ""
    return _describe_doubt(heaps, whose, f"write its name there, in the column folder{apart}")


def _one_attempt_each(heaps: Sequence[UploadGroup]) -> Sequence[UploadGroup]:
    """Put the attempts of one person together whose names differ in a number, which was the upload's."""
    items = [item for heap in heaps for item in heap.items]
    people = {(item.named.platform, folded(item.named.who)) for item in items}
    attempts = {item.named.attempt for item in items if item.named.attempt}
    return [heap_of(items)] if len(people) == 1 and len(attempts) == len(items) else heaps


def _possible_owners(index: RosterIndex, heap: UploadGroup, submitters: Submitters) -> tuple[Owner, ...]:
    found: dict[str, Owner] = {}
    for item in heap.items:  # the roster's column folder may name any of the attempts
        found |= {owner.id: owner for owner in find_owners(index, item.named, item.path.name)}
    if not found:
        for student in submitters.get(heap.name, _NOBODY).students:
            keys = (Named(who=key, owner=key) for key in (student.id, student.email, student.name) if key)
            found |= next(filter(None, ({o.id: o for o in find_owners(index, key, "")} for key in keys)), {})
    return tuple(found.values())


def _who(owner: Owner) -> str:
    name = owner.students[0].name
    return one_line(f"{owner.id} ({name})" if name and not owner.team else owner.id)


def _asides(index: RosterIndex, look: Look) -> defaultdict[str, list[str]]:
    """Find out what to know of students who may have handed in something that is not there, or is no submission."""
    notes: defaultdict[str, list[str]] = defaultdict(list)
    there = {folded(name) for item in look.items for name in (item.path.name, bare_name(item.path.name))}
    for owner, member in index.members:
        if member.folder and folded(member.folder) not in there:
            notes[owner.id].append(f"the roster names {one_line(member.folder)}, which is not there")
    for name, why in look.strays.items():
        owners = find_owners(index, read_name(name.partition(".")[0]), name)
        if len(owners) == 1:
            notes[owners[0].id].append(f"not graded: {one_line(name)} ({why})")
    return notes


# ---------------------------------------------------------------- loose files


def gather(found: ClassEntries, target: Path, wanted: Sequence[str] = ()) -> ClassEntries:
    """Make a folder below `target` of each loose submission, and return everything with those as the paths.

    `wanted` are names or patterns of files that the assignment asks for: `Queens-1.java`, as Canvas calls what is
    handed in again, becomes `Queens.java` when that is wanted and the other is not. Raises HostError.
    """
    folders = {loose.id: _folder_of(loose, target / safe_name(loose.id), wanted) for loose in found.loose}
    entries = tuple(replace(entry, path=folders.get(entry.id, entry.path)) for entry in found.entries)
    return replace(found, entries=entries, loose=())


def _folder_of(loose: LooseFile, folder: Path, wanted: Sequence[str]) -> Path:
    files = {}  # of two with one name, the later one stays
    for path, name in loose.files:
        before = without_copy(name) if read_name(path.name).platform == CANVAS else name
        is_copy = _is_wanted(before, wanted) and not _is_wanted(name, wanted)
        files["_" if name in {"", ".", ".."} else before if is_copy else name] = path
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for part in (folder.parent, folder):
            if part.is_symlink():  # what is emptied here would be somebody else's
                raise NotADirectoryError(errno.ENOTDIR, "a link, and links are not followed", str(part))
        for old in folder.iterdir():
            old.unlink()
        for name, path in files.items():
            try:
                os.link(path, folder / name, follow_symlinks=False)
            except FileExistsError:
                raise
            except OSError:  # another disk, or one that cannot link
                shutil.copyfile(path, folder / name, follow_symlinks=False)
    except OSError as error:
        where = one_line(str(error.filename2 or error.filename or folder))
        raise HostError(f"{where}: {error.strerror}; remove {one_line(str(folder))}, and start again") from error
    return folder


def _is_wanted(name: str, wanted: Sequence[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in wanted)
