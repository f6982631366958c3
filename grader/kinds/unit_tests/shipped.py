"""The part of a unit test's file that goes into the sandbox: without hidden methods, and what they alone use.

The student's code runs in the process of a unit test, and can read all that is there. So a method is shipped without
those that fewer people may see. What remains is on the same lines, so that the places in sentences are right.
"""

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.model.spec import Case, Spec, Test
from grader.kinds.unit_tests.model import UnitFramework, UnitMethod, unit_of
from grader.kinds.unit_tests.pieces import DYNAMIC, TestPiece, pieces_of
from grader.kinds.unit_tests.reader import unit_methods

_RANKS = ("visible", "after-due", "hidden")
"""who sees a test, from everybody to nobody"""


def shipped_unit(unit: UnitMethod, test: Test, spec: Spec) -> UnitMethod:
    """Return a method of a test with the source that is shipped with it. Raises HostError."""
    secret, shown = _secret_methods(unit, test.visibility, spec)
    if not secret:
        return unit
    return replace(unit, source=without_methods(unit.source, unit.framework, secret, shown))


def test_of(case: Case, spec: Spec) -> Test:
    """Return the test of a case; raises LookupError when there is none."""
    return next(test for test in spec.tests if any(one.id == case.id for one in test.cases))


def holds_hidden(case: Case, test: Test, spec: Spec) -> bool:
    """Whether a method is shipped with one that fewer people see, because what it ships calls that."""
    unit = unit_of(case)
    if unit is None or test.visibility == "hidden":
        return False
    secret, shown = _secret_methods(unit, test.visibility, spec)
    try:
        pieces = pieces_of(unit.source, unit.framework) if secret else []
        shipped = (pieces[index].methods for index in _kept(pieces, secret, shown))
        return any(not methods.isdisjoint(secret) and methods.isdisjoint(shown) for methods in shipped)
    except HostError:  # nothing is run then
        return False


def _secret_methods(unit: UnitMethod, visibility: str, spec: Spec) -> tuple[frozenset[str], frozenset[str]]:
    """Return the methods of a unit's file that fewer people see than such a test, or nobody; and those that all see."""
    rank = _RANKS.index(visibility)
    shown = frozenset(one.method for one in _units_for(rank, unit.file, spec))
    own = _own_methods(unit.source, unit.framework)
    if unit.framework == "junit":
        return own - shown, shown & own if unit.helpers else shown  # what it inherits from other files stays there
    if any(not one.is_chosen for one in _units_for(rank, unit.file, spec)):
        return frozenset(), shown  # such a test has all that the file has, also what its framework skips
    return own - shown, shown & own  # what is made while the file is loaded has no place in it


@lru_cache(maxsize=64)
def _own_methods(source: bytes, framework: UnitFramework) -> frozenset[str]:
    return frozenset(unit_methods(source, framework, idle=True))


def _units_for(rank: int, file: str, spec: Spec) -> Iterator[UnitMethod]:
    """Yield the methods of a file that are in tests of that rank, or of one that more people see."""
    for test in spec.tests:
        if _RANKS.index(test.visibility) <= rank:
            yield from (one for one in filter(None, map(unit_of, test.cases)) if one.file == file)


def names_shared_with_hidden(unit: UnitMethod, spec: Spec) -> list[str]:
    """Return what hidden methods of a file use by name that is shipped with the visible ones; see `shared_names`."""
    secret, shown = _secret_methods(unit, "visible", spec)
    return shared_names(unit.source, unit.framework, secret, shown)


# ---------------------------------------------------------------- leaving out


@lru_cache(maxsize=64)
def without_methods(
    source: bytes, framework: UnitFramework, secret: frozenset[str], shown: frozenset[str] = frozenset()
) -> bytes:
    """Return a source without the `secret` methods, without what they alone use, and without comments between.

    A secret method that the rest names stays. Raises HostError when the rest would not be what it was.
    """
    pieces = pieces_of(source, framework)
    kept = _kept(pieces, secret, shown)
    out = bytearray(_only(source, [place for index in sorted(kept) for place in pieces[index].ranges]))
    if framework != "junit":
        _copy_encoding(source, out)
        for index in kept:
            members = [place for place, one in enumerate(pieces) if one.owner == index]
            if members and kept.isdisjoint(members):
                _say_pass(source, out, pieces[members[0]].ranges[0][0])
    rest = bytes(out)
    try:
        remaining = set(unit_methods(rest, framework))
    except (SyntaxError, ValueError) as error:
        raise HostError(f"a unit test without its hidden methods cannot be read: {error}") from error
    if lost := shown - remaining:
        raise HostError(f"a unit test without its hidden methods has no {', '.join(sorted(lost))} any more")
    return rest


