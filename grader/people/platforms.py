"""Choose the platform from which a whole class was downloaded, and parse all names as that platform's.

Students choose the end of a name, so one name may look like several platforms': with `mallory_14_36_bob_attempt_9.zip`
Mallory could hand in for Bob, or say when. She cannot choose the beginning of a name, nor the names of the others. So
the platform is the one whose format nearly all names have. A name in the format of another platform only is in doubt,
and all are if two platforms fit equally; `--platform` decides.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from grader.core.errors import UsageError
from grader.people import names as of
from grader.people.names import ATTEMPT, BLACKBOARD, CANVAS, GITHUB, GRADESCOPE, PLAIN, Named, bare_name, plain_name
from grader.people.people import NameIndex, RosterIndex

_Readings = Mapping[str, Named]  # a platform -> the name, parsed as its own
_HAS_IDS = (ATTEMPT, CANVAS, of.BRIGHTSPACE)  # their number for a student may be the id on the roster; others' are not
_NOBODY = RosterIndex()


def read_download(
    names: Sequence[str], platform: str = "", index: RosterIndex = _NOBODY
) -> tuple[str, Sequence[Named]]:
    """Parse the names of a class's folder as the `platform`'s; without one, as that of nearly all names.

    Returns the platform, which is empty when it is not certain, and what each name says. The roster helps: a name that
    it has was given by a person, and does not count against a platform.
    """
    if platform == PLAIN:
        return PLAIN, list(map(plain_name, names))
    readings: list[_Readings] = [of.possible_readings(name) for name in names]
    if not platform:
        # Canvas numbers every file once: names with the same number are not Canvas's.
        seen = Counter(forms[CANVAS].part for forms in readings if CANVAS in forms)
        readings = [
            {key: named for key, named in forms.items() if key != CANVAS or not named.part or seen[named.part] == 1}
            for forms in readings
        ]
    chosen = platform or _choose_platform(names, readings, index)
    read = [_read_as(name, forms, chosen) for name, forms in zip(names, readings, strict=True)]
    if chosen == BLACKBOARD:
        read = _with_users(read)
    if chosen in _HAS_IDS:  # its numbers are ids where nearly all of them are on the roster
        numbers = {named.number for named in read if named.platform in _HAS_IDS and named.number}
        ids = {number for number in numbers if index.ids.find(number)}
        are_ids = 3 * len(ids) >= 2 * len(numbers)
        read = [replace(named, id_number=named.number) if are_ids and named.number in ids else named for named in read]
    if chosen in ("", GITHUB) and (prefix := _repository_prefix(read, index, is_given=chosen == GITHUB)):
        chosen = GITHUB
        read = [
            replace(named, user=named.who.removeprefix(prefix))
            if _is_plain(named) and named.who.startswith(prefix)
            else named
            for named in read
        ]
    return chosen, read


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


def _with_users(read: Sequence[Named]) -> list[Named]:
    """Blackboard puts the assignment's title before the user's name, the same for everybody: either may have a `_`."""
    pieces = [owner.split("_") for owner in {named.owner for named in read if named.platform == BLACKBOARD}]
    common = 0
    while len(pieces) > 1 and all(len(piece) > common + 1 and piece[common] == pieces[0][common] for piece in pieces):
        common += 1
    owners = (named.owner if common and named.platform == BLACKBOARD else "" for named in read)
    users = ["_".join(owner.split("_")[common:]) for owner in owners]
    return [replace(named, user=user) if user else named for named, user in zip(read, users, strict=True)]


def _is_plain(named: Named) -> bool:
    return not named.platform and not named.doubt


def _repository_prefix(read: Sequence[Named], index: RosterIndex, *, is_given: bool) -> str:
    """Return what the names of GitHub Classroom's repositories begin with, `queens-`; empty when there is no such.

    Unless the platform is given, nearly all names that the roster does not have begin with it, and two at least.
    """
    names = [named.who for named in read if _is_plain(named) and not index.has(named.who)]
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
