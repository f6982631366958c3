"""The tests of Classroom 50 (`classroom50/tests/v1`), as they are written.

The keys and their bounds are those of the published schema; what it can say of one key at a time is said by the types
here, and the rest by `_problem`.
"""

from pathlib import Path
from typing import Annotated, Literal

import msgspec

from grader.errors import UsageError
from grader.text import one_line

_MOST_BYTES = 4 * 2**20

Schema = Literal["classroom50/tests/v1"]
Details = Literal["full", "actual-only", "none"]
Points = Annotated[int, msgspec.Meta(ge=0, le=1000)]
Seconds = Annotated[int, msgspec.Meta(ge=0, le=600)]
Status = Annotated[int, msgspec.Meta(ge=0, le=255)]


class IoTest(msgspec.Struct, frozen=True, rename="kebab", forbid_unknown_fields=True):
    """A test of the file, with the keys that the format has."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
    type: Literal["io", "run", "python"]
    run: Annotated[str, msgspec.Meta(min_length=1)]
    setup: str = ""
    input: str = ""
    input_file: str = ""
    expected: str = ""
    expected_file: str = ""
    comparison: Literal["included", "exact", "regex"] | None = None
    timeout: Seconds = 0
    exit_code: Status | None = None
    points: Points = 0
    failure_details: Details | None = None
    show_output: bool | None = None
    show_command: bool | None = None


class Defaults(msgspec.Struct, frozen=True, rename="kebab", forbid_unknown_fields=True):
    """What holds for every test that says nothing else."""

    failure_details: Details = "full"
    show_output: bool = False
    show_command: bool = False


class IoTests(msgspec.Struct, frozen=True, rename="kebab", forbid_unknown_fields=True):
    """The whole file."""

    schema: Schema
    tests: list[IoTest]
    defaults: Defaults = Defaults()


def read_tests(path: Path) -> IoTests:
    """Read a `tests.json`, or the list of tests alone; UsageError when it is none."""
    try:
        data = path.read_bytes()[: _MOST_BYTES + 1]
        if len(data) > _MOST_BYTES:
            raise UsageError(f"{path} has more than {_MOST_BYTES // 2**20} MiB")
        if data.lstrip()[:1] == b"[":  # as it is given to `gh teacher assignment test set`
            found = IoTests(schema="classroom50/tests/v1", tests=msgspec.json.decode(data, type=list[IoTest]))
        else:
            found = msgspec.json.decode(data, type=IoTests)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; name the tests.json of an assignment") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} is no tests.json of Classroom 50: {one_line(str(error))}") from error
    for number, test in enumerate(found.tests, 1):
        if problem := _problem(test):
            raise UsageError(f"{path}: test {number}, {one_line(test.name)!r}: {problem}")
    return found


def _problem(test: IoTest) -> str:
    """Return what is wrong with a test beyond its single keys; nothing when nothing is."""
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
