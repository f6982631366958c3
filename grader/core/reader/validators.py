"""Programs of the course that judge, with the keys beside them: `check: {validator: ...}`, as in the Kattis format."""

from pathlib import PurePosixPath
from typing import Any

from grader.core.comparators.base import Siblings
from grader.core.model.spec import INTERACTOR_COMPILED, INTERACTOR_STARTS, CheckOptions, Interactor, Leaf
from grader.core.text import joined
from grader.core.yaml import value as yaml
from grader.core.yaml.types import read_given
from grader.core.yaml.value import Fields, Value, fields, inner_name, unwanted, wrong

_ENDINGS = [*INTERACTOR_STARTS, *INTERACTOR_COMPILED]


def read_validator(value: Value, siblings: Siblings) -> Leaf:
    """Read the deciding program at `value`; it has arguments, but no options next to it."""
    for key, _ in siblings.values():
        wrong(key, "a program has no options: give it arguments, in args beside validator")
    keys = fields(value, "validator")
    validator = Interactor(**{"program": "", **read_program_keys(keys)})
    has_answer = value.context.has_reference and "answer" not in keys
    takes = ("input", "expected") if has_answer else ("input",)
    return Leaf(how="check", want=(), options=CheckOptions(takes=takes, validator=validator))


def read_program_keys(keys: Fields) -> dict[str, Any]:
    """Read a program of the course and the keys beside it, as keyword arguments of `Interactor`."""
    read = read_given(keys)
    return {**read.pop("program", {}), **read}


def read_course_program(value: Value) -> dict[str, Any]:
    """Read the name of a program of the course as keyword arguments of `Interactor`, with all files in its folder."""
    name = inner_name(value)
    if name and PurePosixPath(name).suffix not in _ENDINGS:
        unwanted(value, f"a program whose name ends in {joined(_ENDINGS, 'or')}")
        return {"program": name}
    return {"program": name, "files": yaml.attach_with_folder(value, name)()}
