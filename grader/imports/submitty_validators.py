"""The validators of Submitty -> what a case expects. A validator without a counterpart is told by its name.

What each does was read in Submitty's source (`grading/dispatch.cpp`, `load_config_json.cpp`, `difference.cpp`).
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from grader.core.model.layout import LazyBytes
from grader.core.text import one_line
from grader.core.yaml.nodes import plain
from grader.imports import submitty_compare, submitty_custom
from grader.imports.draft import CourseFile, Data, DraftCase, Loss
from grader.imports.folder import Folder, safe_glob, safe_path
from grader.imports.submitty_config import (
    SUBMITTY,
    NoCounterpartError,
    is_count,
    number_of,
    read_count,
    source_of_count,
    words_of,
)
from grader.kinds.unit_tests.java_text import find_java_methods

FREE = DraftCase(command=["true"], expect={"exit": plain("any")})
"""what everybody passes"""
WITH_EXCEPTIONS = ("python", "java")  # an uncaught exception is an exit with a status in them
_WARNINGS = ("warnIfEmpty", "warnIfNotEmpty", "")  # cost nothing; without a method, a file is only shown
_SPACES = dict.fromkeys(("inner-space", "leading-space", "trailing-space"), "100%")
_LOG = "execute_logfile.txt"  # in which Submitty writes how a program ended, if that was not with status 0
_CORE = "org.junit.runner.JUnitCore"
_JUNIT_FOLDERS = ("test_input/", "provided_code/", "test_code/", "")
_CUSTOM = "custom_validation_code"
_RUN_CUSTOM = re.compile(r"(?:/usr/bin/)?python3?\s+(?P<script>[\w./-]+\.py)(?P<args>(?:\s+[\w./:=,+@%-]+)*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """What one validator asks for."""

    share: float = 1.0  # of the points, which it costs
    file: str = ""  # of which it looks at the content; empty for one that looks at something else
    comparison: Data = None
    expect: Mapping[str, Data] = field(default_factory=dict)  # what else a case has to do
    present: Sequence[str] = ()
    tolerate: Mapping[str, Data] = field(default_factory=dict)
    keys: Mapping[str, Data] = field(default_factory=dict)  # of the test
    case: DraftCase | None = None  # in place of what the test case runs

    @property
    def is_alone(self) -> bool:
        """Whether nothing else is asked in its test."""
        return bool(self.case or {"unit", "source"} & self.keys.keys())


@dataclass(slots=True, kw_only=True)
class Validators:
    """The conversion of all validators of an assignment, with the files that they need, and what is lost."""

    folder: Folder
    id: str
    language: str
    files: dict[str, LazyBytes] = field(default_factory=dict)
    losses: list[Loss] = field(default_factory=list)

    def demands(self, validator: Mapping[str, Any], share: float, commands: Sequence[str]) -> Iterator[Criterion]:
        """Yield what a validator asks for; NoCounterpartError for one that no spec can express."""
        method, names = str(validator.get("method", "")), words_of(validator.get("actual_file"))
        if method in SUBMITTY["old_diffs"]:
            validator, method = {**validator, **SUBMITTY["old_diffs"][method]}, "diff"
        counts = [line for n, line in enumerate(commands) if is_count(line) and is_stdout(names, n)]
        if counts:
            found = [self._counted(counts[0], validator)]
        elif method == "JUnitTestGrader":
            found = junit_demands(commands, self.folder)
        elif method not in _METHODS:
            why = SUBMITTY["no_counterpart"].get(method, SUBMITTY["no_counterpart"]["other"])
            raise NoCounterpartError(f"the validator {one_line(method)} has no counterpart: {why}")
        elif method != "fileExists" and any("*" in name for name in names):
            raise NoCounterpartError("it looks at a file by a glob")
        elif names == [_LOG] and method == "errorIfNotEmpty":
            found = [Criterion(expect=self.succeeds)]
        elif _LOG in names:
            raise NoCounterpartError(f"{_LOG} is a file of Submitty's; see `exit` and `limits`")
        else:
            found = _METHODS[method](self, validator)
        whole = sum(one.share for one in found)
        yield from (replace(one, share=share * one.share / whole) for one in found)

    @property
    def succeeds(self) -> dict[str, Data]:
        """What is expected of a command that has to end with status 0, and not by an exception."""
        return {"exit": 0, "crash": plain("fails") if self.language in WITH_EXCEPTIONS else None}

    def expected(self, validator: Mapping[str, Any]) -> CourseFile:
        """Return the file of what a validator expects."""
        written = validator.get("expected_string")
        if isinstance(written, str):
            return CourseFile(name="expected.txt", content=written.encode())
        name = (words_of(validator.get("expected_file")) or [""])[0]
        inner = next((one for one in (f"test_output/{name}", name) if one in self.folder.files), None)
        if inner is None:
            raise NoCounterpartError(f"the expected file {one_line(name)!r} is not in the folder")
        return CourseFile(name=safe_path(inner), content=self.folder.content(inner))

    def _counted(self, line: str, validator: Mapping[str, Any]) -> Criterion:
        if validator.get("method") != "intComparison":
            raise NoCounterpartError("the output of submitty_count is compared with no number")
        count = read_count(line)
        if count.language != self.language:
            told = f"it counts in {count.language}, and the language of the assignment is {self.language}"
            raise NoCounterpartError(told)
        rules = source_of_count(count, validator.get("comparison"), validator.get("term"))
        return Criterion(keys={"source": rules}) if rules else Criterion(case=FREE)


def _file(validator: Mapping[str, Any]) -> str:
    names = words_of(validator.get("actual_file"))
    if len(names) != 1:
        raise NoCounterpartError("it looks at no file, or at several")
    return names[0]


def _diff(validators: Validators, validator: Mapping[str, Any]) -> list[Criterion]:
    comparison = validator.get("comparison", "byLinebyChar")
    if comparison not in ("byLinebyChar", "byLine", "byLinebyWord"):
        shown = one_line(str(comparison), 40)
        raise NoCounterpartError(f"the comparison {shown!r} is none of Submitty's: nobody has points")
    file = validators.expected(validator)
    for key in ("max_char_changes", "min_char_changes", "extra_student_output"):
        if validator.get(key, False) is not False:
            raise NoCounterpartError(f"{key}: a line is right, or it is not; see `tolerate`")
    forgiven = [key for key in ("lineSwapOk", "line_swap_ok", "ignoreWhitespace") if validator.get(key)]
    is_swapped = comparison == "byLine" and forgiven[:1] not in ([], ["ignoreWhitespace"])
    tolerate: dict[str, Data] = {"line-endings": "100%"} if validator.get("ignore_line_endings") else {}
    if comparison == "byLinebyWord" or (comparison == "byLine" and forgiven and not is_swapped):
        tolerate |= _SPACES
    if comparison == "byLinebyWord":
        validators.losses.append(Loss(rule="by-word"))
    if forgiven and comparison == "byLinebyChar":
        validators.losses.append(Loss(rule="idle", detail=forgiven[-1]))
    wanted: dict[str, Data] = {"lines": {"file": file}, "order": plain("any") if is_swapped else None}
    if validator.get("partial_credit") is not False:
        wanted["credit"] = plain("share")
    if number_of(tolerance := validator.get("tolerance"), 0) > 0:
        if is_swapped:
            raise NoCounterpartError("tolerance beside lineSwapOk: numbers may be off in lines of one order alone")
        wanted["tolerance"] = plain(f"{tolerance:g}")
    return [Criterion(file=_file(validator), comparison=wanted if file.content else {"text": ""}, tolerate=tolerate)]


def _exists(_validators: Validators, validator: Mapping[str, Any]) -> list[Criterion]:
    names = words_of(validator.get("actual_file"))
    if not names:
        raise NoCounterpartError("fileExists names no file")
    if validator.get("one_of") and len(names) > 1:
        raise NoCounterpartError("one_of: name the files under `files: required: [{any: [...]}]`")
    return [Criterion(present=[safe_glob(name) for name in names if not is_stream(name)])]  # streams are always there


def _tokens(_validators: Validators, validator: Mapping[str, Any]) -> list[Criterion]:
    data = words_of(validator.get("data"))
    if not data or not all(data):
        raise NoCounterpartError("searchToken searches for nothing")
    file = _file(validator)
    if file.startswith("STDERR") and any("ERROR SUMMARY: 0 errors" in one for one in data):
        return [Criterion(keys={"memory-clean": True})]
    return [Criterion(file=file, comparison={"contains": [one]}) for one in data]


def _number(_validators: Validators, validator: Mapping[str, Any]) -> list[Criterion]:
    term, comparison = validator.get("term"), validator.get("comparison")
    if not isinstance(term, int | float) or abs(term) > 10**12 or comparison not in list(submitty_compare.HOLDS):
        raise NoCounterpartError("intComparison without a term, or with an unknown comparison")
    source = Path(submitty_compare.__file__).read_bytes()
    check = CourseFile(name="compare.py", content=source, member="compare_number")
    wanted = {"check": check, "comparison": comparison, "term": str(int(term))}
    return [Criterion(file=_file(validator), comparison=wanted)]


def _custom(validators: Validators, validator: Mapping[str, Any]) -> list[Criterion]:
    """Run a validator of the course's, in Python, in the sandbox of the validators."""
    found = _RUN_CUSTOM.fullmatch(str(validator.get("command", "")))
    if not found or f"{_CUSTOM}/{found['script']}" not in validators.folder.files:
        raise NoCounterpartError(f"custom_validator: its command is not a script in Python of the folder {_CUSTOM}")
    file = safe_path(_file(validator))
    place = f"data/{validators.id}/custom"
    for below, above in ((_CUSTOM, ""), ("test_input", "test_input/"), ("test_output", "test_output/")):
        given = validators.folder.below(below)
        validators.files |= {f"{place}/files/{above}{safe_path(name)}": given[name] for name in given}
    validators.files[f"{place}/validate.py"] = Path(submitty_custom.__file__).read_bytes()
    command = f"python3 {found['script']}{found['args']}"
    asked = {**validator, "command": command, "testcase_prefix": "test01/", "username": "", "actual_file": file}
    validators.losses.append(Loss(rule="custom"))
    comparison = {"check": {"validator": f"{place}/validate.py", "args": [json.dumps(asked)]}}
    return [Criterion(file=file, comparison=comparison)]


