"""Choose the platform from which a whole class was downloaded, and parse all names as that platform's.

Students choose the end of a name, so one name may look like several platforms': with `mallory_14_36_bob_attempt_9.zip`
Mallory could hand in for Bob, or say when. She cannot choose the beginning of a name, nor the names of the others. So
the platform is the one whose format nearly all names have. A name in the format of another platform only is in doubt,
and all are if two platforms fit equally; `--platform` decides.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from grader.core.errors import UsageError
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
)
from grader.people.people import NameIndex, RosterIndex

Readings = Mapping[str, Named]
"""a platform -> the name, parsed as its own"""

_HAS_IDS = (ATTEMPT, CANVAS, BRIGHTSPACE)
"""platforms whose number for a student may be the id on the roster; the others number something else"""
_SHOWN = {ATTEMPT: "numbered attempts"}


class Download(Struct, frozen=True, kw_only=True):
    """The parsed names of a class's folder."""

    platform: str
    """empty when it is not certain"""
    names: tuple[Named, ...]


def read_download(names: Sequence[str], platform: str = "", index: RosterIndex | None = None) -> Download:
    """Parse the names of a class's folder as the `platform`'s; without one, as that of nearly all names.

    The roster helps: a name that it has was given by a person, and does not count against a platform.
    """
    readings = [possible_readings(name) for name in names]
    if platform == PLAIN:
        return Download(platform=PLAIN, names=tuple(map(plain_name, names)))
    if not platform:
        readings = _without_repeated_parts(readings)
    chosen = platform or _choose_platform(names, readings, index)
    read = [_read_as(name, found, chosen) for name, found in zip(names, readings, strict=True)]
    if chosen == BLACKBOARD:
        read = _with_users(read)
    if chosen in _HAS_IDS and index:
        read = _with_ids(read, index)
    if chosen in ("", GITHUB) and index and (prefix := _repository_prefix(read, index, is_given=chosen == GITHUB)):
        chosen = GITHUB
        read = [_without_prefix(named, prefix) for named in read]
    return Download(platform=chosen, names=tuple(read))


def _without_repeated_parts(readings: Sequence[Readings]) -> list[Readings]:
    """Canvas numbers every file once: names with the same number are not Canvas's."""
    seen = Counter(found[CANVAS].part for found in readings if CANVAS in found)
    return [
        {platform: named for platform, named in found.items() if platform != CANVAS or not named.part}
        if CANVAS in found and seen[found[CANVAS].part] > 1
        else found
        for found in readings
    ]


def _choose_platform(names: Sequence[str], readings: Sequence[Readings], index: RosterIndex | None) -> str:
    """Return the platform whose format nearly all names have: two in three, and more than any other's; else nothing."""
    counts = Counter(platform for found in readings for platform in found)
    best = [platform for platform, number in counts.items() if number == max(counts.values())]
    users = [found[CANVAS].who for found in readings if CANVAS in found]
    # If both begin with a person of the roster, it is Canvas's: elsewhere the same place has no person's name alone.
    if CANVAS in best and index and all(index.has(who) for who in users):
        best = [CANVAS]
    voters = [
        name for name, found in zip(names, readings, strict=True) if found or not (index and index.has(bare_name(name)))
    ]
    # A single name in a platform's form, among people of the roster, was chosen by a student.
    is_usual = len(best) == 1 and counts[best[0]] >= len(names) - len(voters)
    return best[0] if is_usual and 3 * counts[best[0]] >= 2 * len(voters) else ""


def _read_as(name: str, readings: Readings, chosen: str) -> Named:
    """Parse a name as the chosen platform's, or, if none is certain, as numbered attempts or plain."""
    if own := readings.get(chosen):
        return own
    if not readings:
        return plain_name(name)
    if GRADESCOPE in readings:
        return readings[GRADESCOPE]  # the whole name
    if not chosen and len(readings) == 1 and ATTEMPT in readings:
        return readings[ATTEMPT]  # by hand, beside plain names
    fitting = " and of ".join(_SHOWN.get(platform, platform) for platform in readings)
    reason = f"this name has the form of {fitting}"
    if chosen:
        reason += f", and the names here are those of {_SHOWN.get(chosen, chosen)}"
    elif len(readings) == 1:
        reason += ", and most names here have another"
    return Named(who=bare_name(name), owner=name, file=name, doubt=reason, readings=tuple(readings.values()))


def _with_users(read: Sequence[Named]) -> list[Named]:
    """Blackboard puts the assignment's title before the user's name, the same for everybody: either may have a `_`."""
    owners = {named.owner for named in read if named.platform == BLACKBOARD}
    pieces = [owner.split("_") for owner in owners]
    common = 0
    while len(pieces) > 1 and all(len(some) > common + 1 and some[common] == pieces[0][common] for some in pieces):
        common += 1
    return [
        replace(named, user="_".join(named.owner.split("_")[common:])) if common and named.owner in owners else named
        for named in read
    ]


def _with_ids(read: Sequence[Named], index: RosterIndex) -> list[Named]:
    """Take the platform's numbers for ids where nearly all of them are on the roster."""
    numbers = {named.number for named in read if named.platform in _HAS_IDS and named.number}
    ids = {number for number in numbers if index.ids.find(number)}
    if 3 * len(ids) < 2 * len(numbers):
        return list(read)
    return [replace(named, id_number=named.number) if named.number in ids else named for named in read]


def _repository_prefix(read: Sequence[Named], index: RosterIndex, *, is_given: bool) -> str:
    """Return what the names of GitHub Classroom's repositories begin with, `queens-`; empty when there is no such.

    Unless the platform is given, nearly all names that the roster does not have begin with it, and two at least.
    """
    names = [named.who for named in read if not named.platform and not named.doubt]
    names = [name for name in names if not index.has(name)]
    shared: Counter[str] = Counter()
    logins: Counter[str] = Counter()
    for name in names:
        for place, sign in enumerate(name):
            if sign == "-":
                shared[name[: place + 1]] += 1
                logins[name[: place + 1]] += bool(index.logins.find(name[place + 1 :]))
    fitting = [one for one in shared if is_given or (shared[one] > 1 and 3 * shared[one] >= 2 * len(names))]
    best = max(fitting, key=lambda one: (shared[one], logins[one], -len(one)), default="")
    return best if logins[best] else ""


def _without_prefix(named: Named, prefix: str) -> Named:
    is_repository = not named.platform and not named.doubt and named.who.startswith(prefix)
    return replace(named, user=named.who.removeprefix(prefix)) if is_repository else named


def check_numbers(numbers: Iterable[str], known: NameIndex, file: str) -> Iterator[str]:
    """Compare the platform's numbers in the names of a download with those in a `file` of the platform.

    Yields a note where few of them are there; raises UsageError where none is: the file is of another assignment.
    """
    wanted = sorted({number for number in numbers if number})
    fitting = sum(bool(known.find(number)) for number in wanted)
    if not wanted or not known.numbers or 3 * fitting >= 2 * len(wanted):
        return
    there = f"of the {len(wanted)} numbers in the names of what was handed in, such as {wanted[0]}"
    if not fitting:
        raise UsageError(f"{file} has none {there}: it is of another assignment or course; export that of this one")
    yield f"{file} has only {fitting} {there}: look whether it is of this assignment"
