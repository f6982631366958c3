"""Groups of test data -> the tests of a spec: what goes in, and what the output is held against.

Answers are written into the spec where they are short and the comparison is one of the language's. All others are
files, and a check compares them as the default output validator does.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from grader.errors import UsageError
from grader.imports import default_validator
from grader.imports.imported import text_or_word
from grader.imports.kattis_groups import Datum, Group
from grader.imports.kattis_package import Package
from grader.text import points
from grader.yaml.nodes import Node, entries_of
from grader.yaml.template import escaped
from grader.yaml.writing import listing, plain, quoted, table

SHORT = 2_000
"""bytes of an answer that is written into the spec"""
MOST_SHORT = 256 * 2**10
"""bytes of all those together"""
_SWITCHES = ("case_sensitive", "space_change_sensitive")
_TOLERANCES = {
    "float_tolerance": ("float_relative_tolerance", "float_absolute_tolerance"),
    "float_relative_tolerance": ("float_relative_tolerance",),
    "float_absolute_tolerance": ("float_absolute_tolerance",),
}
_OWN = '''\
"""The output validator of the problem package, which is still to be written as a check: see output_validators there.

Until then every case that it would judge is ungraded, and nobody loses or gets points by it.
"""


def validate(output: bytes, *, input: str, answer: str, flags: str = "") -> None:
    """Hold an output against the files `input` and `answer` beside this one; raise grader.Wrong("why") when wrong."""
    raise NotImplementedError("the output validator of the package has to be written here")
'''


@dataclass(slots=True, kw_only=True)
class _Course:
    """What is made, test by test."""

    folder: str
    """`data/x`, which holds inputs and answers"""
    has_validator: bool
    files: dict[str, bytes] = field(default_factory=dict)
    written: int = 0
    """bytes of answers in the spec so far"""


def to_tests(package: Package, groups: Sequence[Group], name: str) -> tuple[Node, Mapping[str, bytes]]:
    """Return the tests of the spec with this id, and the files that they name; UsageError for flags nobody knows."""
    course = _Course(folder=f"data/{name}", has_validator=package.has_validator)
    tests = listing([_test(package, group, course) for group in groups])
    return tests, course.files


def _test(package: Package, group: Group, course: _Course) -> Node:
    is_sample = group.name == "sample"
    keys: dict[str, Node] = {
        "name": text_or_word(group.name),
        "about": text_or_word("The samples of the statement" if is_sample else "Further inputs"),
        "points": plain(points(group.points)),
    }
    if group.needs:
        keys["needs"] = listing(map(text_or_word, group.needs))
    if not is_sample:
        keys["visibility"] = plain("hidden")
    if group.all_or_nothing:
        keys["all_or_nothing"] = plain("true")
    cases = [_case(package, datum, course) for datum in group.data]
    shared = [case["tolerate"] for case in cases if "tolerate" in case]
    if len(shared) == len(cases):  # it is the same in all
        keys["tolerate"] = shared[0]
        for case in cases:
            del case["tolerate"]
    keys["expect"] = table({"exit": plain("success")})
    keys["cases"] = listing(map(table, cases))
    return table(keys)


def _case(package: Package, datum: Datum, course: _Course) -> dict[str, Node]:
    keys: dict[str, Node] = {}
    if datum.args:
        keys["args"] = listing([quoted(escaped(word)) for word in datum.args])
    keys["stdin"] = _file(course, f"{datum.name}.in", package.files[f"data/{datum.name}.in"])
    if datum.files:
        keys["files"] = table(
            {inner: _file(course, f"{datum.name}.files/{inner}", content) for inner, content in datum.files.items()}
        )
    how = {} if course.has_validator else _flags(datum)
    stdout = _own_validator(datum, course) if course.has_validator else _compared(datum, how, course)
    keys["expect"] = table({"stdout": stdout})
    if "check" not in entries_of(stdout) and "case_sensitive" not in how:
        keys["tolerate"] = table({"letter-case": plain("100%")})
    return keys


def _file(course: _Course, name: str, content: bytes) -> Node:
    course.files[f"{course.folder}/{name}"] = content
    return table({"file": text_or_word(f"{course.folder}/{name}")})


def _flags(datum: Datum) -> Mapping[str, str]:
    """Return the default validator's arguments by name, with a value each."""
    found: dict[str, str] = {}
    rest = list(datum.flags)
    while rest:
        word = rest.pop(0)
        if word in _SWITCHES:
            found[word] = "yes"
        elif word in _TOLERANCES and rest and _is_tolerance(rest[0]):
            value = rest.pop(0)
            found.update(dict.fromkeys(_TOLERANCES[word], value))
        else:
            raise UsageError(f"data/{datum.name}: the default output validator has no argument {word!r}")
    return found


def _is_tolerance(word: str) -> bool:
    try:
        return 0 <= float(word) < 1e30  # noqa: PLR2004 - finite
    except ValueError:
        return False


def _compared(datum: Datum, how: Mapping[str, str], course: _Course) -> Node:
    text = _text(datum.answer, course)
    if text is None or any(flag not in _SWITCHES for flag in how):
        return _checked(datum, how, course)
    course.written += len(datum.answer)
    kind = "text" if "space_change_sensitive" in how else "tokens"
    return table({kind: quoted(escaped(text))})


def _text(answer: bytes, course: _Course) -> str | None:
    """Return a short answer as text; None for one that is long, or would be hard to read in a spec."""
    if len(answer) > SHORT or course.written + len(answer) > MOST_SHORT:
        return None
    try:
        text = answer.decode()
    except UnicodeDecodeError:
        return None
    return text if text.replace("\n", "").isprintable() else None


def _checked(datum: Datum, how: Mapping[str, str], course: _Course) -> Node:
    """Return a check with the copy of the default validator that lies beside the answers."""
    course.files[f"{course.folder}/default_validator.py"] = Path(default_validator.__file__).read_bytes()
    course.files[f"{course.folder}/{datum.name}.ans"] = datum.answer
    return table(
        {
            "check": quoted(f"{course.folder}/default_validator.py:compare"),
            "answer": text_or_word(f"{datum.name}.ans"),
            **{flag: quoted(value) for flag, value in how.items()},
        }
    )


def _own_validator(datum: Datum, course: _Course) -> Node:
    course.files[f"{course.folder}/validator.py"] = _OWN.encode()
    course.files[f"{course.folder}/{datum.name}.ans"] = datum.answer
    options = {"input": f"{datum.name}.in", "answer": f"{datum.name}.ans"}
    if datum.flags:
        options["flags"] = escaped(" ".join(datum.flags))
    check = quoted(f"{course.folder}/validator.py:validate")
    return table({"check": check, **{key: text_or_word(value) for key, value in options.items()}})
