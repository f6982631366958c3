"""`interactor`: a program of the course that talks to the student's, with all its input.

A test may name it and its cases its input: their keys are merged into the test's, one by one.
"""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from grader.core.model.spec import CheckOptions, Interactor, Leaf, Role
from grader.core.reader.files_and_build import read_content, read_course_program, read_program_word
from grader.core.yaml.nodes import Table
from grader.core.yaml.types import read_as
from grader.core.yaml.value import (
    Value,
    each_of,
    fields,
    items,
    parse_count,
    parse_points,
    parsed,
    unwanted,
    wrong,
)
from grader.kinds.base import CaseParts
from grader.kinds.interactive.keys import INTERACTOR, MAX_ROLES, ROLE, ROLE_NAME

_MAX_PASSES = 100
_read_passes = parsed(
    lambda written: times if (times := parse_count(written) or 0) in range(1, _MAX_PASSES + 1) else None,
    f"a number of passes from 1 to {_MAX_PASSES}",
    1,
)
_read_max_score = parsed(lambda written: parse_points(written) or None, "a number above 0", Fraction(1))
_UNFIT: Mapping[str, str] = {
    "stdin": "stdin has no meaning beside an interactor, which is what the program reads: give it that under input",
    "dialogue": "a case has a dialogue or an interactor, which both speak with the program: take one of them out",
    "terminal": "an interactor speaks through pipes: take terminal out",
    "both": "an interactor speaks through pipes: take run out",
}
_UNFIT_BESIDE_PROGRAMS: Mapping[str, str] = {
    "passes": "programs that run at the same time have one pass: take passes out, or programs",
    "memory-clean": "the memory of a single program is watched: take memory-clean out, or make a test of its own",
}
_UNFIT_BESIDE_PASSES = {"dialogue": "dialogue", "terminal": "terminal", "both": "run"}


def read_interactor(value: Value) -> dict[str, Any]:
    """Read `interactor` as keyword arguments of `Interactor`: the name of its file, or a mapping."""
    if not isinstance(value.node, Table):
        return read_course_program(value)
    if not value.node.pairs:
        unwanted(value, "the name of a program, or a mapping with program in it")
    found = fields(value, INTERACTOR)
    read = {_NAMES.get(key, key): INTERACTOR_READERS[key](entry) for key, entry in found.items() if key != "program"}
    return {**(read_course_program(found["program"]) if "program" in found else {}), **read}


def _read_roles(value: Value) -> tuple[Role, ...]:
    """Read the starts of the student's program, of which each has a name and arguments."""
    found: dict[str, Role] = {}
    for item in items(value):
        role = _read_role(item)
        if role.name in found:
            wrong(item, f"two programs have the name {role.name}: give each its own")
        found[role.name] = role
    if len(items(value)) not in range(2, MAX_ROLES + 1):
        wrong(value, f"from 2 to {MAX_ROLES} programs are started; for a single one, leave programs out")
    return tuple(found.values())


def _read_role(value: Value) -> Role:
    if not isinstance(value.node, Table):
        name = _read_role_name(value)
        return Role(name=name, args=(name,))
    entries = fields(value, ROLE)
    name = _read_role_name(entries["name"]) if "name" in entries else ""
    return Role(name=name, args=each_of(read_program_word)(entries["args"]) if "args" in entries else (name,))


_read_role_name = parsed(
    lambda written: written if re.fullmatch(ROLE_NAME, written, re.ASCII) else None,
    "a name of letters, digits, _ and -, at most 30, that begins with a letter",
    "",
)
_NAMES = {"programs": "roles"}
"""keys that have another name in `Interactor`"""
INTERACTOR_READERS: Mapping[str, Callable[[Value], Any]] = {
    "args": each_of(read_program_word),
    "input": read_content,
    "answer": read_content,
    "programs": _read_roles,
    "passes": _read_passes,
    "max_score": _read_max_score,
    "limits": read_as("limits"),
}
"""a key of an interactor, or of a validator -> its reader"""


def complete(value: Value, parts: CaseParts) -> CaseParts:
    """Return the parts of a case with its interactor, None where it has none; report keys that do not go with it.

    A validator with several passes, or with scores, counts as an interactor: it runs while the case runs, and is part
    of what is known of that.
    """
    asked = parts["expect"].get("stdout")
    validator = asked.get(CheckOptions).validator if isinstance(asked, Leaf) and not parts.get("interactor") else None
    if validator is None or (validator.passes == 1 and validator.max_score is None):
        return {**parts, "interactor": _interactor_of(value, parts)}
    for key, unfit in _UNFIT_BESIDE_PASSES.items():
        if parts.get(key):
            several = "with several passes a program is given its standard input each time"
            why = "with max_score a program is given its standard input" if validator.passes == 1 else several
            wrong(value, f"{why}: take {unfit} out")
    expect = {key: one for key, one in parts["expect"].items() if key != "stdout"}
    return {**parts, "interactor": replace(validator, is_output_validator=True), "expect": expect}


def _interactor_of(value: Value, parts: CaseParts) -> Interactor | None:
    asked = parts.get("interactor")
    if not asked:
        return None
    for key, remedy in _UNFIT.items():
        if parts.get(key):
            wrong(value, remedy)
    if parts["expect"].get("stdout") or parts["expect"].get("screen"):
        wrong(value, "what the program writes goes to the interactor, which judges it: take stdout out of expect")
    if "program" not in asked:
        wrong(value, "this interactor has no program: name its file under program")
        return None
    if asked.get("roles"):
        for key, remedy in _UNFIT_BESIDE_PROGRAMS.items():
            if parts.get(key) or (key == "passes" and asked.get(key, 1) > 1):
                wrong(value, remedy)
    return Interactor(**asked)
