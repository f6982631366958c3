"""What lies in a class's folder: submissions, files of submissions, and what is neither; and what of it counts.

Nothing is opened but to see whether a file is an archive, and no link is followed. Of one student the latest attempt
counts, whole, and there is a sentence on all others. A folder or an archive counts before loose files beside it. Two
folders or archives of the same attempt are in doubt, unless Canvas numbered them: it calls a file that is handed in
again `Queens-1.zip`. What is in doubt is settled by whoever says which name counts, or that it is the latest.
"""

import os
import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from grader.classroom.lateness import parse_moment
from grader.classroom.names import (
    ATTEMPT,
    BLACKBOARD,
    CANVAS,
    GRADESCOPE,
    Named,
    bare_name,
    plain_name,
    read_names,
    without_copy,
)
from grader.core.build import ARCHIVE_ENDINGS, is_archive
from grader.core.errors import SpecError, UsageError
from grader.core.model.gradebook import Student
from grader.core.text import listed, one_line
from grader.core.yaml import nodes, parsing

SUBMITTERS = "submission_metadata.yml"
"""where a Gradescope export tells whose is what"""

_SKIPPED = ("__MACOSX", "expected.yaml", SUBMITTERS)
"""never a submission, and not worth a word"""
_HIDDEN = re.compile(
    r"\._.*|\.(DS_Store|Trashes|Spotlight-V100|directory|git\w*|svn|hg\w*|idea|vscode|cache|\w+ignore)"
)
"""what computers, editors and version control leave in folders"""

_STRAY = "this is neither a folder nor a zip or tar.gz archive; a submission of one file goes into a folder of its own"


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A folder or file that somebody handed in."""

    path: Path
    named: Named
    is_whole: bool
    """a folder or an archive, and not one file of several"""


@dataclass(slots=True, kw_only=True)
class Look:
    """What there is in a class's folder."""

    items: list[Item] = field(default_factory=list)
    strays: dict[str, str] = field(default_factory=dict)
    """the names of what is no submission, and why"""
    receipts: list[str] = field(default_factory=list)
    """Blackboard's own files, one about each attempt"""

    @property
    def unused(self) -> list[str]:
        """Say what was found and is no submission."""
        found = [f"{one_line(name)}: {why}" for name, why in sorted(self.strays.items())]
        if self.receipts:
            first, count = one_line(self.receipts[0]), len(self.receipts)
            found.append(f"{first}: in this, Blackboard tells about an attempt" + f"; {count} such files" * (count > 1))
        return found


def look_into(folder: Path, roster: Path | None = None) -> Look:
    """Look at everything in `folder` but the roster; raises UsageError when it cannot be read."""
    look = Look()
    try:
        with os.scandir(folder) as scan:
            found = sorted((entry for entry in scan if not _is_skipped(entry, roster)), key=lambda entry: entry.name)
        for entry, named in zip(found, read_names([entry.name for entry in found]), strict=True):
            _take_up(look, entry, named)
    except OSError as error:
        wanted = "name the one with a folder or an archive for each student"
        hint = "; unpack it first" if isinstance(error, NotADirectoryError) else f"; {wanted}"
        message = f"{one_line(str(folder))} is no folder of submissions that can be read: {error.strerror}{hint}"
        raise UsageError(message) from error
    return look


def _is_skipped(entry: os.DirEntry[str], roster: Path | None) -> bool:
    if _HIDDEN.fullmatch(entry.name) or entry.name in _SKIPPED:
        return True
    if roster is None or entry.name != roster.name:
        return False
    return os.path.samestat(roster.stat(), entry.stat(follow_symlinks=False))


def _take_up(look: Look, entry: os.DirEntry[str], named: Named) -> None:
    path = Path(entry.path)
    if entry.name.startswith("."):
        look.strays[entry.name] = "hidden, since its name begins with a dot; give it another if it was handed in"
    elif entry.is_symlink():
        look.strays[entry.name] = "a link is not followed; put what it leads to in its place"
    elif entry.is_dir():
        own = named if named.platform else plain_name(entry.name, is_folder=True)
        look.items.append(Item(path=path, named=own, is_whole=True))
    elif not entry.is_file():
        look.strays[entry.name] = "this is no file, folder or archive"
    elif named.platform == BLACKBOARD and not named.file and entry.name.endswith(".txt"):
        look.receipts.append(entry.name)
    elif _can_be_unpacked(path):
        look.items.append(Item(path=path, named=named, is_whole=True))
    elif named.platform or entry.name.lower().endswith(ARCHIVE_ENDINGS):
        look.items.append(Item(path=path, named=named, is_whole=False))
    else:
        look.strays[entry.name] = _STRAY


