"""Circles among the `needs` of tests. `load` refuses needs that look forward; this says why no order helps."""

from collections.abc import Iterator, Mapping
from itertools import pairwise

from grader.lint.subject import Found

Needs = Mapping[str, Mapping[str, str]]
"""test -> what it needs -> the path where that is said"""


def circles(needs: Needs) -> Iterator[tuple[Found, frozenset[str]]]:
    """Iterate over the circles: what to say of each, and the paths of the needs in it."""
    places = {name: place for place, name in enumerate(needs)}
    told: set[frozenset[str]] = set()
    for start in needs:
        trail = _trail(needs, start)
        paths = frozenset(needs[one][other] for one, other in pairwise(trail))
        if not trail or paths in told:
            continue
        told.add(paths)
        forward = next(pair for pair in pairwise(trail) if places[pair[1]] > places[pair[0]])
        round_trip = " needs ".join(f'"{name}"' for name in trail)
        message = f"{round_trip}: none of them can ever run; take one of these needs out"
        yield (needs[forward[0]][forward[1]], message), paths


def _trail(needs: Needs, start: str) -> list[str]:
    """Return a shortest way from a test over its needs back to itself; nothing when there is none."""
    ways = [[start]]
    seen: set[str] = set()
    while ways:
        way = ways.pop(0)
        for need in needs[way[-1]]:
            if need == start and len(way) > 1:
                return [*way, start]
            if need in needs and need not in seen and need != start:
                seen.add(need)
                ways.append([*way, need])
    return []
