"""Programs of the course with the keys beside them: `check: {validator: ...}`, as in the Kattis format.

An interactor has some of the same keys.
"""

import re
from typing import Any

from grader.core.comparators.base import Siblings
from grader.core.model.spec import CheckOptions, Interactor, Leaf
from grader.core.yaml.types import read_given
from grader.core.yaml.value import Fields, Value, fields, unwanted, wrong

_MAX_PASSES = 100
_OUTPUT = re.compile(r"(?:(?!functions).)*expect\.stdout\.check")


def read_validator(value: Value, siblings: Siblings) -> Leaf:
    """Read the deciding program at `value`; it has arguments, but no options next to it."""
    for key, _ in siblings.values():
        wrong(key, "a program has no options: give it arguments, in args beside validator")
    found = fields(value, "validator")
    validator = Interactor(**{"program": "", **read_program_keys(found)})
    if validator.passes > 1 and not _OUTPUT.fullmatch(value.path):
        wrong(found["passes"], "several passes are for what a program writes: say the check under stdout, and alone")
    if validator.max_score is not None and not _OUTPUT.fullmatch(value.path):
        wrong(found["max_score"], "scores are for what a program writes: say the check under stdout, and alone")
    has_answer = value.context.has_reference and "answer" not in found
    takes = ("input", "expected") if has_answer else ("input",)
    return Leaf(how="check", want=(), options=CheckOptions(takes=takes, validator=validator))


def read_program_keys(found: Fields) -> dict[str, Any]:
    """Read a program of the course and the keys beside it, as keyword arguments of `Interactor`."""
    read = read_given(found)
    if read.get("passes", 1) > _MAX_PASSES:
        unwanted(found["passes"], f"a number of passes from 1 to {_MAX_PASSES}")
    if read.get("max_score") == 0:
        unwanted(found["max_score"], "a number above 0")
    return {**read.pop("program", {}), **read}