_METHODS: Mapping[str, Callable[[Validators, Mapping[str, Any]], list[Criterion]]] = {
    "diff": _diff,
    "fileExists": _exists,
    "errorIfEmpty": lambda _, one: [Criterion(file=_file(one), comparison={"regex": "(?s).", "about": "some output"})],
    "errorIfNotEmpty": lambda _, one: [Criterion(file=_file(one), comparison={"text": ""})],
    "searchToken": _tokens,
    "intComparison": _number,
    "DrMemoryGrader": lambda *_: [Criterion(keys={"memory-clean": True})],
    "custom_validator": _custom,
}


def validator_shares(validation: Sequence[Mapping[str, Any]]) -> list[float]:
    """Return what each validator of a test case costs, as a share of its points.

    Without a `deduction` it is one part of as many as there are validators, of which one that only warns has its own.
    """
    usual = 1 / max(1, sum("method" in one for one in validation))
    return [
        0.0 if str(one.get("method", "")) in _WARNINGS else min(1.0, max(0.0, number_of(one.get("deduction"), usual)))
        for one in validation
    ]


def is_stream(file: str) -> bool:
    """Whether Submitty writes this file for a test case with one command."""
    return file in ("STDOUT.txt", "STDERR.txt", "STDOUT_0.txt", "STDERR_0.txt")


