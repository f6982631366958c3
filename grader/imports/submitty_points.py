"""What the validators of a test case of Submitty cost -> tests that share its points.

There, a test case has all its points less what each validator costs, as far as it was not met, and never less than 0.
"""

from collections.abc import Sequence
from typing import NamedTuple

COSTS_ALL = 0.99
"""a share from which on a validator costs all"""
NEAR = 0.01
"""by which shares that are rounded may be off"""


class PointsPart(NamedTuple):
    """A test that a test case becomes."""

    places: tuple[int, ...]
    """the validators that are asked in it"""
    share: float
    """of the points"""
    needs: tuple[int, ...] = ()
    """places of parts before, which have to be right"""


class PointsPlan(NamedTuple):
    """How the points of a test case are shared."""

    parts: tuple[PointsPart, ...]
    rest: float
    """what no validator costs"""
    total: float
    """what all cost together"""
    is_scaled: bool = False
    """whether the shares are others than there"""


def share_points(shares: Sequence[float], *, is_partial: bool, has_own: Sequence[bool]) -> PointsPlan:
    """Return the tests for validators that cost these shares.

    With `is_partial` false, or where each costs all, everything has to hold. `has_own` says which need an own test.
    """
    total = sum(shares)
    places = range(len(shares))
    if not shares:
        return PointsPlan((), 1.0, 0.0)
    if not is_partial or all(share >= COSTS_ALL for share in shares):
        return PointsPlan(_all_at_once(list(places), has_own), 0.0, total)
    if total <= 1 + NEAR:
        rest = 1 - total if total < 1 - NEAR else 0.0
        return PointsPlan(
            tuple(PointsPart((place,), shares[place] + (0 if rest else (1 - total) / len(shares))) for place in places),
            rest,
            total,
        )
    gates = [place for place in places if shares[place] >= COSTS_ALL]
    others = [place for place in places if place not in gates]
    less = sum(shares[place] for place in others)
    if gates:
        first = _all_at_once(gates, has_own)
        opened = (len(first) - 1,)
        whole = tuple(part._replace(share=part.share * max(0, 1 - less)) for part in first)
        behind = [PointsPart((place,), shares[place] / max(1, less), opened) for place in others]
        return PointsPlan((*whole, *behind), 0.0, total, is_scaled=less > 1)
    return PointsPlan(
        tuple(PointsPart((place,), shares[place] / total) for place in places), 0.0, total, is_scaled=True
    )


def _all_at_once(places: Sequence[int], has_own: Sequence[bool]) -> tuple[PointsPart, ...]:
    """Return one test for all; where some need their own, a row of which the last has the points."""
    joint = tuple(place for place in places if not has_own[place])
    groups = [*([joint] if joint else []), *((place,) for place in places if has_own[place])]
    last = len(groups) - 1
    return tuple(
        PointsPart(group, float(number == last), tuple(range(last)) if number == last else ())
        for number, group in enumerate(groups)
    )
