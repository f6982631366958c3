"""Test cases of Submitty whose right output a solution of the course writes, maybe for input that a script generates.

The solution becomes the reference, and a script in Python a function that a case draws its input with. Nothing is run.
"""

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grader.core.yaml.nodes import Node
from grader.core.yaml.value import escaped
from grader.core.yaml.writing import listing, plain, quoted, table
from grader.imports import text_or_word
from grader.imports.command_lines import needs_shell
from grader.imports.folder import Folder, harmless_name
from grader.imports.submitty_config import NoCounterpartError, words_of

_FOLDERS = ("instructor_solution", "solution", "provided_code", "test_input")
_RUN = re.compile(
    r"(?P<program>python3?|\./[\w.-]+)(?P<script>\s+[\w./-]+\.py)?(?P<args>(?:\s+[\w./:=,+-]+)*)"
    r"(?:\s*<\s*(?P<input>[\w./-]+))?(?:\s*>\s*(?P<output>[\w./-]+))?\s*"
)
_STUDENT = re.compile(
    r"(?P<start>python3\s+(?:[\w./-]*\*\.py|[\w./-]+\.py)|\./[\w./-]+)(?P<args>(?:\s+[\w./:=,+-]+)*)(?:\s*<\s*(?P<input>[\w./-]+))?\s*"
)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class SolvedCase:
    """A test case as a spec says it: the program, what it is given, and the files that this takes."""

    program: Sequence[str]
    reference: Sequence[str]
    keys: Mapping[str, Node]
    files: Mapping[str, bytes]
    generator: str = ""
    """a function that draws the input, as its text; empty where none is drawn"""


def solved_case(case: Mapping[str, Any], command: str, folder: Folder, assignment: str, number: int) -> SolvedCase:
    """Read a test case with `solution_commands`; NoCounterpartError for one that does more than run a script."""
    student = _STUDENT.fullmatch(command)
    lines = words_of(case.get("solution_commands"))
    solution = _matched(lines)
    if not student or not solution or not solution["script"] or not solution["output"]:
        raise NoCounterpartError("solution_commands that do more than to run one script in Python have no counterpart")
    same = (student["args"].split(), student["input"]) == (solution["args"].split(), solution["input"])
    if not same or not _is_compared(case, solution["output"]):
        raise NoCounterpartError("solution_commands with another input, or another comparison than of STDOUT.txt")
    script = solution["script"].strip()
    place = f"reference/{assignment}/{script.rpartition('/')[2]}"
    files = {place: _content(script, folder)}
    start = student["start"]
    program = ("sh", "-c", f'{start} "$@"', "sh") if needs_shell(start) else tuple(shlex.split(start))
    keys: dict[str, Node] = {}
    if args := student["args"].split():
        keys["args"] = listing([quoted(escaped(one)) for one in args])
    generator = ""
    if name := student["input"] or "":
        if f"test_input/{name}" in folder.files:
            files[f"data/{assignment}/test_input/{name}"] = folder.content(f"test_input/{name}")
            keys["stdin"] = table({"file": text_or_word(f"data/{assignment}/test_input/{name}")})
        else:
            function = f"{harmless_name(name)}_{number}"
            generator = _generator(case, name, function, folder)
            keys["stdin"] = table({"generate": quoted(f"data/{assignment}/generate.py:{function}")})
    elif case.get("input_generation_commands"):
        raise NoCounterpartError("input that is generated for something else than standard input")
    keys["expect"] = table({"stdout": table({"lines": plain("reference"), "credit": plain("share")})})
    return SolvedCase(program=program, reference=("python3", place), keys=keys, files=files, generator=generator)


def generator_file(functions: Sequence[str]) -> bytes:
    """Return the file with the functions that draw inputs."""
    return "\n\n".join([_GENERATOR, *functions]).encode()


def program_of_solved(case: Mapping[str, Any], command: str, folder: Folder) -> Sequence[str]:
    """Return the program of a test case whose right output a solution writes; nothing for another one."""
    if not case.get("solution_commands"):
        return ()
    try:
        return solved_case(case, command, folder, "x", 1).program
    except NoCounterpartError:
        return ()


def _matched(lines: Sequence[str]) -> re.Match[str] | None:
    return _RUN.fullmatch(re.sub(r"\s1>", " >", lines[0])) if len(lines) == 1 else None


def _is_compared(case: Mapping[str, Any], output: str) -> bool:
    validation = [one for one in case.get("validation") or () if isinstance(one, dict)]
    return bool(validation) and all(
        "iff" in str(one.get("method"))
        and one.get("actual_file") == "STDOUT.txt"
        and one.get("expected_file") == output
        for one in validation
    )


def _content(name: str, folder: Folder) -> bytes:
    places = [f"{one}/{name}" for one in _FOLDERS]
    found = next((one for one in places if one in folder.files), None)
    if found is None:
        raise NoCounterpartError(f"{name} is in none of {', '.join(_FOLDERS[:2])}: put it there and import again")
    return folder.content(found)


def _generator(case: Mapping[str, Any], wanted: str, function: str, folder: Folder) -> str:
    lines = words_of(case.get("input_generation_commands"))
    made = _matched(lines)
    if not made or not made["script"] or made["output"] != wanted or made["input"]:
        raise NoCounterpartError("input_generation_commands that do more than to run one script in Python")
    script = made["script"].strip()
    text = _content(script, folder).decode(errors="replace")
    return f"def {function}(random):\n    return _written(({script!r}, {text!r}), {made['args'].split()!r}, random)\n"