def is_stdout(names: Sequence[str], place: int) -> bool:
    """Whether one of the files has the output of the command at this place."""
    return f"STDOUT_{place}.txt" in names or (not place and "STDOUT.txt" in names)


# ---------------------------------------------------------------- JUnit


def runs_junit(commands: Sequence[str]) -> bool:
    """Whether a test case runs tests for JUnit, by its own runner or by Submitty's."""
    return any({_CORE, "TestRunner"} & {*line.split()} for line in commands)


def course_test(name: str, folder: Folder) -> str:
    """Return the file of a JUnit test of the course by the name of its class; empty when it has none."""
    inner = name.removesuffix(".java").replace(".", "/") + ".java"
    return next((f"{one}{inner}" for one in _JUNIT_FOLDERS if f"{one}{inner}" in folder.files), "")


def junit_demands(commands: Sequence[str], folder: Folder) -> list[Criterion]:
    """Return the unit tests that commands run, or compile, each with a share by the number of its methods."""
    words = [word for line in commands for word in line.split()]
    names = words[words.index(_CORE) + 1 :] if _CORE in words else [word for word in words if word.endswith(".java")]
    tests = [course_test(name, folder) for name in names]
    if not tests or not all(tests):
        raise NoCounterpartError(
            "JUnitTestGrader: the files of its tests are not in test_input or provided_code; for tests that students "
            "write see `student-tests`"
        )
    found = []
    for name in tests:
        methods = find_java_methods(folder.files[name].decode("utf-8", "replace"))
        file = CourseFile(name=safe_path(name), content=folder.content(name))
        share = max(1, sum(not one.idle for one in methods))
        found.append(Criterion(share=share, keys={"unit": {"junit": file}}))
    return found
