"""Tests for JUnit of the course's in an assignment of Submitty -> unit tests."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from grader.core.yaml.writing import table
from grader.imports import text_or_word
from grader.imports.folder import Folder, safe_path
from grader.imports.java_projects import is_java_test
from grader.imports.submitty_commands import JUNIT_CORE, TEST_RUNNER, case_commands
from grader.imports.submitty_config import NoCounterpartError
from grader.imports.submitty_validators import OutputDemand, Validators
from grader.kinds.unit_tests.java_text import find_java_methods

_METHODS = ("JUnitTestGrader", "MultipleJUnitTestGrader")
_FOLDERS = ("test_input/", "provided_code/", "test_code/", "")


def is_junit(validator: Mapping[str, Any]) -> bool:
    """Whether a validator reads what JUnit writes."""
    return validator.get("method") in _METHODS


def runs_junit(commands: Sequence[str]) -> bool:
    """Whether a test case runs tests for JUnit."""
    return any(JUNIT_CORE in line or TEST_RUNNER.search(line) for line in commands)


def is_of_course(case: Mapping[str, Any], folder: Folder) -> bool:
    """Whether a test case compiles only tests of the course's own."""
    sources = [word for line in case_commands(case) for word in line.split() if word.endswith(".java")]
    return bool(sources) and all("*" not in one and _test_file(one.removesuffix(".java"), folder) for one in sources)


def junit_demands(
    validator: Mapping[str, Any],
    commands: Sequence[str],
    share: float,
    validators: Validators,
) -> list[OutputDemand]:
    """Return the unit tests that a command runs, each with its share by the number of its methods."""
    folder, files, assignment = validators.folder, validators.files, validators.id
    if validator.get("method") == "MultipleJUnitTestGrader":
        tests = _tests_of_runner(commands, folder)
    else:
        tests = _tests_named(commands, folder)
    if not tests:
        raise NoCounterpartError(
            f"{validator.get('method')}: the files of its tests are not in test_input or provided_code; for tests that "
            "students write see `student-tests`"
        )
    counts = [_count_methods(folder.files[name]) for name in tests]
    for name in tests:
        files[f"data/{assignment}/{safe_path(name)}"] = folder.content(name)
    return [
        OutputDemand(
            share=share * count / sum(counts),
            alone={"unit": table({"junit": text_or_word(f"data/{assignment}/{name}")})},
        )
        for name, count in zip(tests, counts, strict=True)
    ]


def _tests_named(commands: Sequence[str], folder: Folder) -> list[str]:
    words = [word for line in commands for word in line.split()]
    if JUNIT_CORE in words:
        names = words[words.index(JUNIT_CORE) + 1 :]
    else:
        names = [word.removesuffix(".java").replace("/", ".") for word in words if word.endswith(".java")]
    found = [_test_file(name, folder) for name in names]
    return found if all(found) else []


def _tests_of_runner(commands: Sequence[str], folder: Folder) -> list[str]:
    """Return the tests below the folder that is given to Submitty's own runner."""
    line = next((line for line in commands if TEST_RUNNER.search(line)), "")
    words = re.split(r"\s", line.partition("TestRunner")[2].strip())
    below = safe_path(words[0].rstrip("/")) if words and words[0] not in ("", ".") else ""
    starts = [f"{one}{below}/" if below else one for one in _FOLDERS]
    return [
        name
        for name in folder.files
        if any(start and name.startswith(start) for start in starts) and is_java_test(name, folder.files)
    ]


def _test_file(name: str, folder: Folder) -> str:
    """Return the file of a JUnit test of the course by the name of its class; empty when it has none."""
    inner = name.replace(".", "/") + ".java"
    return next((f"{one}{inner}" for one in _FOLDERS if f"{one}{inner}" in folder.files), "")


def _count_methods(source: bytes) -> int:
    methods = find_java_methods(source.decode("utf-8", "replace"))
    return max(1, sum(not one.idle for one in methods))
