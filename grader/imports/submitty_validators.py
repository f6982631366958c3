"""The validators of Submitty -> what a case expects. A validator without a counterpart is told by its name.

What each does was read in Submitty's source (`grading/dispatch.cpp`, `load_config_json.cpp`, `difference.cpp`).
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grader.core.model.layout import LazyBytes
from grader.core.text import one_line
from grader.core.yaml.nodes import plain
from grader.imports import submitty_compare, submitty_custom
from grader.imports.draft import CourseFile, Data, DraftCase, Loss
from grader.imports.folder import Folder, safe_glob, safe_path
from grader.imports.java_projects import is_java_test
from grader.imports.submitty_config import SUBMITTY, NoCounterpartError, number_of, words_of
from grader.kinds.unit_tests.java_text import find_java_methods

WITH_EXCEPTIONS = ("python", "java")  # an uncaught exception is an exit with a status in them
WARNINGS = ("warnIfEmpty", "warnIfNotEmpty", "")  # cost nothing; without a method, a file is only shown
_SPACES = dict.fromkeys(("inner-space", "leading-space", "trailing-space"), "100%")
_LOG = "execute_logfile.txt"  # in which Submitty writes how a program ended, if that was not with status 0
_CORE = "org.junit.runner.JUnitCore"
_RUNNER = re.compile(r"(?:^|\s)TestRunner(?:\s|$)")
JUNIT_METHODS = ("JUnitTestGrader", "MultipleJUnitTestGrader")
_JUNIT_FOLDERS = ("test_input/", "provided_code/", "test_code/", "")
_CUSTOM = "custom_validation_code"
_RUN_CUSTOM = re.compile(r"(?:/usr/bin/)?python3?\s+(?P<script>[\w./-]+\.py)(?P<args>(?:\s+[\w./:=,+@%-]+)*)")


@dataclass(slots=True, kw_only=True)
class Criterion:
    """What one validator asks for."""

    file: str = ""  # of which it looks at the content; empty for one that looks at something else
    comparison: Data = None
    expect: Mapping[str, Data] = field(default_factory=dict)  # what else a case has to do
    present: Sequence[str] = ()
    tolerate: Mapping[str, Data] = field(default_factory=dict)
    share: float = 1.0  # of the points, which it costs
    keys: Mapping[str, Data] = field(default_factory=dict)  # of the test
    case: DraftCase | None = None  # in place of what the test case runs
    is_alone: bool = False  # whether nothing else is asked in its test
    gives_share: bool = False  # whether it may give a part of the points
    frames: Sequence[str] = ()  # files judged together, each with its length before it, as `submitty_custom` reads them


def succeeds(language: str) -> dict[str, Data]:
    """Return what is expected of a command that has to end with status 0, and not by an exception."""
    return {"exit": 0, "crash": plain("fails") if language in WITH_EXCEPTIONS else None}


@dataclass(slots=True, kw_only=True)
class Validators:
    """The conversion of all validators of an assignment, with the files that they need, and what is lost."""

    folder: Folder
    id: str
    language: str
    files: dict[str, LazyBytes] = field(default_factory=dict)
    losses: list[Loss] = field(default_factory=list)

    def demands(self, validator: Mapping[str, Any], share: float) -> list[Criterion]:
        """Return what a validator asks for; NoCounterpartError for one that no spec can express."""
        method = str(validator.get("method", ""))
        if method in WARNINGS:
            return []
        if method in SUBMITTY["old_diffs"]:
            validator, method = {**validator, **SUBMITTY["old_diffs"][method]}, "diff"
        if method not in _METHODS:
            why = SUBMITTY["no_counterpart"].get(method, SUBMITTY["no_counterpart"]["other"])
            raise NoCounterpartError(f"the validator {one_line(method)} has no counterpart: {why}")
        if validator.get("actual_file") != _LOG:
            found = _METHODS[method](self, validator)
        elif method == "errorIfNotEmpty":
            found = [Criterion(expect=succeeds(self.language))]
        else:
            raise NoCounterpartError(f"{_LOG} is a file of Submitty's; see `exit` and `limits`")
        for demand in found:
            demand.share = share / len(found)
        return found

    def reduced(self, validator: Mapping[str, Any], share: float) -> Criterion | None:
        """Return a demand that leaves the rest of the credit, for a run with others that cost all; None without one."""
        is_known = validator.get("method") in submitty_compare.METHODS
        if not is_known or not (file := self.demands(validator, share)[0].file):
            return None
        return Criterion(file=file, comparison=self.asked(validator, keeps=str(round(1 - share, 4))), gives_share=True)

    def asked(self, validator: Mapping[str, Any], **options: str) -> Data:
        """Return the comparison by what a validator asks for, as a check."""
        method, words = str(validator["method"]), words_of(validator.get("data"))
        if method == "intComparison":
            words = [str(validator["comparison"]), str(int(validator["term"]))]
        return self.check("asks", method=method, wanted=json.dumps(words), **options)

    def check(self, function: str, **options: str) -> Data:
        """Return a comparison by a function of `submitty_compare`, of which the assignment gets a copy."""
        source = Path(submitty_compare.__file__).read_bytes()
        return {"check": CourseFile(name="compare.py", content=source, member=function), **options}

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
    if "max_char_changes" in validator:
        raise NoCounterpartError("max_char_changes: how many characters differ is not counted here")
    by_line = comparison == "byLine"
    is_swapped = by_line and bool(validator.get("lineSwapOk") or validator.get("line_swap_ok"))
    idle = [key for key in ("ignoreWhitespace", "lineSwapOk", "line_swap_ok") if validator.get(key)]
    tolerate: dict[str, Data] = {"line-endings": "100%"} if validator.get("ignore_line_endings") else {}
    if comparison == "byLinebyWord":
        validators.losses.append(Loss(rule="by-word"))
        tolerate |= _SPACES
    elif by_line and validator.get("ignoreWhitespace") and not is_swapped:
        tolerate |= _SPACES
    elif validator.get("extra_student_output") and not is_swapped:
        tolerate["extra-lines"] = "100%"
        validators.losses.append(Loss(rule="extra-output"))
    if idle and comparison == "byLinebyChar":
        validators.losses.append(Loss(rule="idle", detail=idle[0]))
    wanted: dict[str, Data] = {"lines": {"file": file}, "order": plain("any") if is_swapped else None}
    if validator.get("partial_credit") is not False:
        wanted["credit"] = plain("share")
    if number_of(tolerance := validator.get("tolerance"), 0) > 0:
        if is_swapped:
            raise NoCounterpartError("tolerance beside lineSwapOk: numbers may be off in lines of one order alone")
        wanted["tolerance"] = plain(f"{tolerance:g}")
    return [Criterion(file=_file(validator), comparison=wanted if file.content else {"text": ""}, tolerate=tolerate)]


def _exists(validators: Validators, validator: Mapping[str, Any]) -> list[Criterion]:
    names = words_of(validator.get("actual_file"))
    if not names:
        raise NoCounterpartError("fileExists names no file")
    files = [safe_glob(name) for name in names if not stream_of(name, 1)]  # those of the streams are always there
    if validator.get("one_of") and len(names) > 1:
        node = validators.check("one_of", names="\n".join(names))
        return [Criterion(file="STDOUT.txt", comparison=node)] if files == names else [Criterion()]
    return [Criterion(present=files)]


def _tokens(_validators: Validators, validator: Mapping[str, Any]) -> list[Criterion]:
    data = words_of(validator.get("data"))
    if not data or not all(data):
        raise NoCounterpartError("searchToken searches for nothing")
    file = _file(validator)
    if file.startswith("STDERR") and any("ERROR SUMMARY: 0 errors" in one for one in data):
        return [Criterion(keys={"memory-clean": True})]
    return [Criterion(file=file, comparison={"contains": [one]}) for one in data]


def _number(validators: Validators, validator: Mapping[str, Any]) -> list[Criterion]:
    term, comparison = validator.get("term"), validator.get("comparison")
    is_number = isinstance(term, int | float) and abs(term) <= 10**12
    if not is_number or comparison not in submitty_compare.HOLDS:
        raise NoCounterpartError("intComparison without a term, or with an unknown comparison")
    return [Criterion(file=_file(validator), comparison=validators.asked(validator))]


def _pacman(validators: Validators, validator: Mapping[str, Any]) -> list[Criterion]:
    tests = number_of(validator.get("num_tests"), 0)
    if not 1 <= tests <= 1000:  # noqa: PLR2004 - more than any project has
        raise NoCounterpartError("PacmanGrader without num_tests")
    return [
        Criterion(file=_file(validator), comparison=validators.check("pacman", tests=str(int(tests))), gives_share=True)
    ]


def _custom(validators: Validators, validator: Mapping[str, Any]) -> list[Criterion]:
    """Run a validator of the course's, in Python, in the sandbox of the validators."""
    found = _RUN_CUSTOM.fullmatch(str(validator.get("command", "")))
    if not found or f"{_CUSTOM}/{found['script']}" not in validators.folder.files:
        raise NoCounterpartError(f"custom_validator: its command is not a script in Python of the folder {_CUSTOM}")
    names = [safe_path(name) for name in words_of(validator.get("actual_file"))]
    if not names or any("*" in name for name in names):
        raise NoCounterpartError("custom_validator: it names no file to look at, or a glob")
    place = f"data/{validators.id}/custom"
    for below, above in ((_CUSTOM, ""), ("test_input", "test_input/"), ("test_output", "test_output/")):
        given = validators.folder.below(below)
        validators.files |= {f"{place}/files/{above}{safe_path(name)}": given[name] for name in given}
    validators.files[f"{place}/validate.py"] = Path(submitty_custom.__file__).read_bytes()
    command = f"python3 {found['script']}{found['args']}"
    asked = {**validator, "command": command, "testcase_prefix": "test01/", "username": ""}
    asked["actual_file"] = names if isinstance(validator.get("actual_file"), list) else names[0]
    name = f"validator_{sum(one.startswith(f'{place}/validator_') for one in validators.files) + 1}.json"
    validators.files[f"{place}/{name}"] = json.dumps(asked, indent=1).encode()
    validators.losses.append(Loss(rule="custom"))
    comparison = {"check": {"validator": f"{place}/validate.py", "args": [name]}}
    return [Criterion(file=names[0], comparison=comparison, frames=names if len(names) > 1 else (), gives_share=True)]


