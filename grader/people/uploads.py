"""Scan a class's folder for submissions, their loose files and strays, and choose the upload that counts.

Files are opened only to detect archives; links are not followed. The latest attempt of a student counts, as a whole; a
sentence lists every other one. Two folders or archives of the same attempt are ambiguous, unless Canvas numbered them:
it renames a resubmitted file to `Queens-1.zip`. The roster or `--latest` resolves the ambiguity.

Students choose the end of a name, so one name may look like several platforms': with `mallory_14_36_bob_attempt_9.zip`
Mallory could hand in for Bob, or say when. She cannot choose the beginning of a name, nor the names of the others. So
the platform is the one whose format nearly all names have. A name in the format of another platform only is in doubt,
and all are if two platforms fit equally; `--platform` decides.
"""

import os
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC
from itertools import takewhile
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from grader.core.build.staging import is_archive
from grader.core.build.tree import ARCHIVE_ENDINGS
from grader.core.errors import SpecError, UsageError
from grader.core.model.gradebook import Student
from grader.core.text import listed, one_line
from grader.core.yaml import nodes, parsing
from grader.people.names import (
    ATTEMPT,
    BLACKBOARD,
    BRIGHTSPACE,
    CANVAS,
    GITHUB,
    GRADESCOPE,
    PLAIN,
    Named,
    bare_name,
    plain_name,
    possible_readings,
    without_copy,
)
from grader.people.people import NameIndex, RosterIndex
from grader.people.times import parse_platform_time, to_zone

SUBMITTERS = "submission_metadata.yml"  # of a Gradescope export; it names the owners
_SKIPPED = ("__MACOSX", "expected.yaml", SUBMITTERS)  # never a submission, and skipped without a note
_HIDDEN = re.compile(
    r"\._.*|\.(DS_Store|Trashes|Spotlight-V100|directory|git\w*|svn|hg\w*|idea|vscode|cache|\w+ignore)"
)  # what computers, editors and version control leave in folders
_STRAY = "this is neither a folder nor a zip or tar.gz archive; a submission of one file goes into a folder of its own"
_Readings = Mapping[str, Named]  # a platform -> the name, parsed as its own
_HAS_IDS = (ATTEMPT, CANVAS, BRIGHTSPACE)  # their number for a student may be the id on the roster; others' are not


class Item(Struct, frozen=True):
    """A folder or file that somebody handed in."""

    path: Path
    named: Named
    is_whole: bool  # a folder or an archive, and not one file of several
    students: tuple[Student, ...] = ()  # who handed it in, where Gradescope says so
    time: str = ""  # when it was handed in, with a zone, where Gradescope says so

    @property
    def is_archive(self) -> bool:
        """Whether its name is that of an archive, which may be one that cannot be read."""
        return self.path.name.lower().endswith(ARCHIVE_ENDINGS)


class FolderScan(Struct, kw_only=True):
    """The contents of a class's folder."""

    items: list[Item] = []
    strays: dict[str, str] = {}  # names of things that are no submission -> why not
    platform: str = ""  # from which all this was downloaded; empty when that is not certain
    notes: list[str] = []


def scan_folder(folder: Path, roster: Path | None, *, platform: str, index: RosterIndex) -> FolderScan:
    """List everything in `folder` except the roster; raises UsageError when it cannot be read."""
    scan = FolderScan()
    try:
        with os.scandir(folder) as paths:
            entries = sorted((entry for entry in paths if not _is_skipped(entry, roster)), key=lambda entry: entry.name)
        if len(entries) == 1 and os.path.isfile(folder / entries[0].name / SUBMITTERS):  # noqa: PTH113 - takes any fault as none
            below = one_line(str(folder / entries[0].name))
            raise UsageError(f"{SUBMITTERS} and the class lie one folder below {one_line(str(folder))}: name {below}")
        submitted = _read_submitters(scan, folder)
        scan.platform, names = read_download([entry.name for entry in entries], platform, index)
        own = {entry.name for entry, named in zip(entries, names, strict=True) if named.platform == GRADESCOPE}
        if submitted and own and submitted.keys().isdisjoint(own):
            raise UsageError(f"{SUBMITTERS} names nothing of what lies beside it: it is of another assignment")
        for entry, named in zip(entries, names, strict=True):
            _add_item(scan, entry, Item(Path(entry.path), named, is_whole=True, **submitted.get(entry.name, {})))
    except OSError as error:
        wanted = "name the one with a folder or an archive for each student"
        hint = "; unpack it first" if isinstance(error, NotADirectoryError) else f"; {wanted}"
        message = f"{one_line(str(folder))} is no folder of submissions that can be read: {error.strerror}{hint}"
        raise UsageError(message) from error
    return scan