def _can_be_unpacked(path: Path) -> bool:
    try:
        return is_archive(path)
    except OSError:
        return True  # What may not be read is left to the grading, which makes it ungraded and says why.


# ---------------------------------------------------------------- whose the folders of a Gradescope export are


@dataclass(frozen=True, slots=True, kw_only=True)
class Submitted:
    """What Gradescope tells of a folder of an export."""

    students: tuple[Student, ...]
    time: str
    """when it was handed in, with a zone; empty when that is not told"""


def read_submitters(folder: Path) -> tuple[Mapping[str, Submitted], tuple[str, ...]]:
    """Return who handed in which folder of a Gradescope export, and a sentence when that cannot be read.

    Their names do not tell, but `submission_metadata.yml` does: under each folder's name there is `:submitters:`, a
    list with `:name:`, `:sid:` and `:email:`, and `:created_at:`, the time; everything else in it, such as old results,
    is of no use here.
    """
    try:
        with (folder / SUBMITTERS).open("rb") as file:
            top = parsing.parse(file.read(nodes.MAX_BYTES + 1), SUBMITTERS)
    except FileNotFoundError:
        return {}, ()
    except (OSError, SpecError) as error:
        why = error.strerror if isinstance(error, OSError) else error.problems[0].message
        return {}, (f"{SUBMITTERS} cannot be used: {why}; name the folders in the roster's column folder",)
    found: dict[str, Submitted] = {}  # of a folder that is named twice, the later one counts
    for folder_name, node in _keys_and_values(top):
        students: list[Student] = []
        told = dict(_keys_and_values(node))
        people, time = told.get(":submitters"), told.get(":created_at")
        for person in people.items if isinstance(people, nodes.Listing) else ():
            cells = {key: value.text for key, value in _keys_and_values(person) if isinstance(value, nodes.Scalar)}
            name, sid, email = (cells.get(key, "") for key in (":name", ":sid", ":email"))
            if sid or email or name:
                students.append(Student(id=sid or email or name, name=name, email=email))
        found[folder_name] = Submitted(
            students=tuple(students), time=_time_in(time.text) if isinstance(time, nodes.Scalar) else ""
        )
    return {name: one for name, one in found.items() if one.students}, ()


def _time_in(written: str) -> str:
    """Return a time that is one, with a zone, and else nothing: then it is not known."""
    try:
        return parse_moment(written).written
    except ValueError:
        return ""


def _keys_and_values(node: nodes.Node | None) -> Iterator[tuple[str, nodes.Node]]:
    for key, value in node.pairs if isinstance(node, nodes.Table) else ():
        yield key.text, value


# ---------------------------------------------------------------- what counts of what one student handed in


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadGroup:
    """What one student handed in, by its names, and what of it counts."""

    items: tuple[Item, ...]
    work: tuple[Item, ...]
    """the submission: a folder or an archive, or loose files; several folders or archives are in doubt"""
    notes: tuple[str, ...]
    unused: tuple[str, ...]

    @property
    def named(self) -> Named:
        """What the name of the submission tells."""
        return self.work[0].named

    @property
    def name(self) -> str:
        """The submission's name in its folder."""
        return self.work[0].path.name

    @property
    def is_whole(self) -> bool:
        """Whether it is a folder or an archive."""
        return self.work[0].is_whole

    @property
    def choices(self) -> list[tuple[Item, ...]]:
        """Everything of it that could be the submission."""
        return [(item,) for item in self.work] if self.is_whole else [self.work]


def heaps_of(items: Iterable[Item]) -> list[UploadGroup]:
    """Put together what each student handed in, and find out what of it counts."""
    groups: defaultdict[tuple[str, str], list[Item]] = defaultdict(list)
    for item in items:
        groups[item.named.platform, item.named.owner].append(item)
    return [heap_of(group) for group in groups.values()]


def list_files(names: Sequence[str]) -> str:
    """Name a few things; of names that look the same, every unusual character is written out."""
    shown = [one_line(name) for name in names]
    if len({unicodedata.normalize("NFKC", name) for name in shown}) < len(shown):
        shown = [ascii(name)[1:-1] for name in names]
    return listed(shown, most=5)


