"""The test data of a problem package: inputs with their answers, in groups, with what each group counts.

A problem without points is accepted or rejected: all its secret data is one test, which needs the samples, and is
all or nothing. A group of a scoring problem is a test with its points.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from grader.errors import UsageError
from grader.imports.kattis_package import Package, mapping, words

ALL_POINTS = Fraction(100)
"""of a problem that knows no points"""
_SETTINGS = ("testdata.yaml", "test_group.yaml")


@dataclass(frozen=True, slots=True, kw_only=True)
class Datum:
    """One input with its answer."""

    name: str
    """path below `data/`, without an ending"""
    answer: bytes
    flags: tuple[str, ...] = ()
    """of the output validator"""
    args: tuple[str, ...] = ()
    files: Mapping[str, bytes]
    """put beside the program"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """What becomes one test."""

    name: str
    """`sample`, `secret` or `secret/group1`"""
    data: Sequence[Datum]
    points: Fraction
    all_or_nothing: bool
    needs: tuple[str, ...] = ()


def read_groups(package: Package, notes: list[str]) -> Sequence[Group]:
    """Read the test data, the samples first; adds to `notes` what cannot be carried over.

    Raises UsageError when there is none.
    """
    names = ["sample", *_secret_groups(package)] if package.is_scoring else ["sample", "secret"]
    found = {name: data for name in names if (data := tuple(_data(package, name, notes)))}
    if not found:
        raise UsageError(f"{package.path}: there is no input with an answer in data/sample and data/secret")
    _note_others(package, notes)
    if package.is_scoring:
        return [_scored(package, name, data, list(found), notes) for name, data in found.items()]
    notes.append("Points: a problem that is accepted or rejected has none. All data has to pass for all points.")
    return [
        Group(
            name=name,
            data=data,
            points=ALL_POINTS if name == list(found)[-1] else Fraction(0),
            all_or_nothing=True,
            needs=tuple(found)[:1] if name == "secret" and len(found) > 1 else (),
        )
        for name, data in found.items()
    ]


def _secret_groups(package: Package) -> list[str]:
    """Return the groups below `secret`, and `secret` itself where inputs lie in it directly."""
    inputs = [name for name in package.below("data/secret/") if name.endswith(".in")]
    groups = sorted({name.split("/")[0] for name in inputs if "/" in name})
    direct = ["secret"] if any("/" not in name for name in inputs) else []
    return [*direct, *(f"secret/{group}" for group in groups)]


def _data(package: Package, group: str, notes: list[str]) -> Iterator[Datum]:
    has_groups = package.is_scoring and group == "secret"
    for name in package.below(f"data/{group}/"):
        if not name.endswith(".in") or (has_groups and "/" in name):
            continue
        full = f"{group}/{name.removesuffix('.in')}"
        if f"data/{full}.ans" not in package.files:
            notes.append(f"The input {full}.in has no answer, {full}.ans, and is left out.")
            continue
        settings = {**_settings(package, full), **package.data(f"data/{full}.yaml")}
        yield Datum(
            name=full,
            answer=package.files[f"data/{full}.ans"],
            flags=_flags(package, settings),
            args=tuple(words(settings.get("args"))),
            files=package.below(f"data/{full}.files/"),
        )


def _settings(package: Package, name: str) -> dict[str, Any]:
    """Return what the settings of the groups around an input say, the inner ones last."""
    parts = ["data", *name.split("/")[:-1]]
    folders = ["/".join(parts[: count + 1]) for count in range(len(parts))]
    merged: dict[str, Any] = {}
    for folder in folders:
        merged.update(_own_settings(package, folder))
    return merged


def _own_settings(package: Package, folder: str) -> Mapping[str, Any]:
    found: dict[str, Any] = {}
    for name in _SETTINGS:
        found.update(package.data(f"{folder}/{name}"))
    return found


def _flags(package: Package, settings: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the arguments of the output validator, of either form of the format."""
    flags = settings.get("output_validator_flags")
    own = [*words(mapping(flags).get("flags", flags)), *words(settings.get("output_validator_args"))]
    return (*words(package.problem.get("validator_flags")), *own)


def _note_others(package: Package, notes: list[str]) -> None:
    endings = {
        ".hint": "hints: a hint belongs to a test, so write one under `hint`",
        ".desc": "descriptions of inputs",
        ".interaction": "sample interactions",
    }
    for ending, told in endings.items():
        if any(name.startswith("data/") and name.endswith(ending) for name in package.files):
            notes.append(f"Left out: {told}.")


# ---------------------------------------------------------------- points


def _scored(package: Package, name: str, data: Sequence[Datum], names: Sequence[str], notes: list[str]) -> Group:
    own = _own_settings(package, f"data/{name}")
    count = len(data)
    if package.is_legacy:
        points, is_whole = _legacy_points(name, own, _settings(package, f"{name}/x"), count, notes)
    else:
        points, is_whole = _points(name, own, count, notes)
    required = words(own.get("require_pass"))
    needs = tuple(need for need in required if need in names[: names.index(name)])
    others = [need for need in required if need not in needs]
    notes += [f"{name} requires {need}, which does not come before it: that is left out." for need in others]
    return Group(name=name, data=data, points=points, all_or_nothing=is_whole, needs=needs)


def _points(name: str, own: Mapping[str, Any], count: int, notes: list[str]) -> tuple[Fraction, bool]:
    """Return the points of a group, and whether all of it must pass, as `test_group.yaml` says."""
    if name == "sample":
        return Fraction(0), True
    how = own.get("score_aggregation", "sum" if name == "secret" else "pass-fail")
    most = own.get("max_score", 100 if name == "secret" else None)
    if isinstance(most, int):
        return Fraction(max(most, 0)), how != "sum"
    notes.append(f"Points: {name} has no highest score; it has a point for each input.")
    return Fraction(count), how != "sum"


def _legacy_points(
    name: str, own: Mapping[str, Any], merged: Mapping[str, Any], count: int, notes: list[str]
) -> tuple[Fraction, bool]:
    """Return the same as `testdata.yaml` says: the end of the range, else the scores of all inputs together."""
    flags = words(own.get("grader_flags"))
    is_whole = not {"accept_if_any_accepted", "always_accept"} & {*flags}
    if merged.get("grading", "default") != "default":
        notes.append(f"Points: {name} has a grader of its own; its inputs share the points here.")
    ends = words(own.get("range"))
    if len(ends) == 2 and (most := _finite(ends[1])) is not None:  # noqa: PLR2004 - two ends
        return most, is_whole
    if name == "sample":
        return Fraction(0), is_whole
    score = _finite(str(merged.get("accept_score", 1))) or Fraction(0)
    return (score if {"min", "max", "avg"} & {*flags} else score * count), is_whole


def _finite(written: str) -> Fraction | None:
    """Return a number of points, 0 or more; None for infinity, and what is no number."""
    try:
        number = float(written)
    except ValueError:
        return None
    return max(Fraction(str(number)), Fraction(0)) if math.isfinite(number) else None
