"""The tests of Classroom 50 (`classroom50/tests/v1`) -> a spec.

There a test is a shell command, run in the student's folder among the files of the tests before it. Here each case
starts in a new folder and without a shell. So a compiling command becomes the build. A command that needs a shell
becomes an explicit `sh -c`. Only a line of plain words is the program or a command.
"""

import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from grader.core.errors import UsageError
from grader.core.model.decoding import decode_json
from grader.core.text import one_line
from grader.core.yaml.nodes import Node
from grader.core.yaml.value import escaped
from grader.core.yaml.writing import listing, plain, quoted, table
from grader.imports import Imported, check_name, identifier, text_or_word
from grader.imports.command_lines import COMPILERS, common_program, first_word, with_python3
from grader.imports.line_keys import keys_before_tests, start_keys

_FILE_LIMIT = 4 * 2**20
_USUAL_SECONDS = 10
"""of a test that says nothing about time"""
_NETWORK = re.compile(r"\b(?:pip3?|apt|apt-get|npm|curl|wget)\b")
_OVERLOOKED = ("final-newline", "blank-lines", "trailing-space")


# ---------------------------------------------------------------- the file, as it is written

Details = Literal["full", "actual-only", "none"]


class IoTest(msgspec.Struct, frozen=True, rename="kebab", forbid_unknown_fields=True):
    """A test of the file. The keys and their bounds are those of the published schema."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
    type: Literal["io", "run", "python"]
    run: Annotated[str, msgspec.Meta(min_length=1)]
    setup: str = ""
    input: str = ""
    input_file: str = ""
    expected: str = ""
    expected_file: str = ""
    comparison: Literal["included", "exact", "regex"] | None = None
    timeout: Annotated[int, msgspec.Meta(ge=0, le=600)] = 0
    exit_code: Annotated[int, msgspec.Meta(ge=0, le=255)] | None = None
    points: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0
    failure_details: Details | None = None
    show_output: bool | None = None
    show_command: bool | None = None


class Defaults(msgspec.Struct, frozen=True, rename="kebab", forbid_unknown_fields=True):
    """The values of keys that a test does not set itself."""

    failure_details: Details = "full"
    show_output: bool = False
    show_command: bool = False


class IoTests(msgspec.Struct, frozen=True, rename="kebab", forbid_unknown_fields=True):
    """The whole file."""

    schema: Literal["classroom50/tests/v1"]
    tests: list[IoTest]
    defaults: Defaults = Defaults()


def _read_tests(path: Path) -> IoTests:
    """Read a `tests.json`, or a bare list of tests; UsageError when it is invalid."""
    try:
        if path.name in {"autograding.json", "classroom.yml"}:
            raise UsageError(f"{path} is GitHub Classroom's: grader import github-classroom {path}")
        data = path.read_bytes()[: _FILE_LIMIT + 1]
        if len(data) > _FILE_LIMIT:
            raise UsageError(f"{path} has more than {_FILE_LIMIT // 2**20} MiB")
        is_bare = data.lstrip()[:1] == b"["  # as it is given to `gh teacher assignment test set`
        found = (
            IoTests(schema="classroom50/tests/v1", tests=decode_json(data, list[IoTest]))
            if is_bare
            else decode_json(data, IoTests)
        )
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; name the tests.json of an assignment") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} is no tests.json of Classroom 50: {one_line(str(error))}") from error
    for number, test in enumerate(found.tests, 1):
        if problem := _contradiction(test):
            raise UsageError(f"{path}: test {number}, {one_line(test.name)!r}: {problem}")
    return found


def _contradiction(test: IoTest) -> str:
    """Return the fault in the combination of a test's keys; empty when there is none."""
    if test.type != "io" and (test.input or test.input_file or test.expected or test.expected_file or test.comparison):
        return f"input, expected and comparison belong to tests of the type io, not {test.type}"
    if test.type != "run" and test.exit_code is not None:
        return f"exit-code belongs to tests of the type run, not {test.type}"
    if test.type == "io" and test.comparison is None:
        return "the comparison is missing: included, exact or regex"
    if (test.input and test.input_file) or (test.expected and test.expected_file):
        return "the text is there, and a file as well: keep one"
    if test.comparison in {"included", "regex"} and not (test.expected or test.expected_file):
        return "expected is empty, and would be found in any output"
    return ""


# ---------------------------------------------------------------- the spec


