"""`student-tests`: a case for the right program, which gives no points, and one for each wrong one."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from pathlib import PurePosixPath
from typing import get_args

from msgspec.structs import replace

from grader.core.model.spec import Case, Expectation
from grader.core.reader.files_and_build import read_commands
from grader.core.reader.language import CASE
from grader.core.yaml.nodes import Listing
from grader.core.yaml.value import (
    Value,
    attach,
    attach_folder,
    choice,
    entries,
    fields,
    get,
    in_quotes,
    inner_name,
    items,
    suggestion,
    text,
    unwanted,
    wrong,
)
from grader.kinds.base import CaseParts
from grader.kinds.reported_tests.model import REPORT_PLACE, TestReportFormat
from grader.kinds.student_tests.keys import STUDENT_TESTS
from grader.kinds.student_tests.model import StudentSuite, TestedProgram
from grader.kinds.student_tests.suites import FRAMEWORKS, commands_of

_BESIDE = ("env", "limits")
"""the keys of a case that go with the tests of students"""
_SHARED = ("cases", "each", "functions", "patience", "unlike")
_FORMAT = choice(get_args(TestReportFormat), "format of a report")
_LIMITS = {"time": 60.0, "cpu": 20.0}
_ROOM = {"memory": float(2 * 2**30), "processes": 256.0}
"""of a run of all tests with one program, unless the spec has others"""
MAX_PROGRAMS = 200
_Files = Mapping[str, bytes]


def read_test(name: str, found: Mapping[str, Value], read_shared: Callable[[], CaseParts]) -> Iterator[Case]:
    """Iterate over the cases of a test with `student-tests`."""
    for key in (*_SHARED, *(key for key in CASE if key not in _BESIDE)):
        if key in found:
            wrong(found[key], f"{key} has no meaning beside student-tests, which runs them itself: take it out")
    parts = read_shared()
    value = found["student-tests"]
    keys = fields(value, STUDENT_TESTS)
    known = len(value.context.problems)
    right = _read_right(keys["right"]) if "right" in keys else ()
    programs = _read_wrong(keys["wrong"], right) if "wrong" in keys and all(right) and right else {}
    about = _read_about(keys["about"], list(programs)) if "about" in keys and programs else {}
    suite = replace(_read_suite(value, keys), right=right)
    if len(value.context.problems) > known or not right:
        return
    asked = parts.get("limits", {})
    limits = {**({} if {"time", "cpu"} & asked.keys() else _LIMITS), **_ROOM, **asked}
    shared = Case(id="", kind="student-tests", env=parts.get("env", {}), limits=limits, expect=Expectation(exit="any"))
    yield replace(shared, id=f"{name}[right program]", payload=TestedProgram(suite=suite), weight=Fraction(0))
    for number, (label, files) in enumerate(programs.items(), 1):
        payload = TestedProgram(suite=suite, name=label, files=files, about=about.get(label, ""))
        yield replace(shared, id=f"{name}[wrong program {number}]", payload=payload)


def _read_suite(value: Value, keys: Mapping[str, Value]) -> StudentSuite:
    framework = next((one for one in FRAMEWORKS if one in keys), "")
    if not framework:
        if "command" not in keys:
            return StudentSuite(commands=(), right=())
        commands, source = read_commands(keys["command"]), get(keys, "from", inner_name, "")
        form = get(keys, "report", _FORMAT, None)
        is_told = any(REPORT_PLACE in word for words in commands for word in words)
        if (source or is_told) and not form:
            wrong(keys["command"], "in which format does it report its tests? Say report")
        return StudentSuite(commands=commands, format=form, source=source, right=())
    file = inner_name(keys[framework])
    if value.context.language != FRAMEWORKS[framework]:
        wrong(keys[framework], f"{framework} runs tests in {FRAMEWORKS[framework]}: say under language that they are")
    if file and not file.endswith(".java" if framework == "junit" else ".py"):
        unwanted(
            keys[framework],
            f"the file with the tests, such as {'BankTest.java' if framework == 'junit' else 'test_bank.py'}",
        )
    return StudentSuite(
        commands=commands_of(framework, file),
        format="tap" if framework == "unittest" else "junit",
        source=".tests/*.xml" if framework == "junit" else "",
        framework=framework,
        right=(),
        has_files=(file,),
    )


def _read_right(value: Value) -> tuple[_Files, ...]:
    """Read one right program, or several."""
    return tuple(map(_read_program, items(value) if isinstance(value.node, Listing) else (value,)))


def _read_program(value: Value) -> _Files:
    """Read a file or a folder: path in the working folder -> content."""
    name = inner_name(value).rstrip("/")
    if name and (value.context.root / name).is_dir():
        return attach_folder(value, name)
    return {PurePosixPath(name).name: attach(value, name)} if name else {}


def _read_wrong(value: Value, right: tuple[_Files, ...]) -> dict[str, _Files]:
    """Read the wrong programs: name -> files that take the place of those of the right program."""
    first = right[0]
    programs: dict[str, dict[str, bytes]] = {}
    for path, content in attach_folder(value, inner_name(value).rstrip("/")).items():
        label, _, inside = path.partition("/")
        if inside:
            programs.setdefault(label, {})[inside] = content
        elif len(first) == 1:
            programs.setdefault(PurePosixPath(label).stem, {})[next(iter(first))] = content
        else:
            wrong(value, f"the right program has several files: put {in_quotes(label)} into a folder of its own")
    wholes: dict[tuple[tuple[str, bytes], ...], str] = {
        tuple(sorted(one.items())): "the right program" for one in right
    }
    for label, files in programs.items():
        if not files.keys() & first.keys():
            wrong(value, f"no file of {in_quotes(label)} is called as one of the right program, so it is not used")
        whole = tuple(sorted({**first, **files}.items()))
        if whole in wholes:
            wrong(value, f"{in_quotes(label)} has the same files as {wholes[whole]}: change or remove it")
        wholes.setdefault(whole, in_quotes(label))
    if len(programs) > MAX_PROGRAMS:
        wrong(value, f"there are {len(programs)} wrong programs, and at most {MAX_PROGRAMS} are run: remove some")
    return dict(sorted(programs.items()))


def _read_about(value: Value, labels: list[str]) -> dict[str, str]:
    about = {}
    for name, (key, entry) in entries(value).items():
        if name not in labels:
            wrong(key, f"there is no such wrong program{suggestion(name, labels)}")
        about[name] = text(entry).strip().rstrip(".")
    return about
