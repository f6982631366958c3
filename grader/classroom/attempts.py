"""Which of the things that one student handed in counts: the latest attempt, whole; and a sentence on all others.

A folder or an archive counts before loose files beside it. Two folders or archives of the same attempt are in doubt,
unless Canvas numbered them: it calls a file that is handed in again `Queens-1.zip`.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from grader.classroom.handed_in import Item
from grader.classroom.names import ATTEMPT, Named, without_copy
from grader.text import one_line

SHOWN = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Heap:
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


def heaps_of(items: Iterable[Item]) -> list[Heap]:
    """Put together what each student handed in, and find out what of it counts."""
    groups: defaultdict[tuple[str, str], list[Item]] = defaultdict(list)
    for item in items:
        groups[item.named.platform, item.named.owner].append(item)
    return [heap_of(group) for group in groups.values()]


def listed(names: Sequence[str]) -> str:
    """Name a few things; of names that look the same, every unusual character is written out."""
    shown = [one_line(name) for name in names]
    if len({unicodedata.normalize("NFKC", name) for name in shown}) < len(shown):
        shown = [ascii(name)[1:-1] for name in names]
    more = f" and {len(shown) - SHOWN} more" if len(shown) > SHOWN else ""
    return ", ".join(shown[:SHOWN]) + more


def heap_of(items: Sequence[Item]) -> Heap:
    """Find out what counts of the things that are all of one student."""
    latest = max(item.named.attempt for item in items)
    now = [item for item in items if item.named.attempt == latest]
    work = _work(now)
    rest = [item for item in now if item not in work]
    copies = [item for item in rest if any(_is_copy(item, counted) for counted in work)]
    older = [item for item in items if item.named.attempt < latest]
    beside = [item for item in rest if item not in copies]
    name = one_line(work[0].path.name)
    return Heap(
        items=tuple(items),
        work=tuple(work),
        notes=(*_on_attempts(work[0], older, copies), *_on_work(work, beside)),
        unused=(
            *(f"{one_line(item.path.name)}: an older attempt; {name} counts" for item in (*older, *copies)),
            *(f"{one_line(item.path.name)}: not graded; {name}, handed in with it, counts" for item in beside),
        ),
    )


def _work(now: list[Item]) -> list[Item]:
    """Choose from one attempt."""
    whole = [item for item in now if item.is_whole and item.named.is_work] or [item for item in now if item.is_whole]
    if whole:
        newest = max(whole, key=lambda item: item.named.part)
        return [newest] if all(item is newest or _is_copy(item, newest) for item in whole) else whole
    files = {item.named.file: item for item in sorted(now, key=lambda item: item.named.part)}
    return [files[name] for name in sorted(files)]


def _is_copy(item: Item, newest: Item) -> bool:
    """Whether Canvas has both as one file, handed in twice; of loose files only those that have one name."""
    if not item.named.part or item.is_whole != newest.is_whole:
        return False
    names = item.named.file, newest.named.file
    return len(set(map(without_copy, names) if item.is_whole else names)) == 1


def _on_attempts(work: Item, older: list[Item], copies: list[Item]) -> Iterator[str]:
    if older:
        count = len({item.named.attempt for item in older}) + 1
        number = work.named.attempt if work.named.platform == ATTEMPT else count
        yield f"attempt {number} of {number}; older: {listed([item.path.name for item in older])}"
    if copies:
        yield f"the latest upload; older: {listed([item.path.name for item in copies])}"


def _on_work(work: list[Item], beside: list[Item]) -> Iterator[str]:
    names = [item.path.name for item in work]
    if any(item.named.late for item in work):
        yield "handed in late, says its name"
    if not work[0].is_whole:
        yield f"neither a folder nor an archive that can be read: {listed(names)}"
    elif not work[0].named.is_work:
        yield "no file was handed in, only a text"
    if beside:
        yield f"handed in with it, and not graded: {listed([item.path.name for item in beside])}"