@dataclass(slots=True, kw_only=True)
class _Assignment:
    """The state shared by all tests of a file during the conversion."""

    source: Path
    id: str
    defaults: Defaults
    build: Sequence[str]
    """the lines that compile"""
    program: Sequence[str]
    files: dict[str, bytes] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def import_io_tests(path: Path, name: str | None = None) -> Imported:
    """Convert a `tests.json` to a spec; its id is `name`, or else the name of its folder.

    Raises UsageError for an invalid file, or one that names a file outside its folder.
    """
    found = _read_tests(path)
    named = path.resolve().parent.name if path.stem == "tests" else path.stem
    carried = [
        msgspec.structs.replace(test, run=with_python3(test.run), setup=with_python3(test.setup))
        for test in found.tests
        if test.type != "python"
    ]
    if not carried:
        raise UsageError(f"{path}: there is no test of the types io and run, and no others can be carried over")
    # What compiles is the build, and so is a line that comes before every test.
    setups = {test.setup for test in carried}
    lines = [line for test in carried for line in (test.setup, test.run if test.type == "run" else "")]
    compiling = [line for line in lines if first_word(line) in COMPILERS]
    build = list(filter(None, dict.fromkeys([*(setups if len(setups) == 1 else ()), *compiling])))
    starts = [test.run for test in carried if test.run not in build]
    program = common_program(starts) if starts else ("sh", "-c", carried[0].run)
    made = _Assignment(source=path, id=identifier(name, named), defaults=found.defaults, build=build, program=program)
    tests = [_carried_test(test, made) for test in carried]
    return Imported(
        id=made.id,
        spec={
            **keys_before_tests(made.id, made.build, made.program, str(_USUAL_SECONDS), runs=starts),
            "tests": listing(test for test in tests if test),
        },
        files=made.files,
        origin=f"{path.name} of Classroom 50",
        notes=[*made.notes, *_not_carried_over(found.tests, made)],
    )


def _carried_test(test: IoTest, made: _Assignment) -> Node | None:
    """Convert one test; return None and add a note when a spec cannot express it."""
    keys: dict[str, Node] = {"name": text_or_word(test.name), "points": plain(str(test.points))}
    if (test.failure_details or made.defaults.failure_details) != "full":
        keys["visibility"] = plain("hidden")
    keys.update(start_keys(test.run, "" if test.setup in made.build else test.setup, made.program))
    if test.timeout not in {0, _USUAL_SECONDS}:
        keys["limits"] = table({"time": plain(f"{test.timeout} s")})
    if test.type == "run":
        return table({**keys, "expect": table({"exit": plain(str(test.exit_code or 0))})})
    if test.input_file:
        path = f"data/{made.id}/{test.input_file}"
        made.files[path] = _file_of_tests(test.input_file, made)
        keys["stdin"] = table({"file": text_or_word(path)})
    elif test.input:
        keys["stdin"] = quoted(escaped(test.input))
    stdout = _expected_stdout(test, made)
    if stdout is None:
        return None
    if test.comparison == "exact":
        keys["tolerate"] = table({kind: plain("100%") for kind in _OVERLOOKED})
    return table({**keys, "expect": table({"stdout": stdout})})


def _expected_stdout(test: IoTest, made: _Assignment) -> Node | None:
    """Return the expected output; None, with a note, for an invalid pattern."""
    text = test.expected
    if test.expected_file:
        text = _file_of_tests(test.expected_file, made).decode(errors="replace")
    if test.comparison == "included":
        return table({"contains": listing([quoted(escaped(text))])})
    if test.comparison == "exact":
        body = text.strip("\n")
        return table({"text": quoted(escaped(body + "\n" if body else ""))})
    pattern = f"(?m){text}"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        made.notes.append(f"{test.name}: left out, for its pattern is none: {error}. Points: {test.points}.")
        return None
    return table({"regex": quoted(escaped(pattern))})


def _file_of_tests(name: str, made: _Assignment) -> bytes:
    """Return a file from the folder of the tests; UsageError when it is missing or outside that folder."""
    check_name(name)
    folder = made.source.parent.resolve()
    path = (folder / name).resolve()
    if not path.is_relative_to(folder):
        raise UsageError(f"{name} is a link out of {folder}: put the file itself there")
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; the tests need this file beside them") from error


def _not_carried_over(tests: Sequence[IoTest], made: _Assignment) -> Iterator[str]:
    for test in tests:
        if test.type == "python":
            yield f"{test.name}: left out, for it runs pytest beside the student's code. Points: {test.points}."
        if (test.failure_details or made.defaults.failure_details) == "actual-only":
            yield f"{test.name}: it would show a student's own output only; it is hidden here."
    if any(test.show_output or test.show_command for test in tests) or made.defaults.show_output:
        yield "show-output, show-command: reports show output and command of what fails, and of nothing else."
    lines = [line for test in tests if test.type != "python" for line in (test.setup, test.run)]
    if any(_NETWORK.search(line) for line in lines):
        yield "Some lines want the network or install something: there is none here, so put it on the machine."
    if made.build:
        yield "What compiles is the build: when it fails every test does, and there only those that need it."
    yield "Each case starts afresh: what a test leaves behind is not there for the next, unless the build makes it."
    if any(test.comparison == "exact" for test in tests):
        yield "exact: blanks before the first word count here; there they do not."
    yield "An uncaught exception fails a case here, also behind the right output."