_METHODS: Mapping[str, Callable[[Validators, Mapping[str, Any]], list[Criterion]]] = {
    "diff": _diff,
    "fileExists": _exists,
    "errorIfEmpty": lambda _, one: [Criterion(file=_file(one), comparison={"regex": "(?s).", "about": "some output"})],
    "errorIfNotEmpty": lambda _, one: [Criterion(file=_file(one), comparison={"text": ""})],
    "searchToken": _tokens,
    "intComparison": _number,
    "DrMemoryGrader": lambda *_: [Criterion(keys={"memory-clean": True})],
    "PacmanGrader": _pacman,
    "custom_validator": _custom,
}


def validator_shares(validation: Sequence[Mapping[str, Any]]) -> list[float]:
    """Return what each validator of a test case costs, as a share of its points.

    Without a `deduction` it is one part of as many as there are validators, of which one that only warns has its own.
    """
    usual = 1 / max(1, sum("method" in one for one in validation))
    return [
        0.0 if str(one.get("method", "")) in WARNINGS else min(1.0, max(0.0, number_of(one.get("deduction"), usual)))
        for one in validation
    ]


def stream_of(file: str, number_of_commands: int, only: int = 0) -> str:
    """Return the stream that a file of Submitty stands for; empty for another file.

    `only` is the place of the command that is run, among all; what of others is written are files.
    """
    found = re.fullmatch(r"STD(OUT|ERR)(?:_(\d{1,3}))?\.txt", file)
    return f"std{found[1].lower()}" if found and number_of_commands == 1 and int(found[2] or 0) == only else ""


