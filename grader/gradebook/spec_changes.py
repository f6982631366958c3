"""What is different in a spec, place by place: `tests[usage].points: 10 -> 8`.

The two texts are compared as they were written, without their meaning: tests by name, cases by place, all else by key.
Comments, quotes and the order of keys are no change.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TypeGuard

from grader.gradebook.statistics import points_text
from grader.model.gradebook import Gradebook
from grader.model.report import Report
from grader.text import one_line, show
from grader.yaml.nodes import Outline, outline

VALUE_LIMIT = 60
"""bytes of a value that is shown"""

_LEAD = 12
"""characters that two long values have in common and that are still shown before their difference"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpecChange:
    """A place in the spec, `tests[usage].points`, with what was there and what is; None where there is nothing.

    Both are empty where there is more to say, and students may not see it.
    """

    path: str
    old: str | None
    new: str | None
    test: str = ""
    """the test that it belongs to; empty for what all tests share"""

    @property
    def text(self) -> str:
        """The change on one line."""
        if self.old == self.new == "":
            return f"{self.path}: changed, and students may not see how"
        old, new = ("none" if side is None else side for side in (self.old, self.new))
        return f"{self.path}: {old} -> {new}"


def spec_changes(old: str, new: str, *, hidden: bool = False) -> tuple[SpecChange, ...]:
    """Compare two texts in YAML; `hidden` tells also what students may not see. Raises SpecError for other texts."""
    return _compared_outlines(
        outline(old.encode(), "the old spec"), outline(new.encode(), "the new spec"), hidden=hidden
    )


def changes_between(
    old: Gradebook, new: Gradebook, pair: tuple[Report, Report] | None, *, hidden: bool = False
) -> tuple[SpecChange, ...]:
    """Compare the specs of two gradebooks; where their texts are not known, what a `pair` of reports tells of them.

    The reports are best those of one submission, because cases may be drawn for each.
    """
    if old.spec_text and new.spec_text:
        return spec_changes(old.spec_text, new.spec_text, hidden=hidden)
    if pair is None or pair[0].spec.digest == pair[1].spec.digest:
        return ()
    return _compared_outlines(_outline_of(pair[0]), _outline_of(pair[1]), hidden=hidden)


def _outline_of(record: Report) -> Outline:
    """Return what a report tells of the spec, in the spec's own words."""
    tests: list[Outline] = [
        {
            "name": test.name,
            "points": points_text(test.points),
            **({"visibility": test.visibility} if test.visibility != "visible" else {}),
            **({"bonus": "true"} if test.bonus else {}),
            **({"about": test.about} if test.about else {}),
            **({"hint": test.hint} if test.hint else {}),
            "cases": {case.id: case.command for case in test.cases},
        }
        for test in record.tests
    ]
    return {"id": record.spec.id, "title": record.spec.title, "tests": tests}


def _compared_outlines(old: Outline, new: Outline, *, hidden: bool) -> tuple[SpecChange, ...]:
    changes = list(_changes_at("", "", old, new))
    if not hidden:
        secret = _secret(old) | _secret(new)
        changes = [_covered(change) if change.test in secret else change for change in changes]
    return tuple(dict.fromkeys(changes))


def _secret(spec: Outline) -> set[str]:
    tests = spec.get("tests") if isinstance(spec, Mapping) else None
    return {name for name, test in _by_name(tests or ()).items() if test.get("visibility", "visible") != "visible"}


def _covered(change: SpecChange) -> SpecChange:
    """Return what may be told of a change in a hidden test: its points and its visibility, and that there is more."""
    whole = f"tests[{change.test}]"
    if change.path in (whole, f"{whole}.points", f"{whole}.visibility"):
        return change
    return replace(change, path=whole, old="", new="")


def _changes_at(path: str, test: str, old: Outline | None, new: Outline | None) -> Iterator[SpecChange]:
    if old == new:
        return
    if path == "tests" and isinstance(old, Sequence) and isinstance(new, Sequence):
        yield from _changes_of_named_tests(_by_name(old), _by_name(new))
    elif _is_table(old, new) and _is_table(new, old):
        before, after = _pairs_of(old), _pairs_of(new)
        for key in dict.fromkeys([*before, *after]):
            place = f"{path}.{one_line(key)}" if path else one_line(key)
            yield from _changes_at(place, test, before.get(key), after.get(key))
    elif _is_tables(old) and _is_tables(new):
        yield from _list_changes(path, test, old, new)
    else:
        yield _value_change(path, test, old, new)


def _changes_of_named_tests(
    old: Mapping[str, Mapping[str, Outline]], new: Mapping[str, Mapping[str, Outline]]
) -> Iterator[SpecChange]:
    for name in dict.fromkeys([*old, *new]):
        before, after, path = old.get(name), new.get(name), f"tests[{one_line(name)}]"
        if before is None or after is None:
            yield SpecChange(path=path, old=_points_of_test(before), new=_points_of_test(after), test=name)
        else:
            yield from _changes_at(path, name, before, after)


def _points_of_test(test: Mapping[str, Outline] | None) -> str | None:
    return None if test is None else f"{_flow(test.get('points', '1'))} points"


def _by_name(tests: Outline) -> dict[str, Mapping[str, Outline]]:
    return {show(_flow(test.get("name", ""))): test for test in tests if isinstance(test, Mapping)}


def _list_changes(path: str, test: str, old: Sequence[Outline], new: Sequence[Outline]) -> Iterator[SpecChange]:
    """Compare lists of mappings: by place when they are as long, else by what one has and the other has not."""
    left = [item for item in old if item not in new]
    added = [item for item in new if item not in old]
    if len(old) == len(new):
        for count, (one, other) in enumerate(zip(old, new, strict=True), start=1):
            yield from _changes_at(f"{path}[{count}]", test, one, other)
    elif left or added:
        sides = [", ".join(map(_flow, items)) if items else None for items in (left, added)]
        yield _value_change(path, test, *sides)
    else:
        yield _value_change(path, test, old, new)


def _pairs_of(side: Outline | None) -> Mapping[str, Outline]:
    return side if isinstance(side, Mapping) else {}


def _is_table(side: Outline | None, other: Outline | None) -> bool:
    return isinstance(side, Mapping) or (side is None and isinstance(other, Mapping))


def _is_tables(side: Outline | None) -> TypeGuard[Sequence[Outline]]:
    return isinstance(side, list) and all(isinstance(item, Mapping) for item in side)


def _value_change(path: str, test: str, old: Outline | None, new: Outline | None) -> SpecChange:
    """Return the change, with what two long values have in common at their start left out."""
    if old is None or new is None:
        sides = [None if side is None else one_line(_flow(side), VALUE_LIMIT) for side in (old, new)]
        return SpecChange(path=path, old=sides[0], new=sides[1], test=test)
    before, after = _flow(old), _flow(new)
    same = (one == other for one, other in zip(before, after, strict=False))
    common = len(list(takewhile(bool, same)))
    if common > VALUE_LIMIT // 2:
        before, after = (f"…{side[common - _LEAD :].lstrip()}" for side in (before, after))
    return SpecChange(path=path, old=one_line(before, VALUE_LIMIT), new=one_line(after, VALUE_LIMIT), test=test)


def _flow(value: Outline) -> str:
    """Write a value on one line, as YAML could."""
    if isinstance(value, str):
        return value or '""'
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {_flow(item)}" for key, item in value.items()) + "}"
    return "[" + ", ".join(map(_flow, value)) + "]"
