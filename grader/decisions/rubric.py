"""The rubric in `adjustments.yaml`: reasons with points that are given to many students, and changed in one place.

    rubric:
      - spec: echo
        item: "no-comments"
        points: -2
        why: "There are no comments."
    adjustments:
      - spec: echo
        student: "bo"
        item: "no-comments"

A line with `item` has the item's points, test and reason, whatever they are now.
"""

import hashlib
from collections.abc import Mapping, Sequence

import msgspec

from grader.core.lazy import lazy_regex
from grader.core.model.spec import Spec
from grader.core.reader.language import RUBRIC_ITEM
from grader.core.text import show, tidy_lines
from grader.core.yaml.value import (
    Value,
    fields,
    get,
    in_quotes,
    items,
    parse_points,
    parsed,
    suggestion,
    text,
    unwanted,
    wrong,
)

_WORD = lazy_regex(r"[a-z0-9]+")
_WORDS_OF_ID = 4
_DIGITS_OF_REVISION = 10


class RubricItem(msgspec.Struct, frozen=True, kw_only=True):
    """A reason, with points or without."""

    id: str
    why: str
    points: float | None = None
    """what is added to the score; None for a comment"""
    test: str = ""
    """the test that it is about; empty for the whole"""
    place: int = 0
    """its place in the list of the file, from 0"""
    number: int = 0
    """the number of its first line in the file"""

    @property
    def revision(self) -> str:
        """A digest of what it says."""
        said = msgspec.json.encode([self.id, self.why, self.points, self.test])
        return hashlib.sha256(said).hexdigest()[:_DIGITS_OF_REVISION]


def two_places(written: str) -> float | None:
    """Parse points to add or to deduct, `+2` or `-0.5`; None for 0, and for more than two decimals."""
    number = parse_points(written.removeprefix("-").removeprefix("+"))
    if not number or number * 100 % 1:
        return None
    return float(-number if written.startswith("-") else number)


POINTS_CHANGE = parsed(
    two_places, "a number of points with two decimals at most, such as +2 or -0.5; without any it is a comment", 0.0
)


def rubric_in(found: Mapping[str, Value], spec: Spec) -> dict[str, RubricItem]:
    """Read the items about a spec, by their ids; mistakes are noted as those of all values are."""
    rubric: dict[str, RubricItem] = {}
    for place, value in enumerate(items(found["rubric"]) if "rubric" in found else ()):
        keys = fields(value, RUBRIC_ITEM)
        item = RubricItem(
            id=show(get(keys, "item", text, "")),
            why=show(tidy_lines(get(keys, "why", text, ""))),
            points=get(keys, "points", POINTS_CHANGE, None),
            test=show(get(keys, "test", text, "")),
            place=place,
            number=value.node.line,
        )
        if "why" in keys and not item.why:
            unwanted(keys["why"], "a reason, which the students read")
        if get(keys, "spec", text, "") != spec.id:
            continue
        check_test(keys, item.test, spec)
        if item.id in rubric:
            wrong(keys["item"], f"there is another {in_quotes(item.id)} in line {rubric[item.id].number}")
        rubric.setdefault(item.id, item)
    return rubric


def check_test(keys: Mapping[str, Value], test: str, spec: Spec) -> None:
    """Note a mistake where a test is named that the spec does not have."""
    if test and test not in (names := [show(one.name) for one in spec.tests]):
        wrong(keys["test"], f"there is no test {in_quotes(test)} in {spec.id}{suggestion(test, names)}")


def free_id(why: str, rubric: Sequence[RubricItem]) -> str:
    """Make an id that no item has, of the first words of a reason: `there-are-no-comments`."""
    taken = {item.id for item in rubric}
    name = "-".join(_WORD.findall(why.lower())[:_WORDS_OF_ID]) or "item"
    return next(
        one for number in range(1, len(taken) + 2) if (one := name if number == 1 else f"{name}-{number}") not in taken
    )