def _is_skipped(entry: os.DirEntry[str], roster: Path | None) -> bool:
    if roster and entry.name == roster.name:
        return os.path.samestat(roster.stat(), entry.stat(follow_symlinks=False))
    return entry.name in _SKIPPED or _HIDDEN.fullmatch(entry.name) is not None


def _add_item(scan: FolderScan, entry: os.DirEntry[str], item: Item) -> None:
    named = item.named
    if entry.name.startswith("."):
        scan.strays[entry.name] = "hidden, since its name begins with a dot; give it another if it was handed in"
    elif entry.is_symlink():
        scan.strays[entry.name] = "a link is not followed; put what it leads to in its place"
    elif entry.is_dir():
        plain = replace(plain_name(entry.name, is_folder=True), user=named.user)
        scan.items.append(item if named.platform or named.doubt else replace(item, named=plain))
    elif not entry.is_file():
        scan.strays[entry.name] = "this is no file, folder or archive"
    elif named.platform == BLACKBOARD and not named.file and entry.name.endswith(".txt"):
        pass  # Blackboard's own file about an attempt
    elif _can_be_unpacked(item.path):
        scan.items.append(item)
    elif named.platform or named.doubt or item.is_archive:
        scan.items.append(replace(item, is_whole=False))
    else:
        scan.strays[entry.name] = _STRAY


def _can_be_unpacked(path: Path) -> bool:
    try:
        return is_archive(path)
    except OSError:
        return True  # an unreadable file is left to the grading, which reports it as ungraded with the reason


# ---------------------------------------------------------------- the platform, by all names together


def read_download(names: Sequence[str], platform: str, index: RosterIndex) -> tuple[str, Sequence[Named]]:
    """Parse the names of a class's folder as the `platform`'s; if that is empty, as that of nearly all names.

    Returns the platform, which is empty when it is not certain, and what each name says. The roster helps: a name that
    it has was given by a person, and does not count against a platform.
    """
    if platform == PLAIN:
        return PLAIN, list(map(plain_name, names))
    readings: list[_Readings] = [possible_readings(name) for name in names]
    if not platform:
        # Canvas numbers every file once: names with the same number are not Canvas's.
        seen = Counter(forms[CANVAS].part for forms in readings if CANVAS in forms)
        readings = [
            {key: named for key, named in forms.items() if key != CANVAS or not named.part or seen[named.part] == 1}
            for forms in readings
        ]
    chosen = platform or _choose_platform(names, readings, index)
    read = [_read_as(name, forms, chosen) for name, forms in zip(names, readings, strict=True)]
    if chosen in _HAS_IDS:  # its numbers are ids where nearly all of them are on the roster
        numbers = {named.number for named in read if named.platform in _HAS_IDS and named.number}
        ids = {number for number in numbers if index.ids.find(number)}
        are_ids = 3 * len(ids) >= 2 * len(numbers)
        read = [replace(named, id_number=named.number) if are_ids and named.number in ids else named for named in read]
    prefixes = {BLACKBOARD: _title_prefix(read)} if chosen == BLACKBOARD else {}
    if chosen in ("", GITHUB) and (prefix := _repository_prefix(read, index, is_given=chosen == GITHUB)):
        chosen, prefixes = GITHUB, {"": prefix}  # whose names are in no form
    return chosen, [_with_user(named, prefixes.get(named.platform, "")) for named in read]


