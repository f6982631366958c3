"""`interactor`: a program of the course that speaks with the student's, with all that it is given.

A test may name it and its cases what it is given: their keys are laid over the test's, one by one.
"""

from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from typing import Any

from msgspec.structs import replace

from grader.core.model import INTERACTOR_COMPILED, INTERACTOR_STARTS, Expected, Interactor
from grader.core.reader.files_and_build import read_content, read_program_word
from grader.core.reader.language import INTERACTOR
from grader.core.reader.limits import read_limits
from grader.core.text import joined as listed_words
from grader.core.yaml.nodes import Table
from grader.core.yaml.value import (
    Value,
    attach_with_folder,
    each_of,
    fields,
    inner_name,
    parse_count,
    parsed,
    unwanted,
    wrong,
)

_ENDINGS = [*INTERACTOR_STARTS, *INTERACTOR_COMPILED]
_MAX_PASSES = 100
read_passes = parsed(
    lambda written: times if (times := parse_count(written) or 0) in range(1, _MAX_PASSES + 1) else None,
    f"a number of passes from 1 to {_MAX_PASSES}",
    1,
)
_UNFIT: Mapping[str, str] = {
    "stdin": "stdin has no meaning beside an interactor, which is what the program reads: give it that under input",
    "dialogue": "a case has a dialogue or an interactor, which both speak with the program: take one of them out",
    "terminal": "an interactor speaks through pipes: take terminal out",
    "both": "an interactor speaks through pipes: take run out",
}
_UNFIT_BESIDE_PASSES = {"dialogue": "dialogue", "terminal": "terminal", "both": "run"}


def read_interactor(value: Value) -> dict[str, Any]:
    """Read `interactor` as keyword arguments of `Interactor`: the name of its file, or a mapping."""
    if not isinstance(value.node, Table):
        return read_course_program(value)
    if not value.node.pairs:
        unwanted(value, "the name of a program, or a mapping with program in it")
    found = fields(value, INTERACTOR)
    read = {key: _READERS[key](entry) for key, entry in found.items() if key != "program"}
    return {**(read_course_program(found["program"]) if "program" in found else {}), **read}


def read_course_program(value: Value) -> dict[str, Any]:
    """Read the name of a program of the course as keyword arguments of `Interactor`, with all that lies beside it."""
    name = inner_name(value)
    if name and PurePosixPath(name).suffix not in _ENDINGS:
        unwanted(value, f"a program whose name ends in {listed_words(_ENDINGS, 'or')}")
        return {"program": name}
    attach_with_folder(value, name)
    folder, _, _ = name.rpartition("/")
    attached = value.context.attached
    beside = {other: data for other, data in attached.items() if folder and other.startswith(f"{folder}/")}
    return {"program": name, "files": {**beside, name: attached.get(name, b"")}}


_READERS: Mapping[str, Callable[[Value], object]] = {
    "args": each_of(read_program_word),
    "input": read_content,
    "answer": read_content,
    "passes": read_passes,
    "limits": read_limits,
}


def with_interactor(value: Value, joined: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the parts of a case with its interactor made, None where it has none; note what does not go with one.

    So is a validator with several passes, which is asked while the case is run.
    """
    asked = joined["expect"].get("stdout")
    validator = asked.validator if isinstance(asked, Expected) and not joined.get("interactor") else None
    if validator is None or validator.passes == 1:
        return {**joined, "interactor": _interactor_of(value, joined)}
    for key, told in _UNFIT_BESIDE_PASSES.items():
        if joined.get(key):
            wrong(value, f"with several passes a program is given its standard input each time: take {told} out")
    expect = {key: part for key, part in joined["expect"].items() if key != "stdout"}
    return {**joined, "interactor": replace(validator, afterwards=True), "expect": expect}


def _interactor_of(value: Value, joined: Mapping[str, Any]) -> Interactor | None:
    parts = joined.get("interactor")
    if not parts:
        return None
    for key, remedy in _UNFIT.items():
        if joined.get(key):
            wrong(value, remedy)
    if joined["expect"].get("stdout") or joined["expect"].get("screen"):
        wrong(value, "what the program writes goes to the interactor, which judges it: take stdout out of expect")
    if "program" not in parts:
        wrong(value, "this interactor has no program: name its file under program")
        return None
    return Interactor(**parts)
