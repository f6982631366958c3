"""GitHub Classroom (`autograding.json`, `classroom.yml`) -> a spec.

There all tests run in one working folder, one after the other, among the files that were handed in, which include the
tests. Here the course's copy of a file counts that is the course's by its name, and each case starts in a new folder.
"""

import re
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from grader.core.errors import UsageError
from grader.core.yaml.nodes import MAX_BYTES
from grader.imports import Imported, identifier
from grader.imports.command_lines import INTERPRETERS, common_program, first_word, with_python3, with_python3_in_file
from grader.imports.draft import CourseFile, Data, Draft, DraftCase, DraftTest, Loss, OpenCheck, losses_where
from grader.imports.folder import read_tree
from grader.imports.github_file import GithubFile, GithubTest, parse_tests
from grader.imports.github_lines import (
    UnitCommand,
    UnitRunLine,
    compilation_within,
    find_unit_run,
    is_compilation,
    is_course_file,
    is_own_test,
    joined_commands,
    parameter_sets,
    reason_out_of_reach,
    to_python_pattern,
    without_installations,
)
from grader.imports.java_projects import JavaProject, find_project, is_java_compilation, main_sources, project_root
from grader.imports.node_projects import NodeTestRun
from grader.imports.python_source import imported_names
from grader.imports.shell_lines import draft_start, to_words
from grader.imports.writer import to_imported
from grader.kinds.unit_tests.language import unit_methods

_JSON, _WORKFLOW = ".github/classroom/autograding.json", ".github/workflows/classroom.yml"
_MAX_FILES, _MAX_SOURCES, _MAX_REPAIRS = 100, 30, 10
_NO_TESTS = (
    "only steps of actions such as autograding-io-grader can be carried over. Of a step with `run`, write each thing "
    "that it checks as a test with its own points: `grader new` begins a spec, and `command` in a test takes a line"
)
_TEST_NAME = re.compile(
    r"(?:^|/)\.?tests?/[\w./-]+|(?:^|[/_-])(?:auto)?(?:tests?|grader|check)[\w-]*\.(?:py|sh|js|c|cpp)$"
)
_COMPARED = re.compile(r"\b(?:diff|cmp)\b(?:\s+-\S+)*\s+\S+\s+([\w./-]+)")
_REDIRECTED = re.compile(r"(?<![\d&<-])>>?\s*(?!/dev/|&)(?:\./)?([\w./-]+)|\btee\s+(?:-a\s+)?(?:\./)?([\w./-]+)")
_SOURCE = re.compile(r"\.(?:c|cc|cpp|cxx|h|hpp|go|rs|java|kt|hs|py|js|mjs|ts|rb|php|cs|swift|scala)$")


def import_github_classroom(path: Path, name: str | None = None) -> Imported:
    """Convert a repository of GitHub Classroom, or its file with the tests; its id is `name`, or that of the folder.

    Raises UsageError when there is no such file, when it is invalid, or when nothing of it can be carried over.
    """
    if not path.exists():
        raise UsageError(f"{path} does not exist; name a repository that has {_JSON} or {_WORKFLOW}, or this file")
    root = path.resolve().parent if path.is_file() else path.resolve()
    is_inside = path.is_dir() or ".github" in root.parts
    while is_inside and path.is_file() and root.name in {"classroom", "workflows", ".github"}:
        root = root.parent
    files = read_tree(root) if is_inside else {path.name: _read(path)}
    workflows = sorted(one for one in files if re.fullmatch(r"\.github/workflows/[^/]+\.ya?ml", one))
    named = [str(path.resolve().relative_to(root))] if path.is_file() else [_WORKFLOW, *workflows, _JSON]
    for one in (one for one in named if one in files):
        found = parse_tests(files[one], str(root / one))
        if found.tests:
            return to_imported(_draft(found, files if is_inside else {}, identifier(name, root.name)))
    raise UsageError(f"{path} has no {_JSON}, and no tests in a workflow: {_NO_TESTS}")


