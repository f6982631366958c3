"""A program of the course in a spec: an interactor, a validator, or what scores a test."""

from pathlib import PurePosixPath
from typing import Any

from grader.core.model.programs import INTERACTOR_COMPILED, INTERACTOR_STARTS
from grader.core.text import joined
from grader.core.yaml.value import Value, attach_with_folder, inner_name, unwanted

_ENDINGS = [*INTERACTOR_STARTS, *INTERACTOR_COMPILED]


def read_course_program(value: Value) -> dict[str, Any]:
    """Read the name of a program of the course as keyword arguments of `Interactor`, with all files in its folder."""
    name = inner_name(value)
    if name and PurePosixPath(name).suffix not in _ENDINGS:
        unwanted(value, f"a program whose name ends in {joined(_ENDINGS, 'or')}")
        return {"program": name}
    attach_with_folder(value, name)
    folder, _, _ = name.rpartition("/")
    attached = value.context.attached
    neighbours = {other: data for other, data in attached.items() if folder and other.startswith(f"{folder}/")}
    return {"program": name, "files": {**neighbours, name: attached.get(name, b"")}}