def shared_names(source: bytes, framework: UnitFramework, secret: frozenset[str], shown: frozenset[str]) -> list[str]:
    """Return what `secret` methods use by name that `without_methods` leaves, and those of them that it leaves.

    What a framework calls by itself, such as `setUp`, is not among it, nor are classes with methods and imports.
    """
    if not (secret and shown):
        return []
    pieces = pieces_of(source, framework)
    kept = _kept(pieces, secret, shown)
    gone = {index for index, one in enumerate(pieces) if index not in kept and not one.methods.isdisjoint(secret)}
    owners = {one.owner for one in pieces}
    used = _closure(pieces, gone, {index for index, one in enumerate(pieces) if not one.methods}) & kept - owners
    names = {name for index in used if not pieces[index].methods for name in pieces[index].binds}
    return sorted(names | {one for index in kept for one in pieces[index].methods & secret - shown})


def _kept(pieces: Sequence[TestPiece], secret: Collection[str], shown: Collection[str]) -> set[int]:
    """Return the indices of the pieces that stay."""
    gone = {
        index
        for index, one in enumerate(pieces)
        if not one.methods.isdisjoint(secret) and one.methods.isdisjoint(shown)
    }
    reached = _closure(pieces, gone, {index for index, one in enumerate(pieces) if not one.stays}) - gone
    helpers = {index for index in reached if not pieces[index].stays}
    # A class that has secret methods stays for others alone.
    classes = {one.owner for index, one in enumerate(pieces) if index in gone and one.owner is not None}
    members = {index for index, one in enumerate(pieces) if one.owner in classes and not one.methods}
    roots = set(range(len(pieces))) - gone - helpers - classes - members
    kept = _closure(pieces, roots, gone | helpers | classes)
    if any(pieces[index].uses & DYNAMIC for index in kept):
        own = {index for index in helpers if pieces[index].owner is None or pieces[index].owner in kept}
        kept = _closure(pieces, kept | own, gone | classes)
    return kept


def _closure(pieces: Sequence[TestPiece], roots: Collection[int], optional: Collection[int]) -> set[int]:
    """Return the pieces with all that they need: what they name, their classes, and the members of those.

    Members that are `optional`, or methods of the test, are needed only where they are named.
    """
    by_name: dict[str, list[int]] = {}
    by_owner: dict[int, list[int]] = {}
    for index, one in enumerate(pieces):
        for name in one.binds:
            by_name.setdefault(name, []).append(index)
        if one.owner is not None and not one.methods and index not in optional:
            by_owner.setdefault(one.owner, []).append(index)
    found, pending = set(roots), list(roots)
    while pending:
        index = pending.pop()
        one = pieces[index]
        more = [other for name in one.uses for other in by_name.get(name, ())] + by_owner.get(index, [])
        more += [] if one.owner is None else [one.owner]
        fresh = set(more) - found
        found |= fresh
        pending += fresh
    return found


def _only(source: bytes, ranges: Sequence[tuple[int, int]]) -> bytes:
    """Return the source with nothing but lines' ends outside of these ranges."""
    out, place = bytearray(), 0
    for start, end in sorted(ranges):
        out += _empty(source[place:start]) + source[start:end]
        place = max(place, end)
    return bytes(out + _empty(source[place:]))


def _empty(text: bytes) -> bytes:
    return bytes(byte if byte in b"\r\n" else 0x20 for byte in text)


def _copy_encoding(source: bytes, out: bytearray) -> None:
    """Keep the first two lines where they are comments: they may name the encoding."""
    place = 0
    for line in source.splitlines(keepends=True)[:2]:
        if line.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"#") and b"coding" in line:
            out[place : place + len(line)] = line
        elif place == 0 and line.startswith(b"\xef\xbb\xbf"):
            out[:3] = line[:3]
        place += len(line)


def _say_pass(source: bytes, out: bytearray, start: int) -> None:
    """Give a class a body, at the place of its first member."""
    line = source[start:].splitlines()[0]
    indent = len(line) - len(line.lstrip())
    out[start : start + indent] = line[:indent]
    word = b"pass"
    out[start + indent : start + indent + len(word)] = word