def _read(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(MAX_BYTES + 1)


# ---------------------------------------------------------------- the draft


@dataclass(slots=True, kw_only=True)
class _Reading:
    """What all tests of a file share while they are read."""

    id: str
    repository: Mapping[str, bytes]
    """empty when only the file with the tests is there"""
    losses: list[Loss]
    started: Sequence[GithubTest] = ()
    """the tests that are lines for a program or a shell"""
    course: Mapping[str, Data] = field(default_factory=dict)
    """the course's files that such lines find beside what was handed in"""
    handed_in: Sequence[str] = ()
    """what unit tests import"""
    project: JavaProject | None = None
    seconds: float = 0

    def file(self, name: str, folder: str = "tests") -> CourseFile:
        """Return a file of the repository, in which `python` becomes `python3`."""
        content = with_python3_in_file(name, self.repository[name])
        if content != self.repository[name]:
            self.losses.append(Loss(rule="python3", where=name))
        return CourseFile(name=name, content=content, folder=folder)


def _draft(found: GithubFile, repository: Mapping[str, bytes], made: str) -> Draft:
    reading = _Reading(id=made, repository=repository, losses=list(found.losses))
    tests = [_runnable(test, reading) for test in found.tests]
    if tests and not any(test.points for test in tests):
        reading.losses.append(Loss(rule="no-points"))
        tests = [replace(test, points=1) for test in tests]
    planned = _of_one_project([(test, _plan(test, repository)) for test in tests])
    if all(isinstance(plan, str) for _, plan in planned):
        reasons = "".join(f"\n- {test.name}: {plan}" for test, plan in planned)
        raise UsageError(f"{found.name}: nothing can be carried over{reasons or ': it has no tests'}")
    reading.started = [test for test, plan in planned if plan is None]
    reading.seconds = Counter(test.seconds for test, plan in planned if not isinstance(plan, str)).most_common(1)[0][0]
    units = [plan for _, plan in planned if isinstance(plan, UnitCommand)]
    if in_java := [file for plan in units if plan.framework == "junit" for file in plan.files]:
        reading.project = find_project(list(dict.fromkeys(in_java)), repository)
    elif reading.started:
        # Files of unit tests are carried over by these, unless a line may run them as well.
        may_run = any("test" in test.run for test in reading.started)
        own = {file for plan in units for file in plan.files if not may_run}
        reading.course = {one: reading.file(one, "data") for one in _course_files(reading) if one not in own}
    imported = [one for plan in units for file in plan.files for one in _modules(repository[file], repository)]
    imported += [one for _, plan in planned if isinstance(plan, NodeTestRun) for one in plan.required]
    reading.handed_in = list(dict.fromkeys(imported))
    fields = _start(reading, by_node=any(isinstance(plan, NodeTestRun) for _, plan in planned))
    defaults = {"env": found.env or None, "files": reading.course or None}
    fields["keys"]["defaults"] = defaults if any(defaults.values()) else None
    drafted = [one for test, plan in planned for one in _draft_tests(test, plan, reading)]
    return Draft(
        id=made,
        format="github-classroom",
        origin=f"{PurePosixPath(found.name).name} of GitHub Classroom",
        tests=drafted,
        points=sum(_points(test) for test in tests),
        losses=[*reading.losses, *_further_losses(reading)],
        **fields,
    )


def _points(test: GithubTest) -> Fraction:
    return Fraction(str(test.points or 0))


def _runnable(test: GithubTest, reading: _Reading) -> GithubTest:
    """Return a test without installations, and with the commands that there are here."""
    (setup, installed), (run, also) = without_installations(test.setup), without_installations(test.run)
    reading.losses += [Loss(rule="installation", detail=line) for line in dict.fromkeys((*installed, *also))]
    # A folder that a process of its own enters is left with it.
    setup = re.sub(r"(?:^|\s*(?:&&|;|\n)\s*)cd\s+[\w./-]+\s*\Z", "", with_python3(setup))
    run = with_python3(run)
    if is_java_compilation(run) and (sources := main_sources(reading.repository)):
        run = shlex.join(["javac", "-d", ".", *sources])  # without the tool, which would load something
    return replace(test, setup=setup, run=run)


def _plan(test: GithubTest, repository: Mapping[str, bytes]) -> UnitRunLine:
    """Return what a test runs: unit tests, or None for a line; a text says why it cannot be carried over."""
    found = find_unit_run(test.run, repository)
    is_made_there = isinstance(found, NodeTestRun) or (isinstance(found, UnitCommand) and found.framework == "junit")
    lines = [] if is_made_there else [test.setup, test.run]  # their tools make nothing here
    reasons = [*map(reason_out_of_reach, lines), "" if test.run else "it runs nothing"]
    if "${{" in f"{test.name}{test.setup}{test.run}{test.input}{test.output}":
        reasons.append("${{ }} has a value in a run of the workflow only")
    if test.comparison == "regex":
        try:
            to_python_pattern(test.output)
        except (ValueError, re.error, OverflowError, RecursionError) as error:
            reasons.append(f"its pattern cannot be said: {error}")
    if isinstance(found, UnitCommand) and found.framework != "junit" and test.comparison != "share":
        # Tests that look for modules where a unit test does not find them are run by their own line.
        modules = [one for file in found.files for one in _modules(repository[file], repository)]
        direct = {name.replace(".", "/") for file in found.files for name in imported_names(repository[file])}
        found = found if all(one.removesuffix(".py") in direct for one in modules) else None
    if found is None:
        named = [one.removeprefix("./") for one in re.findall(r"[\w./+-]+", f"{test.setup} {test.run}")]
        missing = [one for one in named if _TEST_NAME.search(one) and not _is_there(one, repository)]
        written = {name for names in _REDIRECTED.findall(f"{test.setup} {test.run}") for name in names}
        reasons += [
            f"its file {one} is not there: import the course's whole repository"
            for one in missing
            if one not in written
        ]
    return found if isinstance(found, str) else next(filter(None, reasons), found)


def _is_there(name: str, repository: Mapping[str, bytes]) -> bool:
    return any(one == name or one.endswith(f"/{name}") or one.startswith(f"{name.rstrip('/')}/") for one in repository)


def _of_one_project(planned: Sequence[tuple[GithubTest, UnitRunLine]]) -> list[tuple[GithubTest, UnitRunLine]]:
    """Leave the tests of other projects in Java than that of the most tests to be written: the build compiles one."""
    roots = [
        project_root(next(iter(plan.files))) if isinstance(plan, UnitCommand) and plan.framework == "junit" else None
        for _, plan in planned
    ]
    chosen = next((root for root, _ in Counter(filter(lambda one: one is not None, roots)).most_common(1)), None)
    why = "it is of another project, and one is built: give it a spec of its own"
    return [(test, plan if root in (None, chosen) else why) for (test, plan), root in zip(planned, roots, strict=True)]


def _course_files(reading: _Reading) -> Sequence[str]:
    """Return the files of the repository that are the course's: by their names, and what outputs are compared with."""
    files = reading.repository
    found = [one for one in files if is_course_file(one)]
    lines = [f"{test.setup}\n{test.run}" for test in reading.started]
    lines += [files[one].decode(errors="replace") for one in found if re.search(r"(?:\.sh|akefile)$", one)]
    compared = [name.removeprefix("./") for line in lines for name in _COMPARED.findall(line)]
    found = list(dict.fromkeys([*found, *(one for one in compared if one in files)]))
    reading.losses += [Loss(rule="many", detail=found[_MAX_FILES])] if len(found) > _MAX_FILES else []
    return found[:_MAX_FILES]


def _modules(source: bytes, repository: Mapping[str, bytes]) -> Iterator[str]:
    """Yield the files of the repository that a test in Python imports, what students hand in."""
    for path in dict.fromkeys(f"{name.replace('.', '/')}.py" for name in imported_names(source)):
        same = [path] if path in repository else [one for one in repository if one.endswith(f"/{path}")]
        yield from same if len(same) == 1 and not is_course_file(same[0]) else ()


def _start(reading: _Reading, *, by_node: bool) -> dict[str, Any]:
    """Return the fields of the draft for files, build and program."""
    repository, started, project = reading.repository, reading.started, reading.project
    if project and project.sources:
        fields = draft_start(["javac"], ["java", project.program], reading.seconds)
        run = shlex.join(["javac", "-d", ".", *project.sources])
        build = {"run": [run], "produces": ["*.class"]}
        return {**fields, "keys": {**fields["keys"], "files": {"required": project.sources}, "build": build}}
    build_lines, commands = _build_lines(started)
    runs = [test.run for test in started if not is_compilation(test.run)]
    starts = [run for run in runs if first_word(run).startswith("./") or first_word(run) in INTERPRETERS]
    guess = [*(("node", "index.js") if by_node else ("python3", "main.py"))]
    program = common_program(starts or runs) if runs else [guess[0], *(reading.handed_in[:1] or guess[1:])]
    scripts = [one for one in program if one in reading.course and one.endswith(".py")]
    handed_in = [*reading.handed_in, *(one for name in scripts for one in _modules(repository[name], repository))]
    lines = [line for test in started for line in (test.setup, test.run) if line and not is_compilation(line)]
    fields = draft_start(build_lines, program, reading.seconds, lines, reading.course)
    keys = fields["keys"]
    rules = {word: [] if scripts else names for word, names in keys["files"].items()}
    if handed_in and (not runs or not any(rules.values())):
        # Of several modules each has tests of its own, which the others do not need.
        rules = {"required" if len(handed_in) == 1 else "optional": handed_in}
    elif not rules["required"]:
        # By sources in folders work is found that is handed in without them.
        inner = [one for one in repository if "/" in one and _SOURCE.search(one) and not is_course_file(one)]
        rules["optional"] = list(dict.fromkeys([*rules["optional"], *inner[:_MAX_SOURCES]]))
    keys["files"] = rules
    if {first_word(one) for one in commands} & {"make", "cmake"}:
        _give_build_files(keys, reading)
    if build_lines != commands:
        keys["build"] |= {"produces": ["*"]}
    reading.losses += losses_where({"program": " ".join(program) * (not runs), "build": len(commands) == 1})
    return fields


def _build_lines(started: Sequence[GithubTest]) -> tuple[Sequence[str], Sequence[str]]:
    """Return the lines of the build, and the commands in them; of several a failed one costs only its own tests."""
    lines = [line for test in started for line in (test.setup, test.run)]
    compiling = dict.fromkeys(filter(is_compilation, lines))
    if any(re.match(r"\./|java\s", test.run) and not is_compilation(test.setup) for test in started):
        # What an earlier test compiled within its line is there for a later one.
        compiling |= dict.fromkeys(filter(None, map(compilation_within, lines)))
    commands = [one for line in compiling for one in joined_commands(line)]
    if len(compiling) > 1:
        return [" ; ".join([*(f"( {one} )" for one in compiling), "true"])], commands
    return [" && ".join(commands)] if "cd" in map(first_word, commands) else commands, commands


def _give_build_files(keys: dict[str, Any], reading: _Reading) -> None:
    """Put the course's files into a build by make or CMake, and its headers where none are handed in."""
    keys["build"] |= {"with": reading.course or None}
    headers = [one for one in reading.repository if one.endswith((".h", ".hpp")) and one not in reading.course]
    if headers and not keys["files"].get("required"):
        others = [one for one in keys["files"].get("optional", ()) if one not in headers]
        keys["files"] = {"required": headers, "optional": others}
        keys["repairs"] = list(_given_headers(headers, reading))


def _given_headers(headers: Sequence[str], reading: _Reading) -> Iterator[Mapping[str, Data]]:
    """Yield repairs that put the course's headers in place of those that are missing: all, or each."""
    for number, group in enumerate([headers, *([one] for one in headers if headers[1:])][:_MAX_REPAIRS]):
        yield {
            "name": f"given-header-{number}" if number else "given-headers",
            "about": f"The course's {', '.join(group)} was taken, for none was handed in.",
            "when": {"missing": group},
            "with": {one: reading.file(one, "data") for one in group},
        }


def _draft_tests(test: GithubTest, plan: UnitRunLine, reading: _Reading) -> Iterator[DraftTest]:
    limits = {} if test.seconds == reading.seconds else {"time": test.seconds}
    keys: dict[str, Data] = {"all_or_nothing": None if test.comparison == "share" else True, "limits": limits or None}
    draft = DraftTest(name=test.name, points=_points(test), about=test.about)
    if isinstance(plan, str):
        yield replace(draft, cases=OpenCheck(name=test.name, reason=plan, source=test.run))
    elif isinstance(plan, UnitCommand):
        yield from _unit_tests(draft, plan, reading, keys)
    elif isinstance(plan, NodeTestRun):
        beside = {name: reading.file(name) for name in plan.beside}
        unit = {"command": plan.command, "report": plan.report, "with": beside}
        reading.losses += losses_where({"tools": plan.package, "reference": f"reference/{reading.id}"})
        yield replace(draft, keys={**keys, "unit": unit, "env": plan.env or None})
    else:
        setup = [test.setup] if test.setup and not is_compilation(test.setup) else []
        if earlier := [f"( {one} )" for one in _earlier_lines(test, reading.started)]:
            setup = [*earlier, *(setup or ["true"])]
        tolerate, stdout = _expected(test)
        case = DraftCase(
            command=to_words(test.run, " ; ".join(setup)),
            stdin=test.input,
            limits=limits,
            tolerate=dict.fromkeys(tolerate, "100%"),
            expect={"stdout": stdout, "exit": 0},
        )
        yield replace(draft, cases=[case])


def _earlier_lines(test: GithubTest, started: Sequence[GithubTest]) -> Iterator[str]:
    """Yield the lines of earlier tests that wrote a file which a test names, and does not write itself."""
    own = _written(f"{test.setup}\n{test.run}")
    named = {*re.findall(r"[\w./-]+", f"{test.setup} {test.run}".replace("./", ""))} - own
    for one in started[: started.index(test)]:
        for line in (one.setup, one.run):
            if _written(line) & named:
                yield f"printf %s {shlex.quote(one.input)} | ( {line} )" if one.input and line == one.run else line


@cache
def _written(line: str) -> set[str]:
    return {one or other for one, other in _REDIRECTED.findall(line)}


def _expected(test: GithubTest) -> tuple[Sequence[str], Data]:
    """Return what a test tolerates and expects of its output: as much as the action, which trims both texts."""
    text = test.output
    if test.comparison == "included":
        return ["line-endings"] if "\n" in text else [], {"contains": [text]}
    if test.comparison == "regex":
        return [], {"regex": to_python_pattern(text)}
    if test.comparison != "exact":
        return [], None
    exact = {"text": f"{text}\n" if text else ""}
    if "\n" not in text:
        return ["final-newline", "trailing-space", "leading-space", "blank-lines", "line-endings"], exact
    trimmed = r"\A\s*" + r"\r?\n".join(map(re.escape, text.split("\n"))) + r"\s*\Z"
    return [], {"any": [exact, {"regex": trimmed}]}


def _unit_tests(
    draft: DraftTest, plan: UnitCommand, reading: _Reading, keys: Mapping[str, Data]
) -> Iterator[DraftTest]:
    """Yield a test for each file of a run of unit tests, which share the points by their methods."""
    weights: dict[str, Mapping[str, int]] = {}
    amounts: dict[str, int] = {}
    for file in sorted(plan.files):
        source = reading.repository[file]
        try:
            methods = unit_methods(source, plan.framework)
        except (SyntaxError, ValueError):
            methods = []
        counts = parameter_sets(source) if plan.framework == "pytest" and not keys["all_or_nothing"] else {}
        weights[file] = {name: size for name, size in counts.items() if name in methods}
        amounts |= {file: sum(weights[file].get(name, 1) for name in methods)} if methods else {}
    if not amounts:
        yield replace(draft, cases=OpenCheck(name=draft.name, reason="its files have no tests, or cannot be read"))
    empty = ", ".join(one for one in plan.files if one not in amounts)
    is_shared = len(amounts) > 1 and bool(keys["all_or_nothing"])
    reading.losses += losses_where({"no-tests": empty, "shared": draft.name if is_shared else ""})
    for file, amount in amounts.items():
        unit: dict[str, Data] = {
            plan.framework: reading.file(file),
            "only": plan.files[file] or None,
            "with": _beside(file, reading) or None,
            "values": "share" if weights[file] else None,  # each run of a method counts there
            "weights": weights[file] or None,
        }
        name = draft.name if len(amounts) == 1 else f"{draft.name}: {file}"
        points = Fraction(draft.points or 0) * amount / sum(amounts.values())
        yield replace(draft, name=name, points=points, keys={**keys, "unit": unit})


def _beside(file: str, reading: _Reading) -> Mapping[str, Data]:
    """Return the files that a unit test needs beside it, by their names there."""
    if reading.project:
        return {inner: reading.file(name) for inner, name in reading.project.beside.items()}
    settings = ("conftest.py", str(PurePosixPath(file).with_name("conftest.py")))
    found = {"conftest.py": one for one in settings if one in reading.repository}  # noqa: B035 - the nearer one
    modules = [f"{name.replace('.', '/')}.py" for name in imported_names(reading.repository[file])]
    found |= {one: one for one in modules if one in reading.repository and is_course_file(one)}
    return {place: reading.file(one) for place, one in found.items()}


def _further_losses(reading: _Reading) -> list[Loss]:
    """Return what is to know of all tests."""
    project, course = reading.project, reading.course
    lines = [line for test in reading.started for line in (test.setup, test.run)]
    words = [word.removeprefix("./") for line in lines for word in re.findall(r"(?<![\w/-])(?:\./)?[\w./-]+", line)]
    started = {first_word(part) for line in lines for part in joined_commands(line)}
    scripts = {one for one in words if one.endswith(".sh")}
    scripts |= {"Makefile"} if "make" in started and "cmake" not in started else set()
    own = [one for one in words if is_own_test(one, reading.repository)]
    return losses_where(
        {
            "own-tests": ", ".join(own) if {"pytest", "unittest"} & {*words} else "",
            "handed-in": ", ".join(sorted(one for one in scripts if one not in course)),
            "course-files": ", ".join(course),
            "java-build": ", ".join(project.sources) if project else "",
            "libraries": ", ".join(project.libraries) if project else "",
            "carriage-return": any("\r" in test.output for test in reading.started),
            "minutes": reading.seconds >= 60,  # noqa: PLR2004 - a minute
            "afresh": True,
            "course-only": True,
        }
    )
