"""Test cases of Submitty whose right output a solution of the course writes, maybe for input that a script generates.

The solution becomes the reference, and a script in Python a function that a case draws its input with. Nothing is run.
"""

import re
import shlex
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from grader.core.yaml.writing import plain
from grader.imports.command_lines import needs_shell
from grader.imports.draft import CourseFile, Data, DraftCase
from grader.imports.folder import Folder, harmless_name
from grader.imports.submitty_config import NoCounterpartError, case_commands, mappings_of, words_of

_FOLDERS = ("instructor_solution", "solution", "provided_code", "test_input")
_ARGS = r"(?P<args>(?:\s+[\w./:=,+-]+)*)(?:\s*<\s*(?P<input>[\w./-]+))?"
_SOLUTION = re.compile(rf"python3?\s+(?P<script>[\w./-]+\.py){_ARGS}\s*>\s*(?P<output>[\w./-]+)\s*")
_STUDENT = re.compile(rf"(?P<start>python3\s+(?:[\w./-]*\*\.py|[\w./-]+\.py)|\./[\w./-]+){_ARGS}\s*")
_GENERATOR = '''\
"""The input that scripts of the imported assignment generate, each seeded by what a case draws."""

import contextlib
import io
import random as module
import sys


def _written(script, args, random):
    module.seed(random.getrandbits(64))
    output, kept = io.StringIO(), sys.argv
    sys.argv = [script[0], *args]
    try:
        with contextlib.redirect_stdout(output):
            exec(compile(script[1], script[0], "exec"), {"__name__": "__main__"})
    finally:
        sys.argv = kept
    return output.getvalue()
'''


class SolvedCase(NamedTuple):
    """A test case as a spec says it: the program, the reference and the case, with a function that draws the input."""

    program: Sequence[str]
    reference: CourseFile
    case: DraftCase
    generator: str
    """its text; empty where no input is drawn"""


def solved_case(case: Mapping[str, Any], folder: Folder, assignment_id: str, number: int) -> SolvedCase:
    """Read a test case with `solution_commands`; NoCounterpartError for one that does more than run a script."""
    commands = case_commands(case)
    if len(commands) != 1:
        raise NoCounterpartError("solution_commands beside several commands have no counterpart")
    student, solution = _STUDENT.fullmatch(commands[0]), _matched(case.get("solution_commands"))
    if not student or not solution:
        raise NoCounterpartError("solution_commands that do more than to run one script in Python have no counterpart")
    same = (student["args"].split(), student["input"]) == (solution["args"].split(), solution["input"])
    validation = mappings_of(case.get("validation"))
    is_compared = all(
        "iff" in str(one.get("method"))
        and (one.get("actual_file"), one.get("expected_file")) == ("STDOUT.txt", solution["output"])
        for one in validation
    )
    if not (same and validation and is_compared):
        raise NoCounterpartError("solution_commands with another input, or another comparison than of STDOUT.txt")
    script, start, name = solution["script"], student["start"], student["input"] or ""
    reference = CourseFile(name=script.rpartition("/")[2], content=_content(script, folder), folder="reference")
    stdin: Data = None
    generator = ""
    if name and f"test_input/{name}" in folder.files:
        stdin = {"file": CourseFile(name=f"test_input/{name}", content=folder.content(f"test_input/{name}"))}
    elif name:
        function = f"{harmless_name(name)}_{number}"
        made = _matched(case.get("input_generation_commands"))
        if not made or made["output"] != name or made["input"]:
            raise NoCounterpartError("input_generation_commands that do more than to run one script in Python")
        pair = (made["script"], _content(made["script"], folder).decode(errors="replace"))
        generator = f"def {function}(random):\n    return _written({pair!r}, {made['args'].split()!r}, random)\n"
        stdin = {"generate": f"data/{assignment_id}/generate.py:{function}"}
    elif case.get("input_generation_commands"):
        raise NoCounterpartError("input that is generated for something else than standard input")
    return SolvedCase(
        program=("sh", "-c", f'{start} "$@"', "sh") if needs_shell(start) else tuple(shlex.split(start)),
        reference=reference,
        case=DraftCase(
            stdin=stdin,
            expect={"stdout": {"lines": plain("reference"), "credit": plain("share")}},
            keys={"args": student["args"].split() or None},
        ),
        generator=generator,
    )


def generator_file(functions: Sequence[str]) -> bytes:
    """Return the file with the functions that draw inputs."""
    return "\n\n".join([_GENERATOR, *functions]).encode()


def _matched(commands: Any) -> re.Match[str] | None:
    lines = words_of(commands)
    return _SOLUTION.fullmatch(re.sub(r"\s1>", " >", lines[0])) if len(lines) == 1 else None


def _content(name: str, folder: Folder) -> bytes:
    found = next((place for one in _FOLDERS if (place := f"{one}/{name}") in folder.files), None)
    if found is None:
        raise NoCounterpartError(f"{name} is in none of {', '.join(_FOLDERS[:2])}: put it there and import again")
    return folder.content(found)
