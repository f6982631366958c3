"""Whose the folders of a Gradescope export are: `submission_metadata.yml` tells, and their names do not.

Under each folder's name there is `:submitters:`, a list with `:name:`, `:sid:` and `:email:`; everything else in it,
such as old results, is of no use here.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from grader.classroom.handed_in import SUBMITTERS
from grader.errors import SpecError
from grader.model.gradebook import Student
from grader.yaml.nodes import MAX_BYTES, Listing, Node, Scalar, Table, parse


def read_submitters(folder: Path) -> tuple[Mapping[str, tuple[Student, ...]], tuple[str, ...]]:
    """Return who handed in which folder, and a sentence when that cannot be read; neither without such a file."""
    try:
        with (folder / SUBMITTERS).open("rb") as file:
            top = parse(file.read(MAX_BYTES + 1), SUBMITTERS)
    except FileNotFoundError:
        return {}, ()
    except (OSError, SpecError) as error:
        why = error.strerror if isinstance(error, OSError) else error.problems[0].message
        return {}, (f"{SUBMITTERS} cannot be used: {why}; name the folders in the roster's column folder",)
    found = {name: tuple(_students(node)) for name, node in _pairs(top)}
    return {name: students for name, students in found.items() if students}, ()


def _students(node: Node) -> Iterator[Student]:
    people = dict(_pairs(node)).get(":submitters")
    for person in people.items if isinstance(people, Listing) else ():
        cells = {key: value.text for key, value in _pairs(person) if isinstance(value, Scalar)}
        name, sid, email = (cells.get(key, "") for key in (":name", ":sid", ":email"))
        if sid or email or name:
            yield Student(id=sid or email or name, name=name, email=email)


def _pairs(node: Node | None) -> Iterator[tuple[str, Node]]:
    for key, value in node.pairs if isinstance(node, Table) else ():
        yield key.text, value
