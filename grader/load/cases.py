"""The tests of a spec, with every case written out.

With `each`, a test is read once for every combination of its variables, the first variable changing slowest. What is
written for students, `about` and `hint`, belongs to the test and is not filled.

What a test and its cases share are parts: only the keys that are written. `laid_over` joins them, a case's over its
test's over the spec's.
"""

import itertools
import math
import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal

from grader.load.dialogue import checks_something, read_dialogue, with_terminal
from grader.load.expectation import read_expectation
from grader.load.files import read_content
from grader.load.functions import read_functions
from grader.load.language import CASE, DEVIATION_MEANINGS, LIMITS, TEST
from grader.model import Case, Expectation, LimitOverrides, Test, Tolerances
from grader.yaml import units
from grader.yaml.attached import inner_name
from grader.yaml.nodes import Listing, Table
from grader.yaml.template import WORD
from grader.yaml.value import (
    Value,
    boolean,
    choice,
    each_of,
    entries,
    fields,
    filled,
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
CaseParts = Mapping[str, Any]
"""Keyword arguments of `Case`, save that `expect` holds those of `Expectation`."""

_PROGRAM_KEYS = {
    "args": "each of its calls has args of its own",
    "expect": "each of its calls has its own",
    "command": "make a test of its own for it",
    "terminal": "make a test of its own for it",
    "dialogue": "make a test of its own for it",
}
_WANTED_VALUES = "a range such as 1..10, the smaller end first, or a list"
_TEST_POINTS = parsed(units.parse_points, "a number of points, 0 or more", Fraction(1))
_VISIBILITY: Callable[[Value], Visibility] = choice(("visible", "hidden", "after-due"), "visibility")


def read_every_test(value: Value, base: CaseParts) -> tuple[Test, ...]:
    """Read `tests`; `base` is what the spec says for every case. A test can need only tests that come before it."""
    found = [fields(item, TEST) for item in items(value)]
    places: dict[str, int] = {}
    ids: set[str] = set()
    result: list[Test] = []
    for index, item in enumerate(items(value)):
        test = _read_test(item, found[index], base, MAX_CASES - len(ids))
        own = [case.id for case in test.cases]
        is_first = places.setdefault(test.name, index) == index
        if "name" in found[index] and not is_first:
            wrong(found[index]["name"], f"another test is called {in_quotes(test.name)}: give each a name of its own")
        elif "name" in found[index] and (len(set(own)) < len(own) or not ids.isdisjoint(own)):
            same = f"two cases would be called the same, such as {in_quotes(own[0])}"
            wrong(item, f"{same}: rename the test or its values")
        ids.update(own)
        result.append(test)
    for index, keys in enumerate(found):
        _check_needs(keys, places, index)
    if not found:
        unwanted(value, "at least one test")
    return tuple(result)


def _read_test(value: Value, found: Mapping[str, Value], base: CaseParts, most_cases: int) -> Test:
    name = get(found, "name", text, "")
    if "name" in found and (not name or not name.isprintable()):
        unwanted(found["name"], "a name on one line")
    return Test(
        name=name,
        about=get(found, "about", text, ""),
        points=get(found, "points", _TEST_POINTS, Fraction(1)),
        bonus=get(found, "bonus", boolean, default=False),
        needs=get(found, "needs", each_of(text), ()),
        visibility=get(found, "visibility", _VISIBILITY, "visible"),
        hint=get(found, "hint", text, ""),
        all_or_nothing=get(found, "all_or_nothing", boolean, default=False),
        cases=tuple(_write_out_cases(name, value, found, base, most_cases)),
    )


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


# ---------------------------------------------------------------- cases


def _write_out_cases(name: str, value: Value, found: Mapping[str, Value], base: CaseParts, most: int) -> Iterator[Case]:
    """Write out the cases of a test, up to the first mistake in one: all others would have it too."""
    problems = value.context.problems
    known = len(problems)
    fillings: Sequence[Filling] = get(found, "each", _read_fillings, [{}])
    # After a mistake in `each`, braces are left alone: which words are variables is not known.
    is_broken = len(problems) > known
    listed = [(value, found)]
    if "cases" in found:
        listed = [(item, fields(item, CASE)) for item in items(found["cases"])]
        if not listed:
            unwanted(found["cases"], "at least one case")
    if len(fillings) * len(listed) > most:
        wrong(value, f"this makes more than {MAX_CASES} cases in all: shorten each or cases")
        return
    for filling in fillings:
        label = ",".join(f"{key}={entry}" for key, entry in filling.items())
        identity = f"{name}[{label}]" if label else name
        variables = None if is_broken else filling
        shared = laid_over(read_parts(found, variables), base)
        for number, (item, own) in enumerate(listed, start=1):
            joined = shared if own is found else laid_over(read_parts(own, variables), shared)
            numbered = identity if own is found else f"{identity}[{number}]"
            if "functions" in joined:
                most -= len(joined["functions"])
                yield from _make_calls(numbered, item, joined)
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


def _make_calls(identity: str, value: Value, joined: CaseParts) -> Iterator[Case]:
    """Make a case of each call; what belongs to the start of a program has no place beside them."""
    for key, remedy in _PROGRAM_KEYS.items():
        if joined.get(key):
            wrong(value, f"{key} has no meaning beside functions: {remedy}")
    for number, (functions, expect) in enumerate(joined["functions"], start=1):
        yield Case(**{**joined, "id": f"{identity}[{number}]", "functions": functions, "expect": expect})


def _read_fillings(value: Value) -> Sequence[Filling]:
    """Read `each`: every combination of the variables' values."""
    variables: dict[str, Sequence[str]] = {}
    for name, (key, entry) in entries(value).items():
        if not re.fullmatch(WORD, name):
            unwanted(key, "a variable's name, one word such as n")
        variables[name] = _read_range_or_list(entry)
    if not variables:
        unwanted(value, "at least one variable, such as {n: 1..10}")
    if math.prod(map(len, variables.values())) > MAX_CASES:
        wrong(value, f"this makes more than {MAX_CASES} cases: shorten a range or a list")
        return [{}]
    return [dict(zip(variables, values, strict=True)) for values in itertools.product(*variables.values())]


def _read_range_or_list(value: Value) -> Sequence[str]:
    """Read what a variable goes through: a range, or a list of texts."""
    if isinstance(value.node, Table):
        if random := entries(value).get("random"):
            unsupported(random[0])
        else:
            unwanted(value, _WANTED_VALUES)
        return ("",)
    if isinstance(value.node, Listing):
        values = each_of(text)(value)
    else:
        span = units.parse_range(keyword(value) or "") or range(0)
        values = tuple(map(str, span[: MAX_CASES + 1]))
    if not values:
        unwanted(value, _WANTED_VALUES)
    elif twice := [entry for entry, times in Counter(values).items() if entry and times > 1]:
        wrong(value, f"{in_quotes(twice[0])} is in this list more than once: keep one")
    return values or ("",)


# ---------------------------------------------------------------- the keys that a test and its cases share

_LIMIT_OF_TIME = parsed(units.parse_duration, 'a time such as "10 s", "500 ms" or "2 min"', 1.0)
_SIZE = parsed(units.parse_size, 'a size such as "512 MiB", "8 MB" or "64 KiB"', 1)
_LEAST_MEMORY = 2**20
"""bytes; with less not even the sandbox comes up"""
_MEMORY = parsed(
    lambda written: size if (size := units.parse_size(written) or 0) >= _LEAST_MEMORY else None,
    'a size of 1 MiB or more, such as "512 MiB" or "64 MB"',
    _LEAST_MEMORY,
)
_PROCESSES = parsed(units.parse_count, "a whole number that is 1 or more", 1)
LIMIT_READERS: Mapping[str, Callable[[Value], float]] = {
    "time": _LIMIT_OF_TIME,
    "cpu": _LIMIT_OF_TIME,
    "memory": _MEMORY,
    "output": _SIZE,
    "processes": _PROCESSES,
}
_SHARE = parsed(units.parse_percent, "a share from 0% to 100%", Fraction(0))


def read_parts(found: Mapping[str, Value], variables: Filling | None = None) -> CaseParts:
    """Read those of the keys that make a case, with the variables filled in."""
    filled = {key: with_variables(value, variables) for key, value in found.items() if key in CASE_READERS}
    return {key: CASE_READERS[key](value) for key, value in filled.items()}


def laid_over(upper: CaseParts, lower: CaseParts) -> CaseParts:
    """Return the parts of both; where both have a key, the upper one's: `limits`, `tolerate`, `expect` key by key."""
    joined = {key: {**lower.get(key, {}), **upper.get(key, {})} for key in ("limits", "tolerate", "expect")}
    return {**lower, **upper, **joined}


def read_limits(value: Value) -> LimitOverrides:
    """Read `limits`: only the keys that are written, in seconds, bytes and counts."""
    return {key: LIMIT_READERS[key](entry) for key, entry in fields(value, LIMITS).items()}


def _read_tolerances(value: Value) -> Tolerances:
    """Read `tolerate`: deviation -> the share of a case's credit that it leaves."""
    shares = {}
    for name, (key, entry) in entries(value).items():
        if name not in DEVIATION_MEANINGS:
            wrong(key, f"unknown deviation{suggestion(name, DEVIATION_MEANINGS)}")
        shares[name] = _SHARE(entry)
    return shares


def read_command(value: Value) -> tuple[str, ...]:
    """Read a command, a string or a list of words. Variables are filled after the split: a value stays one word."""
    if isinstance(value.node, Listing):
        words = each_of(read_word)(value)
    else:
        written = text(with_variables(value, None))
        try:
            words = tuple(_without_null(value, filled(value, word)) for word in shlex.split(written))
        except ValueError as error:
            wrong(value, f"this command cannot be split into words: {str(error).lower()}")
            words = ()
    if not words or not words[0]:
        unwanted(value, "a command")
    return words


def read_commands(value: Value) -> tuple[tuple[str, ...], ...]:
    """Read one command as a string, or a list of commands."""
    if not isinstance(value.node, Listing):
        return (read_command(value),)
    if not value.node.items:
        unwanted(value, "at least one command")
    return tuple(read_command(item) for item in items(value))


def read_word(value: Value) -> str:
    """Read a text that can be handed to a program: one without the character NUL."""
    return _without_null(value, text(value))


def _without_null(value: Value, word: str) -> str:
    if "\0" in word:
        wrong(value, "no program can be given the character U+0000 here: leave it out")
    return word


def _read_environment(value: Value) -> dict[str, str]:
    variables = {}
    for key, entry in entries(value).values():
        name = read_word(key)
        if not name or "=" in name:
            unwanted(key, "the name of an environment variable")
        variables[name] = read_word(entry)
    return variables


def _read_work_files(value: Value) -> dict[str, bytes]:
    files = {}
    for key, entry in entries(value).values():
        name = inner_name(key)
        if name.endswith("/"):
            unwanted(key, "the name of a file")
        files[name] = read_content(entry)
    return files


CASE_READERS: Mapping[str, Callable[[Value], object]] = {
    "args": each_of(read_word),
    "stdin": read_content,
    "env": _read_environment,
    "files": _read_work_files,
    "terminal": boolean,
    "dialogue": read_dialogue,
    "command": read_command,
    "limits": read_limits,
    "tolerate": _read_tolerances,
    "expect": read_expectation,
    "functions": read_functions,
}