def _choose_platform(names: Sequence[str], readings: Sequence[_Readings], index: RosterIndex) -> str:
    """Return the platform whose format nearly all names have: two in three, and more than any other's; else nothing."""
    counts = Counter(platform for forms in readings for platform in forms)
    best = [platform for platform, number in counts.items() if number == max(counts.values())]
    # If both begin with a person of the roster, it is Canvas's: elsewhere the same place has no person's name alone.
    if CANVAS in best and all(index.has(forms[CANVAS].who) for forms in readings if CANVAS in forms):
        best = [CANVAS]
    pairs = zip(names, readings, strict=True)
    voters = sum(1 for name, forms in pairs if forms or not index.has(bare_name(name)))
    # A single name in a platform's form, among people of the roster, was chosen by a student.
    is_usual = len(best) == 1 and counts[best[0]] >= len(names) - voters
    return best[0] if is_usual and 3 * counts[best[0]] >= 2 * voters else ""


def _read_as(name: str, readings: _Readings, chosen: str) -> Named:
    """Parse a name as the chosen platform's, or, if none is certain, as numbered attempts or plain."""
    if not readings:
        return plain_name(name)
    # Gradescope's is the whole name; numbered attempts may be by hand, beside plain names.
    if own := readings.get(chosen) or readings.get(GRADESCOPE):
        return own
    if not chosen and [*readings] == [ATTEMPT]:
        return readings[ATTEMPT]
    shown = {ATTEMPT: "numbered attempts"}
    reason = f"this name has the form of {' and of '.join(shown.get(platform, platform) for platform in readings)}"
    if chosen:
        reason += f", and the names here are those of {shown.get(chosen, chosen)}"
    elif len(readings) == 1:
        reason += ", and fewer than two in three names here have it"
    return Named(who=bare_name(name), owner=name, file=name, doubt=reason, readings=tuple(readings.values()))


def _with_user(named: Named, prefix: str) -> Named:
    """Return a name with its user, who stands behind the prefix that is the same for everybody on its platform."""
    has_user = prefix and not named.doubt and named.owner.startswith(prefix)
    return replace(named, user=named.owner.removeprefix(prefix)) if has_user else named


def _title_prefix(read: Sequence[Named]) -> str:
    """Return the assignment's title, which Blackboard puts before the user's name: either may have a `_`."""
    pieces = [owner.split("_") for owner in {named.owner for named in read if named.platform == BLACKBOARD}]
    titles = zip(*(piece[:-1] for piece in pieces), strict=False)  # at least the last piece is the user's
    common = takewhile(lambda parts: len({*parts}) == 1, titles) if len(pieces) > 1 else ()
    return "".join(f"{parts[0]}_" for parts in common)


def _repository_prefix(read: Sequence[Named], index: RosterIndex, *, is_given: bool) -> str:
    """Return what the names of GitHub Classroom's repositories begin with, `queens-`; empty when there is no such.

    Unless the platform is given, nearly all names that the roster does not have begin with it, and two at least.
    """
    names = [named.who for named in read if not (named.platform or named.doubt or index.has(named.who))]
    shared, logins = Counter[str](), Counter[str]()
    for name in names:
        for place, sign in enumerate(name, 1):
            if sign == "-":
                shared[name[:place]] += 1
                logins[name[:place]] += bool(index.logins.find(name[place:]))
    fitting = [start for start in shared if is_given or (shared[start] > 1 and 3 * shared[start] >= 2 * len(names))]
    best = max(fitting, key=lambda start: (shared[start], logins[start], -len(start)), default="")
    return best if logins[best] else ""