def heap_of(items: Sequence[Item]) -> UploadGroup:
    """Find out what counts of the things that are all of one student."""
    latest = max(item.named.attempt for item in items)
    now = [item for item in items if item.named.attempt == latest]
    work = _what_counts(now)
    rest = [item for item in now if item not in work]
    copies = [item for item in rest if any(_is_upload_again(item, counted) for counted in work)]
    older = [item for item in items if item.named.attempt < latest]
    beside = [item for item in rest if item not in copies]
    name = one_line(work[0].path.name)
    return UploadGroup(
        items=tuple(items),
        work=tuple(work),
        notes=tuple(_what_to_know(work, older, copies, beside)),
        unused=(
            *(f"{one_line(item.path.name)}: an older attempt; {name} counts" for item in (*older, *copies)),
            *(f"{one_line(item.path.name)}: not graded; {name}, handed in with it, counts" for item in beside),
        ),
    )


def settle(heaps: Sequence[UploadGroup], names: Collection[str], *, latest: bool) -> UploadGroup | None:
    """Return what counts of all that one student handed in; None when that is in doubt, or nothing was.

    What has one of the `names` counts before all else; then the latest, where that is asked for and the names tell it.
    """
    choices = [(choice, heap) for heap in heaps for choice in heap.choices]
    if len(choices) < 2:  # noqa: PLR2004 - nothing to choose from
        return heaps[0] if heaps else None
    why = "the roster names it"
    counting = [pair for pair in choices if any(item.path.name in names for item in pair[0])]
    if not counting:
        counting = [pair for pair in choices if any(bare_name(item.path.name) in names for item in pair[0])]
    if not counting and latest and (newest := find_latest([choice for choice, _ in choices])):
        why = "the latest"
        counting = [pair for pair in choices if pair[0] is newest]
    if len(counting) != 1:
        return None
    chosen, heap = counting[0]
    rest = [item.path.name for choice, _ in choices if choice is not chosen for item in choice]
    name = one_line(chosen[0].path.name)
    return replace(
        heap,
        work=chosen,
        notes=(f"{why}; beside it: {list_files(rest)}", *heap.notes),
        unused=(*heap.unused, *(f"{one_line(other)}: not graded; {name} counts, {why}" for other in rest)),
    )


def find_latest(choices: Sequence[tuple[Item, ...]]) -> tuple[Item, ...] | None:
    """Return the choice that was handed in last, by what one platform says in the names; None when they do not tell."""
    times = [max(_number_of_upload(item.named) for item in choice) for choice in choices]
    platforms = {item.named.platform for choice in choices for item in choice}
    if len(platforms) > 1 or min(times) == 0 or times.count(max(times)) > 1:
        return None
    return choices[times.index(max(times))]


def _number_of_upload(named: Named) -> int:
    """Return what a platform gives a later upload a greater one of; 0 where it gives none."""
    if named.platform == GRADESCOPE:
        return int(named.number)
    return named.part if named.platform == CANVAS else named.attempt


def _what_counts(now: list[Item]) -> list[Item]:
    """Choose from one attempt."""
    whole = [item for item in now if item.is_whole and item.named.is_work] or [item for item in now if item.is_whole]
    if whole:
        newest = max(whole, key=lambda item: item.named.part)
        return [newest] if all(item is newest or _is_upload_again(item, newest) for item in whole) else whole
    files = {item.named.file: item for item in sorted(now, key=lambda item: item.named.part)}
    return [files[name] for name in sorted(files)]


def _is_upload_again(item: Item, newest: Item) -> bool:
    """Whether Canvas has both as one file, handed in twice; of loose files only those that have one name."""
    if not item.named.part or item.is_whole != newest.is_whole:
        return False
    names = item.named.file, newest.named.file
    return len(set(map(without_copy, names) if item.is_whole else names)) == 1


def _what_to_know(work: list[Item], older: list[Item], copies: list[Item], beside: list[Item]) -> Iterator[str]:
    """Tell the student what was chosen of several, and what of the work is unusual."""

    def names(items: list[Item]) -> str:
        return list_files([item.path.name for item in items])

    if older:
        count = len({item.named.attempt for item in older}) + 1
        number = work[0].named.attempt if work[0].named.platform == ATTEMPT else count
        yield f"attempt {number} of {number}; older: {names(older)}"
    if copies:
        yield f"the latest upload; older: {names(copies)}"
    if any(item.named.late for item in work):
        yield "handed in late, says its name"
    unreadable = [item for item in work if not item.is_whole and item.path.name.lower().endswith(ARCHIVE_ENDINGS)]
    if unreadable:
        yield f"no archive that can be read: {names(unreadable)}"
    elif work[0].is_whole and not work[0].named.is_work:
        yield "no file was handed in, only a text"
    if beside:
        yield f"handed in with it, and not graded: {names(beside)}"
