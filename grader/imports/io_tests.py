"""The tests of Classroom 50 (`classroom50/tests/v1`) -> a spec.

There a test is a shell command, run in the student's folder among the files of the tests before it. Here each case
starts in a new folder and without a shell. So a compiling command becomes the build. A command that needs a shell
becomes an explicit `sh -c`. Only a line of plain words is the program or a command.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from grader.core.bounded_regex import fault_of
from grader.core.errors import UsageError
from grader.core.model.values import decodable
from grader.core.text import one_line
from grader.imports import Imported, identifier
from grader.imports.draft import CourseFile, Data, Draft, DraftCase, DraftTest, OpenCheck, losses_where
from grader.imports.folder import Folder, read_folder
from grader.imports.shell_lines import COMPILERS, common_program, draft_start, first_word, to_words, with_python3
from grader.imports.writer import to_imported

_USUAL_SECONDS = 10  # of a test that says nothing about time
_NETWORK = re.compile(r"\b(?:pip3?|apt|apt-get|npm|curl|wget)\b")
_OVERLOOKED = dict.fromkeys(("final-newline", "blank-lines", "trailing-space"), "100%")


class IoTest(msgspec.Struct, frozen=True, rename="kebab", forbid_unknown_fields=True):
    """A test of the file, with the keys of the published schema."""

    name: str
    type: Literal["io", "run", "python"]
    run: str
    setup: str = ""
    input: str = ""
    input_file: str = ""
    expected: str = ""
    expected_file: str = ""
    comparison: Literal["included", "exact", "regex"] | None = None
    timeout: int = 0
    exit_code: int = 0
    points: int = 0
    failure_details: Literal["full", "actual-only", "none"] = "full"
    show_output: bool = False
    show_command: bool = False


class IoTests(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file."""

    schema: Literal["classroom50/tests/v1"]
    tests: list[dict[str, Any]]
    defaults: Mapping[str, Any] = {}


def import_io_tests(path: Path, name: str | None = None) -> Imported:
    """Convert a `tests.json`; UsageError for an invalid file, or one that names a file outside its folder."""
    tests = _read_tests(path)
    said = [test for test in tests if test.type != "python"]
    # What compiles is the build, and so is a line that comes before every test.
    setups = {test.setup for test in said}
    lines = [line for test in said for line in (test.setup, test.run if test.type == "run" else "")]
    compiling = [line for line in lines if first_word(line) in COMPILERS]
    build = list(filter(None, dict.fromkeys([*(setups if len(setups) == 1 else ()), *compiling])))
    starts = [test.run for test in said if test.run not in build]
    program = common_program(starts or [test.run for test in said] or ["true"])
    names_files = any(test.input_file or test.expected_file for test in said)
    folder = read_folder(path.parent, path.name) if names_files else Folder(path=path.parent, files={})
    details = {
        "show-output": any(test.show_output or test.show_command for test in tests),
        "own-output-only": any(test.failure_details == "actual-only" for test in tests),
        "no-network": any(map(_NETWORK.search, [*lines, *starts])),
        "build": bool(build),
        "afresh": True,
        "exact": any(test.comparison == "exact" for test in tests),
        "crash": True,
    }
    return to_imported(
        Draft(
            id=identifier(name, path.resolve().parent.name if path.stem == "tests" else path.stem),
            format="io-tests",
            origin=f"{path.name} of Classroom 50",
            **draft_start(build, program, _USUAL_SECONDS, starts),
            tests=[_draft_test(test, build, folder) for test in tests],
            points=sum(test.points for test in tests),
            losses=losses_where(details),
        )
    )


def _read_tests(path: Path) -> list[IoTest]:
    """Read the tests of a `tests.json`, with its defaults; UsageError when it is invalid."""
    if path.name in {"autograding.json", "classroom.yml"}:
        raise UsageError(f"{path} is GitHub Classroom's: grader import github-classroom {path}")
    try:
        folder = Folder(path=path.parent, files={path.name: path.read_bytes()})
        file = msgspec.convert(folder.json(path.name), decodable(IoTests))
        stated = ({key: value for key, value in test.items() if value is not None} for test in file.tests)
        tests = [msgspec.convert({**file.defaults, **test}, decodable(IoTest)) for test in stated]
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; name the tests.json of an assignment") from error
    except msgspec.ValidationError as error:
        raise UsageError(f"{path} is no tests.json of Classroom 50: {one_line(str(error))}") from error
    return [replace(test, run=with_python3(test.run), setup=with_python3(test.setup)) for test in tests]


def _draft_test(test: IoTest, build: Sequence[str], folder: Folder) -> DraftTest:
    text = folder.content(test.expected_file).decode(errors="replace") if test.expected_file else test.expected
    fault = fault_of(f"(?m){text}") if test.comparison == "regex" else ""
    of_io = test.input or test.input_file or text or test.comparison
    reasons = {
        "it runs pytest beside the student's code": test.type == "python",
        f"input, expected and comparison belong to tests of the type io, not {test.type}": test.type != "io" and of_io,
        f"exit-code belongs to the type run, not {test.type}": test.type != "run" and test.exit_code,
        "the text is there, and a file as well": (test.input and test.input_file)
        or (test.expected and test.expected_file),
        "it says no comparison": test.type == "io" and not test.comparison,
        f"its pattern is invalid: {fault}": fault,
    }
    reason = next((reason for reason, holds in reasons.items() if holds), "")
    exact = text.strip("\n") and text.strip("\n") + "\n"
    forms: dict[str | None, Data] = {
        "included": {"contains": [text]},
        "exact": exact,
        "regex": {"regex": f"(?m){text}"},
    }
    file = CourseFile(name=test.input_file, content=folder.content(test.input_file)) if test.input_file else None
    case = DraftCase(
        command=to_words(test.run, "" if test.setup in build else test.setup),
        stdin=file or test.input,
        limits={} if test.timeout in {0, _USUAL_SECONDS} else {"time": test.timeout},
        tolerate=_OVERLOOKED if test.comparison == "exact" else {},
        expect={"exit": test.exit_code} if test.type == "run" else {"stdout": forms.get(test.comparison)},
    )
    return DraftTest(
        name=test.name,
        points=test.points,
        hidden=test.failure_details != "full",
        cases=OpenCheck(name=test.name, reason=reason, source=text or test.run) if reason else [case],
    )
