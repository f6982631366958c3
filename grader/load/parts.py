"""The keys that a test and its cases share, each with its reader.

What is read are parts, only the keys that are written. `laid_over` joins them: a case's over its test's over the
spec's.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from grader.load.command import argument, command
from grader.load.dialogue import dialogue
from grader.load.expectation import expectation
from grader.load.files import content, inner_name
from grader.load.functions import functions
from grader.load.language import DEVIATIONS, LIMITS
from grader.model import LimitOverrides, Tolerances
from grader.yaml import units
from grader.yaml.value import Value, boolean, each_of, entries, fields, parsed, suggestion, unwanted, wrong

Parts = Mapping[str, Any]
"""Keyword arguments of `Case`, save that `expect` holds those of `Expectation`."""

_KEY_BY_KEY = ("limits", "tolerate", "expect")

_DURATION = parsed(units.parse_duration, 'a time such as "10 s", "500 ms" or "2 min"', 1.0)
_SIZE = parsed(units.parse_size, 'a size such as "512 MiB", "8 MB" or "64 KiB"', 1)
_COUNT = parsed(units.parse_count, "a whole number that is 1 or more", 1)
_LIMITS: Mapping[str, Callable[[Value], float]] = {
    "time": _DURATION,
    "cpu": _DURATION,
    "memory": _SIZE,
    "output": _SIZE,
    "processes": _COUNT,
}
_SHARE = parsed(units.parse_percent, "a share from 0% to 100%", Fraction(0))


def parts(found: Mapping[str, Value]) -> Parts:
    """Read those of the keys that make a case."""
    return {key: CASE_KEYS[key](value) for key, value in found.items() if key in CASE_KEYS}


def laid_over(upper: Parts, lower: Parts) -> Parts:
    """Return the parts of both; where both have a key, the upper one's: `limits`, `tolerate`, `expect` key by key."""
    joined = {key: {**lower.get(key, {}), **upper.get(key, {})} for key in _KEY_BY_KEY}
    return {**lower, **upper, **joined}


def limits(value: Value) -> LimitOverrides:
    """Read `limits`: only the keys that are written, in seconds, bytes and counts."""
    return {key: _LIMITS[key](entry) for key, entry in fields(value, LIMITS).items()}


def tolerances(value: Value) -> Tolerances:
    """Read `tolerate`: deviation -> the share of a case's credit that it leaves."""
    shares = {}
    for name, (key, entry) in entries(value).items():
        if name not in DEVIATIONS:
            wrong(key, f"unknown deviation{suggestion(name, DEVIATIONS)}")
        shares[name] = _SHARE(entry)
    return shares


def _environment(value: Value) -> dict[str, str]:
    variables = {}
    for key, entry in entries(value).values():
        name = argument(key)
        if not name or "=" in name:
            unwanted(key, "the name of an environment variable")
        variables[name] = argument(entry)
    return variables


def _work_files(value: Value) -> dict[str, bytes]:
    files = {}
    for key, entry in entries(value).values():
        name = inner_name(key)
        if name.endswith("/"):
            unwanted(key, "the name of a file")
        files[name] = content(entry)
    return files


CASE_KEYS: Mapping[str, Callable[[Value], object]] = {
    "args": each_of(argument),
    "stdin": content,
    "env": _environment,
    "files": _work_files,
    "terminal": boolean,
    "dialogue": dialogue,
    "command": command,
    "limits": limits,
    "tolerate": tolerances,
    "expect": expectation,
    "functions": functions,
}
