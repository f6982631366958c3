"""Programs of the course with the keys beside them: `check: {validator: ...}`, as in the Kattis format.

An interactor has some of the same keys.
"""

import re
from collections.abc import Mapping
from typing import Any

from grader.core.comparators.base import Siblings
from grader.core.model.spec import CheckOptions, Interactor, Leaf
from grader.core.reader.types import read_course_program
from grader.core.yaml.types import read_given
from grader.core.yaml.value import Keys, Value, fields, get, unwanted, wrong

_MAX_PASSES = 100
_OUTPUT = re.compile(r"(?:(?!functions).)*expect\.stdout\.check")


def read_validator(value: Value, siblings: Siblings) -> Leaf:
    """Read the deciding program at `value`; it has arguments, but no options next to it."""
    for key, _ in siblings.values():
        wrong(key, "a program has no options: give it arguments, in args beside validator")
    known = value.context.types["validator"].keys or {}
    found = fields(value, known)
    validator = Interactor(**{"program": "", **read_program_keys(found, known, "validator")})
    if validator.passes > 1 and not _OUTPUT.fullmatch(value.path):
        wrong(found["passes"], "several passes are for what a program writes: say the check under stdout, and alone")
    if validator.max_score is not None and not _OUTPUT.fullmatch(value.path):
        wrong(found["max_score"], "scores are for what a program writes: say the check under stdout, and alone")
    has_answer = value.context.has_reference and "answer" not in found
    takes = ("input", "expected") if has_answer else ("input",)
    return Leaf(how="check", want=(), options=CheckOptions(takes=takes, validator=validator))


def read_program_keys(found: Mapping[str, Value], known: Keys, key: str) -> dict[str, Any]:
    """Read a program of the course, which is named under `key`, and the keys beside it."""
    read = read_given(found, known, *(name for name in known if name != key))
    if read.get("passes", 1) > _MAX_PASSES:
        unwanted(found["passes"], f"a number of passes from 1 to {_MAX_PASSES}")
    if read.get("max_score") == 0:
        unwanted(found["max_score"], "a number above 0")
    return {**get(found, key, read_course_program, {}), **read}
