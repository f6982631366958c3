"""The tests of Classroom 50 (`classroom50/tests/v1`) -> a spec.

There a test is a shell command, run in the student's folder among the files of the tests before it. Here each case
starts in a new folder and without a shell. So a compiling command becomes the build. A command that needs a shell
becomes an explicit `sh -c`. Only a line of plain words is the program or a command.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec.structs import replace

from grader.core.bounded_regex import fault_of
from grader.core.errors import UsageError
from grader.core.model.values import decode_json
from grader.core.text import one_line
from grader.imports import Imported, identifier
from grader.imports.command_lines import COMPILERS, common_program, first_word, with_python3
from grader.imports.draft import CourseFile, Draft, DraftCase, DraftTest, Loss, OpenCheck, losses_where
from grader.imports.folder import Folder, read_folder
from grader.imports.shell_lines import draft_start, to_words
from grader.imports.writer import to_imported

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
    of_io = test.input or test.input_file or test.expected or test.expected_file or test.comparison
    faults = {
        f"input, expected and comparison belong to tests of the type io, not {test.type}": test.type != "io" and of_io,
        f"exit-code belongs to the type run, not {test.type}": test.type != "run" and test.exit_code is not None,
        "the comparison is missing: included, exact or regex": test.type == "io" and test.comparison is None,
        "the text is there, and a file as well: keep one": (test.input and test.input_file)
        or (test.expected and test.expected_file),
        "expected is empty, and would be found in any output": test.comparison in {"included", "regex"}
        and not (test.expected or test.expected_file),
    }
    return next((fault for fault, is_there in faults.items() if is_there), "")


# ---------------------------------------------------------------- the draft


def import_io_tests(path: Path, name: str | None = None) -> Imported:
    """Convert a `tests.json` to a spec; its id is `name`, or else the name of its folder.

    Raises UsageError for an invalid file, or one that names a file outside its folder.
    """
    found = _read_tests(path)
    tests = [replace(test, run=with_python3(test.run), setup=with_python3(test.setup)) for test in found.tests]
    said = [test for test in tests if test.type != "python"]
    if not said:
        raise UsageError(f"{path}: there is no test of the types io and run, and no others can be carried over")
    # What compiles is the build, and so is a line that comes before every test.
    setups = {test.setup for test in said}
    lines = [line for test in said for line in (test.setup, test.run if test.type == "run" else "")]
    compiling = [line for line in lines if first_word(line) in COMPILERS]
    build = list(filter(None, dict.fromkeys([*(setups if len(setups) == 1 else ()), *compiling])))
    starts = [test.run for test in said if test.run not in build]
    program = common_program(starts) if starts else ("sh", "-c", said[0].run)
    named = path.resolve().parent.name if path.stem == "tests" else path.stem
    names_files = any(test.input_file or test.expected_file for test in said)
    folder = read_folder(path.parent, path.name) if names_files else Folder(path=path.parent, files={})
    return to_imported(
        Draft(
            id=identifier(name, named),
            format="io-tests",
            origin=f"{path.name} of Classroom 50",
            **draft_start(build, program, _USUAL_SECONDS, starts),
            tests=[_draft_test(test, found, build, folder) for test in tests],
            points=sum(test.points for test in tests),
            losses=_losses(found, said, has_build=bool(build)),
        )
    )


def _draft_test(test: IoTest, found: IoTests, build: Sequence[str], folder: Folder) -> DraftTest:
    text = folder.content(test.expected_file).decode(errors="replace") if test.expected_file else test.expected
    fault = fault_of(f"(?m){text}") if test.comparison == "regex" else ""
    reason = f"its pattern is invalid: {fault}" if fault else ""
    reason = "it runs pytest beside the student's code" if test.type == "python" else reason
    body = text.strip("\n")
    stdout = {"included": {"contains": [text]}, "exact": body and f"{body}\n", "regex": {"regex": f"(?m){text}"}}
    case = DraftCase(
        command=to_words(test.run, "" if test.setup in build else test.setup),
        stdin=CourseFile(name=test.input_file, content=folder.content(test.input_file))
        if test.input_file
        else test.input,
        limits={} if test.timeout in {0, _USUAL_SECONDS} else {"time": test.timeout},
        tolerate=dict.fromkeys(_OVERLOOKED, "100%") if test.comparison == "exact" else {},
        expect={"exit": test.exit_code or 0} if test.type == "run" else {"stdout": stdout[test.comparison or "exact"]},
    )
    return DraftTest(
        name=test.name,
        points=test.points,
        hidden=(test.failure_details or found.defaults.failure_details) != "full",
        cases=OpenCheck(name=test.name, reason=reason, source=text or test.run) if reason else [case],
    )


def _losses(found: IoTests, said: Sequence[IoTest], *, has_build: bool) -> list[Loss]:
    shown = [test.failure_details or found.defaults.failure_details for test in found.tests]
    own = [test.name for test, details in zip(found.tests, shown, strict=True) if details == "actual-only"]
    shows = any(test.show_output or test.show_command for test in found.tests) or found.defaults.show_output
    told = {
        "show-output": shows,
        "no-network": any(_NETWORK.search(line) for test in said for line in (test.setup, test.run)),
        "build": has_build,
        "afresh": True,
        "exact": any(test.comparison == "exact" for test in found.tests),
        "crash": True,
    }
    return [*(Loss(rule="own-output-only", where=name) for name in own), *losses_where(told)]
