"""`check: {validator: ...}`: a program of the course judges a text, as output validators of the Kattis format do."""

import re

from grader.core.comparators.base import Siblings
from grader.core.model.spec import CheckOptions, Interactor, Leaf
from grader.core.yaml.value import Value, fields, wrong
from grader.kinds.interactive.keys import VALIDATOR
from grader.kinds.interactive.reader import read_program_keys

_OUTPUT = re.compile(r"(?:(?!functions).)*expect\.stdout\.check")


def read_check(value: Value, siblings: Siblings) -> Leaf:
    """Read the deciding program at `value`; it has arguments, but no options next to it."""
    for key, _ in siblings.values():
        wrong(key, "a program has no options: give it arguments, in args beside validator")
    found = fields(value, VALIDATOR)
    validator = Interactor(**{"program": "", **read_program_keys(found, VALIDATOR, "validator")})
    if validator.passes > 1 and not _OUTPUT.fullmatch(value.path):
        wrong(found["passes"], "several passes are for what a program writes: say the check under stdout, and alone")
    if validator.max_score is not None and not _OUTPUT.fullmatch(value.path):
        wrong(found["max_score"], "scores are for what a program writes: say the check under stdout, and alone")
    has_answer = value.context.has_reference and "answer" not in found
    takes = ("input", "expected") if has_answer else ("input",)
    return Leaf(how="check", want=(), options=CheckOptions(takes=takes, validator=validator))