def check_numbers(numbers: Iterable[str], known: NameIndex, file: str) -> Iterator[str]:
    """Compare the platform's numbers in the names of a download with those in a `file` of the platform.

    Yields a note where few of them are there; raises UsageError where none is: the file is of another assignment.
    """
    wanted = sorted({number for number in numbers if number})
    fitting = sum(bool(known.find(number)) for number in wanted)
    if not wanted or not known or 3 * fitting >= 2 * len(wanted):
        return
    which = f"of the {len(wanted)} numbers in the names of what was handed in, such as {wanted[0]}"
    if not fitting:
        raise UsageError(f"{file} has none {which}: it is of another assignment or course; export that of this one")
    yield f"{file} has only {fitting} {which}: look whether it is of this assignment"


# ---------------------------------------------------------------- owners of the folders of a Gradescope export


def _read_submitters(scan: FolderScan, folder: Path) -> Mapping[str, Mapping[str, Any]]:
    """Return who handed in each folder of a Gradescope export, and when; add a note when that cannot be read.

    `submission_metadata.yml` has, under each folder's name, `:submitters:` (a list with `:name:`, `:sid:` and
    `:email:`) and `:created_at:`, the time. Its other content, such as old results, is ignored.
    """
    try:
        with (folder / SUBMITTERS).open("rb") as file:
            top = parsing.parse(file.read(nodes.MAX_BYTES + 1), SUBMITTERS)
    except FileNotFoundError:
        return {}
    except (OSError, SpecError) as error:
        why = error.strerror if isinstance(error, OSError) else error.problems[0].message
        scan.notes.append(f"{SUBMITTERS} cannot be used: {why}; name the folders in the roster's column folder")
        return {}
    submissions = {}
    for folder_name, node in nodes.entries_of(top).items():
        submitters = nodes.items_of(nodes.entries_of(node).get(":submitters"))
        people = [[_text(submitter, key) for key in (":sid", ":email", ":name")] for submitter in submitters]
        students = tuple(Student(id=i or mail or name, name=name, email=mail) for i, mail, name in filter(any, people))
        if students:
            time = parse_platform_time(_text(node, ":created_at"))  # without a zone it may be UTC, or local time
            submissions[folder_name] = {"students": students, "time": time if to_zone(time, UTC) == time else ""}
    return submissions


def _text(node: nodes.Node, key: str) -> str:
    return getattr(nodes.entries_of(node).get(key), "text", "")


# ---------------------------------------------------------------- what counts of what one student handed in


class UploadGroup(Struct, frozen=True, kw_only=True):
    """The uploads of one student, and those that count."""

    items: tuple[Item, ...]
    work: tuple[Item, ...]  # a folder or an archive, or loose files; several of the former are ambiguous
    notes: tuple[str, ...]

    @property
    def first(self) -> Item:
        """What its name and its owners are read from."""
        return self.work[0]

    @property
    def choices(self) -> list[tuple[Item, ...]]:
        """All candidates for the submission."""
        return [(item,) for item in self.work] if self.work[0].is_whole else [self.work]


def group_by_student(items: Iterable[Item]) -> list[UploadGroup]:
    """Group the uploads by student, and choose those that count in each group."""
    groups = defaultdict[tuple[str, str], list[Item]](list)
    for item in items:
        groups[item.named.platform, item.named.owner].append(item)
    return list(map(make_group, groups.values()))


def list_files(names: Sequence[str]) -> str:
    """List a few names; if some look the same, every unusual character is escaped."""
    shown = [one_line(name) for name in names]
    if len({unicodedata.normalize("NFKC", name) for name in shown}) < len(shown):
        shown = [ascii(name)[1:-1] for name in names]
    return listed(shown, most=5)


