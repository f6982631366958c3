"""What is different in a spec, place by place: `tests[usage].points: 10 -> 8`.

The two texts are compared as they were written, without their meaning: tests by name, cases by place, all else by key.
Comments, quotes and the order of keys are no change.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import TypeGuard

from grader.gradebook.grades_csv import number
from grader.model.comparison import SpecChange
from grader.model.gradebook import Gradebook
from grader.model.report import Report
from grader.text import one_line, show
from grader.yaml.outline import Outline, outline

SHOWN = 60
"""bytes of a value"""

_LEAD = 12
"""characters that two long values have in common and that are still shown before their difference"""


def spec_changes(old: str, new: str, *, hidden: bool = False) -> tuple[SpecChange, ...]:
    """Compare two texts in YAML; `hidden` tells also what students may not see. Raises SpecError for other texts."""
    return _compared(outline(old.encode(), "the old spec"), outline(new.encode(), "the new spec"), hidden=hidden)


def book_changes(
    old: Gradebook, new: Gradebook, pair: tuple[Report, Report] | None, *, hidden: bool = False
) -> tuple[SpecChange, ...]:
    """Compare the specs of two gradebooks; where their texts are not known, what a `pair` of reports tells of them.

    The reports are best those of one submission, because cases may be drawn for each.
    """
    if old.spec_text and new.spec_text:
        return spec_changes(old.spec_text, new.spec_text, hidden=hidden)
    if pair is None or pair[0].spec.digest == pair[1].spec.digest:
        return ()
    return _compared(_outline(pair[0]), _outline(pair[1]), hidden=hidden)


def _outline(record: Report) -> Outline:
    """Return what a report tells of the spec, in the spec's own words."""
    tests: list[Outline] = [
        {
            "name": test.name,
            "points": number(test.points),
            **({"visibility": test.visibility} if test.visibility != "visible" else {}),
            **({"bonus": "true"} if test.bonus else {}),
            **({"about": test.about} if test.about else {}),
            **({"hint": test.hint} if test.hint else {}),
            "cases": {case.id: case.command for case in test.cases},
        }
        for test in record.tests
    ]
    return {"id": record.spec.id, "title": record.spec.title, "tests": tests}


def _compared(old: Outline, new: Outline, *, hidden: bool) -> tuple[SpecChange, ...]:
    changes = list(_changes("", "", old, new))
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


def _changes(path: str, test: str, old: Outline | None, new: Outline | None) -> Iterator[SpecChange]:
    if old == new:
        return
    if path == "tests" and isinstance(old, Sequence) and isinstance(new, Sequence):
        yield from _tests(_by_name(old), _by_name(new))
    elif _is_table(old, new) and _is_table(new, old):
        before, after = _table(old), _table(new)
        for key in dict.fromkeys([*before, *after]):
            place = f"{path}.{one_line(key)}" if path else one_line(key)
            yield from _changes(place, test, before.get(key), after.get(key))
    elif _is_tables(old) and _is_tables(new):
        yield from _listings(path, test, old, new)
    else:
        yield _change(path, test, old, new)


def _tests(old: Mapping[str, Mapping[str, Outline]], new: Mapping[str, Mapping[str, Outline]]) -> Iterator[SpecChange]:
    for name in dict.fromkeys([*old, *new]):
        before, after, path = old.get(name), new.get(name), f"tests[{one_line(name)}]"
        if before is None or after is None:
            yield SpecChange(path=path, old=_worth(before), new=_worth(after), test=name)
        else:
            yield from _changes(path, name, before, after)


def _worth(test: Mapping[str, Outline] | None) -> str | None:
    return None if test is None else f"{_flow(test.get('points', '1'))} points"


def _by_name(tests: Outline) -> dict[str, Mapping[str, Outline]]:
    return {show(_flow(test.get("name", ""))): test for test in tests if isinstance(test, Mapping)}


def _listings(path: str, test: str, old: Sequence[Outline], new: Sequence[Outline]) -> Iterator[SpecChange]:
    """Compare lists of mappings: by place when they are as long, else by what one has and the other has not."""
    left = [item for item in old if item not in new]
    added = [item for item in new if item not in old]
    if len(old) == len(new):
        for count, (one, other) in enumerate(zip(old, new, strict=True), start=1):
            yield from _changes(f"{path}[{count}]", test, one, other)
    elif left or added:
        sides = [", ".join(map(_flow, items)) if items else None for items in (left, added)]
        yield _change(path, test, *sides)
    else:
        yield _change(path, test, old, new)


def _table(side: Outline | None) -> Mapping[str, Outline]:
    return side if isinstance(side, Mapping) else {}


def _is_table(side: Outline | None, other: Outline | None) -> bool:
    return isinstance(side, Mapping) or (side is None and isinstance(other, Mapping))


def _is_tables(side: Outline | None) -> TypeGuard[Sequence[Outline]]:
    return isinstance(side, list) and all(isinstance(item, Mapping) for item in side)


def _change(path: str, test: str, old: Outline | None, new: Outline | None) -> SpecChange:
    """Return the change, with what two long values have in common at their start left out."""
    if old is None or new is None:
        sides = [None if side is None else one_line(_flow(side), SHOWN) for side in (old, new)]
        return SpecChange(path=path, old=sides[0], new=sides[1], test=test)
    before, after = _flow(old), _flow(new)
    same = (one == other for one, other in zip(before, after, strict=False))
    common = len(list(takewhile(bool, same)))
    if common > SHOWN // 2:
        before, after = (f"…{side[common - _LEAD :].lstrip()}" for side in (before, after))
    return SpecChange(path=path, old=one_line(before, SHOWN), new=one_line(after, SHOWN), test=test)


def _flow(value: Outline) -> str:
    """Write a value on one line, as YAML could."""
    if isinstance(value, str):
        return value or '""'
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {_flow(item)}" for key, item in value.items()) + "}"
    return "[" + ", ".join(map(_flow, value)) + "]"
