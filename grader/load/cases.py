"""The tests of a spec, with every case written out.

With `each`, a test is read once for every combination of its variables, the first variable changing slowest. What is
written for students, `about` and `hint`, belongs to the test and is not filled.
"""

import itertools
import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Literal

from grader.load.dialogue import checks_something, with_terminal
from grader.load.language import CASE, TEST
from grader.load.parts import Parts, laid_over, parts
from grader.model import Case, Expectation, Test
from grader.yaml import units
from grader.yaml.nodes import Listing, Table
from grader.yaml.template import WORD
from grader.yaml.value import (
    Value,
    boolean,
    choice,
    each_of,
    entries,
    fields,
    get,
    in_quotes,
    is_understood,
    items,
    keyword,
    parsed,
    suggestion,
    text,
    unsupported,
    unwanted,
    with_variables,
    wrong,
)

MAX_CASES = 10_000
"""of a whole spec; more is a slip of the pen in `each`"""

Visibility = Literal["visible", "hidden", "after-due"]
Filling = Mapping[str, str]
"""variable -> value"""
Listed = tuple[Value, Mapping[str, Value]]
"""an entry of `cases`, and its keys"""

_PROGRAM_KEYS = {
    "args": "each of its calls has args of its own",
    "expect": "each of its calls has its own",
    "command": "make a test of its own for it",
    "terminal": "make a test of its own for it",
    "dialogue": "make a test of its own for it",
}
_VALUES = "a range such as 1..10, the smaller end first, or a list"
_POINTS = parsed(units.parse_points, "a number of points, 0 or more", Fraction(1))
_VISIBILITY: Callable[[Value], Visibility] = choice(("visible", "hidden", "after-due"), "visibility")


def tests(value: Value, base: Parts) -> tuple[Test, ...]:
    """Read `tests`; `base` is what the spec says for every case. A test can need only tests that come before it."""
    found = [fields(item, TEST) for item in items(value)]
    places: dict[str, int] = {}
    ids: set[str] = set()
    result: list[Test] = []
    for index, item in enumerate(items(value)):
        test = _test(item, found[index], base, MAX_CASES - len(ids))
        _check_unique(item, found[index], test, ids, is_first=places.setdefault(test.name, index) == index)
        ids.update(case.id for case in test.cases)
        result.append(test)
    for index, keys in enumerate(found):
        _check_needs(keys, places, index)
    if not found:
        unwanted(value, "at least one test")
    return tuple(result)


def _test(value: Value, found: Mapping[str, Value], base: Parts, most_cases: int) -> Test:
    name = get(found, "name", _name, "")
    return Test(
        name=name,
        about=get(found, "about", text, ""),
        points=get(found, "points", _POINTS, Fraction(1)),
        bonus=get(found, "bonus", boolean, default=False),
        needs=get(found, "needs", each_of(text), ()),
        visibility=get(found, "visibility", _VISIBILITY, "visible"),
        hint=get(found, "hint", text, ""),
        all_or_nothing=get(found, "all_or_nothing", boolean, default=False),
        cases=tuple(_cases(name, value, found, base, most_cases)),
    )


def _name(value: Value) -> str:
    name = text(value)
    if not name or not name.isprintable():
        unwanted(value, "a name on one line")
    return name


def _check_unique(
    value: Value, found: Mapping[str, Value], test: Test, ids: Collection[str], *, is_first: bool
) -> None:
    own = [case.id for case in test.cases]
    if "name" not in found:
        return
    if not is_first:
        wrong(found["name"], f"another test is called {in_quotes(test.name)}: give each a name of its own")
    elif len(set(own)) < len(own) or not set(own).isdisjoint(ids):
        wrong(value, f"two cases would be called the same, such as {in_quotes(own[0])}: rename the test or its values")


def _check_needs(found: Mapping[str, Value], places: Mapping[str, int], index: int) -> None:
    needs = found.get("needs")
    for item in items(needs) if needs and isinstance(needs.node, Listing) else ():
        name = text(item)
        place = places.get(name)
        if place is None:
            earlier = [other for other, at in places.items() if at < index]
            wrong(item, f"no test is called {in_quotes(name)}{suggestion(name, earlier) if earlier else ''}")
        elif place == index:
            wrong(item, "a test cannot need itself")
        elif place > index:
            wrong(item, f"{in_quotes(name)} comes later, and a test can need only those before it: move one of them")


