"""A comparator by itself: what it reads from a line of a spec, and what it says of an output."""

from pathlib import Path
from typing import Any

from grader.core.comparators import COMPARATORS
from grader.core.comparators.base import Wanted
from grader.core.comparators.closeness import Closeness
from grader.core.comparators.lines import LineOptions
from grader.core.comparators.regex import RegexOptions
from grader.core.errors import SpecError
from grader.core.model.spec import CheckOptions, Expected, Leaf, Options
from grader.core.reader.spec import load

_SPEC = "spec: 1\nid: x\ntitle: T\nprogram: ./x\nREFERENCEtests:\n- name: t\n  expect:\n    stdout: WRITTEN\n"


def read_expected(written: str, folder: Path, *, has_reference: bool = True) -> Expected:
    """Return what a comparator reads as the expectation of standard output."""
    path = folder / "x.yaml"
    spec = _SPEC.replace("REFERENCE", "reference: ./y\n" if has_reference else "").replace("WRITTEN", written)
    path.write_text(spec)
    stdout = load(path).tests[0].cases[0].expect.stdout
    assert stdout is not None
    return stdout


def mistakes_of(written: str, folder: Path, *, has_reference: bool = True) -> list[str]:
    """Return the messages of all mistakes in it, each with the place below `stdout` that it names."""
    try:
        read_expected(written, folder, has_reference=has_reference)
    except SpecError as error:
        return [f"{one.path.partition('.stdout')[2]}: {one.message}" for one in error.problems]
    return []


OPTIONS: dict[str, type[Options]] = {
    "lines": LineOptions,
    "tokens": Closeness,
    "numbers": Closeness,
    "regex": RegexOptions,
    "check": CheckOptions,
}


def leaf_of(how: str, want: tuple[str, ...] | None = None, **more: Any) -> Leaf:
    """Return a leaf as it is read: with the options of its comparator, where any differs from the default."""
    kind = OPTIONS.get(how, Options)
    options = kind(**{name: more.pop(name) for name in kind.__struct_fields__ if name in more})
    return Leaf(how=how, want=want, options=Options() if options == kind() else options, **more)


def wanted_of(how: str, *values: bytes, **more: Any) -> Wanted:
    """Return what is expected of standard output, where nothing is tolerated."""
    place: dict[str, Any] = {"tolerate": {}, "place": "stdout", "where": "standard output"}
    given = {name: more.pop(name) for name in Wanted.__struct_fields__ if name in more}
    return Wanted(asked=leaf_of(how, (), **more), **{"values": values, **place, **given})


def compare(how: str, output: bytes, *values: bytes, **more: Any) -> list[tuple[str, str]]:
    """Return kind and sentence of each deviation."""
    return [(one.kind, one.message) for one in COMPARATORS[how].compare(output, wanted_of(how, *values, **more))]