# ---------------------------------------------------------------- JUnit


def runs_junit(commands: Sequence[str]) -> bool:
    """Whether a test case runs tests for JUnit."""
    return any(_CORE in line or _RUNNER.search(line) for line in commands)


def course_test(name: str, folder: Folder) -> str:
    """Return the file of a JUnit test of the course by the name of its class; empty when it has none."""
    inner = name.removesuffix(".java").replace(".", "/") + ".java"
    return next((f"{one}{inner}" for one in _JUNIT_FOLDERS if f"{one}{inner}" in folder.files), "")


def junit_demands(method: str, commands: Sequence[str], share: float, folder: Folder) -> list[Criterion]:
    """Return the unit tests that a command runs, each with its share by the number of its methods."""
    words = [word for line in commands for word in line.split()]
    runner = next((line for line in commands if _RUNNER.search(line)), "").partition("TestRunner")[2].split()
    if method == "MultipleJUnitTestGrader":  # the tests below the folder that is given to Submitty's own runner
        below = safe_path(runner[0].rstrip("/")) if runner and runner[0] != "." else ""
        starts = tuple(filter(None, (f"{one}{below}/" if below else one for one in _JUNIT_FOLDERS)))
        tests = [name for name in folder.files if name.startswith(starts) and is_java_test(name, folder.files)]
    else:
        of_core = words[words.index(_CORE) + 1 :] if _CORE in words else None
        names = [word for word in words if word.endswith(".java")] if of_core is None else of_core
        tests = [course_test(name, folder) for name in names]
    if not tests or not all(tests):
        raise NoCounterpartError(
            f"{method}: the files of its tests are not in test_input or provided_code; for tests that students write "
            "see `student-tests`"
        )
    methods = [find_java_methods(folder.files[name].decode("utf-8", "replace")) for name in tests]
    counts = [max(1, sum(not one.idle for one in found)) for found in methods]
    files = [CourseFile(name=safe_path(name), content=folder.content(name)) for name in tests]
    return [
        Criterion(share=share * count / sum(counts), keys={"unit": {"junit": file}}, is_alone=True)
        for file, count in zip(files, counts, strict=True)
    ]