def _cases(name: str, value: Value, found: Mapping[str, Value], base: Parts, most: int) -> Iterator[Case]:
    """Write out the cases of a test, up to the first mistake in one: all others would have it too."""
    problems = value.context.problems
    known = len(problems)
    fillings: Sequence[Filling] = get(found, "each", _fillings, [{}])
    # After a mistake in `each`, braces are left alone: which words are variables is not known.
    is_broken = len(problems) > known
    listed: Sequence[Listed] = get(found, "cases", _listed, [(value, found)])
    if len(fillings) * len(listed) > most:
        wrong(value, f"this makes more than {MAX_CASES} cases in all: shorten each or cases")
        return
    for filling in fillings:
        label = ",".join(f"{key}={entry}" for key, entry in filling.items())
        identity = f"{name}[{label}]" if label else name
        variables = None if is_broken else filling
        shared = laid_over(parts(_filled(found, variables)), base)
        for number, (item, own) in enumerate(listed, start=1):
            joined = shared if own is found else laid_over(parts(_filled(own, variables)), shared)
            numbered = identity if own is found else f"{identity}[{number}]"
            if "functions" in joined:
                most -= len(joined["functions"])
                yield from _calls(numbered, item, joined)
                continue
            joined = with_terminal(item, joined)
            is_checked = joined["expect"] or ("dialogue" in joined and checks_something(joined["dialogue"]))
            if not is_checked and is_understood(value, found) and is_understood(item, own):
                wrong(item, "this case checks nothing: say under expect what stdout, stderr, exit or files must be")
            yield Case(**{**joined, "id": numbered, "expect": Expectation(**joined["expect"])})
        if len(problems) > known:
            return
        if most < 0:
            wrong(value, f"this makes more than {MAX_CASES} cases in all: shorten each, or draw fewer calls")
            return


def _calls(identity: str, value: Value, joined: Parts) -> Iterator[Case]:
    """Make a case of each call; what belongs to the start of a program has no place beside them."""
    for key, remedy in _PROGRAM_KEYS.items():
        if joined.get(key):
            wrong(value, f"{key} has no meaning beside functions: {remedy}")
    for number, (functions, expect) in enumerate(joined["functions"], start=1):
        yield Case(**{**joined, "id": f"{identity}[{number}]", "functions": functions, "expect": expect})


def _filled(found: Mapping[str, Value], variables: Filling | None) -> dict[str, Value]:
    return {key: with_variables(value, variables) for key, value in found.items()}


def _listed(value: Value) -> Sequence[Listed]:
    cases: list[Listed] = [(item, fields(item, CASE)) for item in items(value)]
    if not cases:
        unwanted(value, "at least one case")
    return cases


def _fillings(value: Value) -> Sequence[Filling]:
    """Read `each`: every combination of the variables' values."""
    variables: dict[str, Sequence[str]] = {}
    for name, (key, entry) in entries(value).items():
        if not re.fullmatch(WORD, name):
            unwanted(key, "a variable's name, one word such as n")
        variables[name] = _values(entry)
    if not variables:
        unwanted(value, "at least one variable, such as {n: 1..10}")
    if math.prod(map(len, variables.values())) > MAX_CASES:
        wrong(value, f"this makes more than {MAX_CASES} cases: shorten a range or a list")
        return [{}]
    return [dict(zip(variables, values, strict=True)) for values in itertools.product(*variables.values())]


def _values(value: Value) -> Sequence[str]:
    """Read what a variable goes through: a range, or a list of texts."""
    if isinstance(value.node, Table):
        if random := entries(value).get("random"):
            unsupported(random[0])
        else:
            unwanted(value, _VALUES)
        return ("",)
    if isinstance(value.node, Listing):
        values = each_of(text)(value)
    else:
        span = units.parse_range(keyword(value) or "") or range(0)
        values = tuple(map(str, span[: MAX_CASES + 1]))
    if not values:
        unwanted(value, _VALUES)
    elif twice := [entry for entry, times in Counter(values).items() if entry and times > 1]:
        wrong(value, f"{in_quotes(twice[0])} is in this list more than once: keep one")
    return values or ("",)
