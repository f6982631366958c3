import json
from contextlib import suppress
from pathlib import Path

from grader.core.errors import UsageError
from grader.core.reader.spec import load
from grader.imports import Written, write_assignment
from grader.imports.submitty import import_submitty
from tests.support.packages import lay
from tests.support.rows import each_row


def imported(folder: Path, files: dict[str, str]) -> Written:
    return write_assignment(import_submitty(lay(folder / "frame", files)), folder / "course")


@each_row
def test_odd_values_are_read_or_refused_with_words(tmp_path: Path, keys: str) -> None:
    right = {"title": "t", "command": "./a.out 1", "points": 6}
    right["validation"] = [{"actual_file": "STDOUT.txt", "method": "errorIfEmpty"}]
    document = json.dumps({"testcases": [right, {**right, **json.loads(keys)}]})
    with suppress(UsageError):
        load(imported(tmp_path, {"config.json": document}).spec)


def test_a_program_of_the_system_is_started_by_its_name(tmp_path: Path) -> None:
    case = {"command": "/usr/local/bin/python3.8 a.py", "points": 1}
    case |= {"validation": [{"method": "errorIfEmpty", "actual_file": "STDOUT.txt"}]}
    assert load(imported(tmp_path, {"config.json": json.dumps({"testcases": [case]})}).spec).program == (
        "python3",
        "a.py",
    )
