"""`student-tests`: a case for the right program, which gives no points, and one for each wrong one."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from pathlib import PurePosixPath
from typing import Any

from grader.core.kind import CaseParts
from grader.core.model.spec import Case, Expectation
from grader.core.reader.types import attach_folder
from grader.core.yaml import value as yaml
from grader.core.yaml.nodes import Listing
from grader.core.yaml.types import read_given
from grader.core.yaml.value import Fields, Value, each_of, entries, fields, in_quotes, inner_name, unwanted, wrong
from grader.kinds.reported_tests.model import REPORT_PLACE
from grader.kinds.reported_tests.reader import read_program_files
from grader.kinds.student_tests.model import StudentSuite, TestedProgram
from grader.kinds.student_tests.suites import FRAMEWORKS, commands_for

_LIMITS = {"time": 60.0, "cpu": 20.0}
_ROOM = {"memory": float(2 * 2**30), "processes": 256.0}
"""of a run of all tests with one program, unless the spec has others"""
MAX_PROGRAMS = 200
_Files = Mapping[str, bytes]


def read_test(name: str, test_keys: Fields, read_shared: Callable[[], CaseParts]) -> Iterator[Case]:
    """Iterate over the cases of a test with `student-tests`."""
    parts, value = read_shared(), test_keys["student-tests"]
    keys, known = fields(value, "student-tests"), len(value.context.problems)
    right: tuple[_Files, ...] = ()
    if given := keys.get("right"):
        read_all = each_of(read_program_files, "at least one right program")
        right = read_all(given) if isinstance(given.node, Listing) else (read_program_files(given),)
    programs = _read_wrong(keys["wrong"], right) if "wrong" in keys and all(right) and right else {}
    about = read_given(keys, "about").get("about", {})
    for label in (label for label in about if programs and label not in programs):
        wrong(entries(keys["about"])[label][0], f"there is no such wrong program{yaml.suggestion(label, [*programs])}")
    suite = StudentSuite(**_read_suite(keys), right=right)
    if len(value.context.problems) > known or not right:
        return
    asked = parts.get("limits", {})
    limits = {**({} if {"time", "cpu"} & asked.keys() else _LIMITS), **_ROOM, **asked}
    shared = {"kind": "student-tests", "env": parts.get("env", {}), "limits": limits, "expect": Expectation(exit="any")}
    yield Case(**shared, id=f"{name}[right program]", payload=TestedProgram(suite=suite), weight=Fraction(0))
    for number, (label, files) in enumerate(programs.items(), 1):
        payload = TestedProgram(suite=suite, name=label, files=files, about=about.get(label, "").strip().rstrip("."))
        yield Case(**shared, id=f"{name}[wrong program {number}]", payload=payload)


def _read_suite(keys: Fields) -> dict[str, Any]:
    """Read how the tests are run, as keyword arguments of `StudentSuite`."""
    framework = next((name for name in FRAMEWORKS if name in keys), "")
    if not framework:
        read = {"commands": (), **read_given(keys, "command", "report", "from")}
        has_place = any(REPORT_PLACE in word for words in read["commands"] for word in words)
        if (read.get("source") or has_place) and "format" not in read and "command" in keys:
            wrong(keys["command"], "in which format does it report its tests? Say report")
        return read
    value, language = keys[framework], FRAMEWORKS[framework]
    file, example = inner_name(value), "BankTest.java" if language == "java" else "test_bank.py"
    if value.context.language != language:
        wrong(value, f"{framework} runs tests in {language}: say under language that they are")
    if file and not file.endswith(PurePosixPath(example).suffix):
        unwanted(value, f"the file with the tests, such as {example}")
    return {
        "commands": commands_for(framework, file),
        "format": "tap" if framework == "unittest" else "junit",
        "source": ".tests/*.xml" if framework == "junit" else "",
        "framework": framework,
        "has_files": (file,),
    }


def _read_wrong(value: Value, right: tuple[_Files, ...]) -> dict[str, _Files]:
    """Read the wrong programs: name -> files that take the place of those of the right program."""
    first = right[0]
    programs: dict[str, dict[str, bytes]] = {}
    for path, content in attach_folder(value, inner_name(value).rstrip("/")).items():
        label, _, inside = path.partition("/")
        if not inside and len(first) > 1:
            wrong(value, f"the right program has several files: put {in_quotes(label)} into a folder of its own")
        programs.setdefault(label if inside else PurePosixPath(label).stem, {})[inside or next(iter(first))] = content
    wholes = {tuple(sorted(program.items())): "the right program" for program in right}
    for label, files in programs.items():
        if not files.keys() & first.keys():
            wrong(value, f"no file of {in_quotes(label)} is called as one of the right program, so it is not used")
        whole = wholes.setdefault(tuple(sorted({**first, **files}.items())), in_quotes(label))
        if whole != in_quotes(label):
            wrong(value, f"{in_quotes(label)} has the same files as {whole}: change or remove it")
    if len(programs) > MAX_PROGRAMS:
        wrong(value, f"there are {len(programs)} wrong programs, and at most {MAX_PROGRAMS} are run: remove some")
    return dict(sorted(programs.items()))