def make_group(items: Sequence[Item]) -> UploadGroup:
    """Make the group of one student's uploads, and choose those that count."""
    latest = max(item.named.attempt for item in items)
    now = [item for item in items if item.named.attempt == latest]
    older = [item for item in items if item.named.attempt < latest]
    work = _choose_items(now)
    copies = [item for item in now if item not in work and any(_is_reupload(item, chosen) for chosen in work)]
    ignored = [item for item in now if item not in (*work, *copies)]
    notes = tuple(_describe_choice(work, [*older, *copies], ignored))
    return UploadGroup(items=tuple(items), work=tuple(work), notes=notes)


def choose_submission(groups: Sequence[UploadGroup], names: Collection[str], *, latest: bool) -> UploadGroup | None:
    """Return the upload that counts of one student's groups; None when it is ambiguous, or there is none.

    An upload with one of the `names` takes precedence; then, with `latest`, the latest if the names have an order.
    """
    choices = [(choice, group) for group in groups for choice in group.choices]
    if len(choices) < 2:  # noqa: PLR2004 - nothing to choose from
        return groups[0] if groups else None
    newest = (latest and find_latest([choice for choice, _ in choices])) or ()
    ways: tuple[tuple[str, Callable[[Item], bool]], ...] = (
        ("the roster names it", lambda item: item.path.name in names),
        ("the roster names it", lambda item: bare_name(item.path.name) in names),
        ("the latest", lambda item: item in newest),
    )
    counted = ((why, [pair for pair in choices if any(map(counts, pair[0]))]) for why, counts in ways)
    why, counting = next(((why, pairs) for why, pairs in counted if pairs), ("", []))
    if len(counting) != 1:
        return None
    chosen, group = counting[0]
    rest = [item.path.name for choice, _ in choices if choice is not chosen for item in choice]
    note = f"{one_line(chosen[0].path.name)} counts, {why}; not graded: {list_files(rest)}"
    return replace(group, work=chosen, notes=(note, *group.notes))


def find_latest(choices: Sequence[tuple[Item, ...]]) -> tuple[Item, ...] | None:
    """Return the choice handed in last, by one platform's numbers in the names; None when these give no order."""
    # The number that grows with each upload has another place in the names of each platform.
    keys = {GRADESCOPE: "number", CANVAS: "part"}
    times = [max(int(getattr(i.named, keys.get(i.named.platform, "attempt"))) for i in choice) for choice in choices]
    platforms = {item.named.platform for choice in choices for item in choice}
    if len(platforms) > 1 or min(times) == 0 or times.count(max(times)) > 1:
        return None
    return choices[times.index(max(times))]


def _choose_items(now: list[Item]) -> list[Item]:
    """Choose the items that count from one attempt."""
    whole = [item for item in now if item.is_whole and item.named.is_work] or [item for item in now if item.is_whole]
    if whole:
        newest = max(whole, key=lambda item: item.named.part)
        return [newest] if all(item is newest or _is_reupload(item, newest) for item in whole) else whole
    files = {item.named.file: item for item in sorted(now, key=lambda item: item.named.part)}
    return [files[name] for name in sorted(files)]


def _is_reupload(item: Item, newest: Item) -> bool:
    """Whether Canvas numbers both as one file handed in twice; loose files must also have the same name."""
    if not item.named.part or item.is_whole != newest.is_whole:
        return False
    names = item.named.file, newest.named.file
    return len(set(map(without_copy, names) if item.is_whole else names)) == 1


def _describe_choice(work: list[Item], older: list[Item], ignored: list[Item]) -> Iterator[str]:
    """Yield notes for the student: the choice made among several uploads, and anything unusual."""

    def names(items: list[Item]) -> str:
        return list_files([item.path.name for item in items])

    if older:
        yield f"the latest upload; older: {names(older)}"
    if any(item.named.late for item in work):
        yield "handed in late, says its name"
    if unreadable := [item for item in work if not item.is_whole and item.is_archive]:
        yield f"no archive that can be read: {names(unreadable)}"
    elif work[0].is_whole and not any(item.named.is_work for item in (*work, *ignored)):
        yield "no file was handed in, only a text"
    if ignored:
        yield f"handed in with it, and not graded: {names(ignored)}"
