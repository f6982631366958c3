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
from pathlib import Path, PurePosixPath
from typing import Any

from grader.core.errors import UsageError
from grader.core.text import one_line
from grader.core.yaml.nodes import MAX_BYTES
from grader.imports import Imported, identifier
from grader.imports.command_lines import INTERPRETERS, common_program, first_word, with_python3, with_python3_in_file
from grader.imports.draft import CourseFile, Data, Draft, DraftCase, DraftTest, Loss, OpenCheck
from grader.imports.folder import read_folder
from grader.imports.github_file import (
    GithubFile,
    GithubTest,
    parse_autograding,
    parse_workflow,
    uses_autograding_json,
)
from grader.imports.github_lines import (
    UnitCommand,
    UnitRunLine,
    compilation_within,
    find_unit_run,
    is_compilation,
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
_MAX_REPOSITORIES, _MAX_FILES, _MAX_SOURCES, _MAX_REPAIRS = 200, 100, 30, 10
_NO_TESTS = (
    "only steps of actions such as autograding-io-grader can be carried over. Of a step with `run`, write each thing "
    "that it checks as a test with its own points: `grader new` begins a spec, and `command` in a test takes a line"
)
_COURSE = re.compile(
    r"(?:^|/)(?:\.?tests?|\.github|\.grader|grading|autograder|data|inputs?|expected|samples?|fixtures|testdata)/"
    r"|(?:^|[/_.-])(?:auto)?(?:tests?|tester|grader|check|checker|expected|inputs?|samples?)[\w-]*\.\w+$"
    r"|(?:^|/)(?:CMakeLists\.txt|go\.(?:mod|sum)|Cargo\.(?:toml|lock)|conftest\.py|(?:pytest|tox)\.ini|setup\.cfg"
    r"|pyproject\.toml)$|^[Mm]akefile$"
)
"""what a course puts beside its tests, by its name; a file with another name may be one that students fill in"""
_NO_PART = re.compile(r"(?:^|/)(?:__pycache__|node_modules|workflows)/|(?:^|/)autograding\.json$")
_TEST_NAME = re.compile(
    r"(?:^|/)\.?tests?/[\w./-]+|(?:^|[/_-])(?:auto)?(?:tests?|grader|check)[\w-]*\.(?:py|sh|js|c|cpp)$"
)
_COMPARED = re.compile(r"\b(?:diff|cmp)\b(?:\s+-\S+)*\s+\S+\s+([\w./-]+)")
_REDIRECTED = re.compile(r"(?<![\d&<-])>>?\s*(?!/dev/|&)(?:\./)?([\w./-]+)|\btee\s+(?:-a\s+)?(?:\./)?([\w./-]+)")
_SOURCE = re.compile(r"\.(?:c|cc|cpp|cxx|h|hpp|go|rs|java|kt|hs|py|js|mjs|ts|rb|php|cs|swift|scala)$")


def import_github_classroom(path: Path, name: str | None = None) -> Imported:
    """Convert a repository of GitHub Classroom, its file with the tests, or a folder of repositories to specs.

    Raises UsageError when there is no such file, when it is invalid, or when nothing of it can be carried over.
    """
    if path.is_file():
        root = path.resolve().parent
        while root.name in {"classroom", "workflows", ".github"}:
            root = root.parent
        is_inside = ".github" in path.resolve().parts
        repository = read_folder(root, str(path.resolve().relative_to(root))).files if is_inside else {}
        made = identifier(name, root.name if is_inside else path.parent.resolve().name)
        return to_imported(_draft(_parsed(path), repository, made))
    if not path.exists():
        raise UsageError(f"{path} does not exist; name a repository that has {_JSON} or {_WORKFLOW}, or this file")
    if (path / ".github").is_dir():
        return to_imported(_from_repository(path, identifier(name, path.resolve().name)))
    inner = sorted(one for one in path.iterdir() if (one / ".github").is_dir()) if path.is_dir() else []
    if not inner:
        raise UsageError(f"{path} has neither {_JSON} nor {_WORKFLOW}, nor folders that have")
    if name is not None or len(inner) > _MAX_REPOSITORIES:
        raise UsageError(f"{path} has {len(inner)} repositories: import one by one to name an id with --id")
    found: list[Draft] = []
    refused: list[Loss] = []
    for one in inner:
        try:
            found.append(_from_repository(one, identifier(None, one.name)))
        except UsageError as error:
            refused.append(Loss(rule="refused", where=one.name, detail=one_line(str(error), 300)))
    if not found:
        reasons = "".join(f"\n- {loss.where}: {loss.detail}" for loss in refused)
        raise UsageError(f"{len(refused)} repositories, and none can be carried over{reasons}")
    return to_imported(replace(found[0], others=found[1:], losses=[*found[0].losses, *refused]))


def _from_repository(path: Path, name: str) -> Draft:
    """Convert a repository: by its workflow where that has tests, else by its `autograding.json`."""
    workflows = sorted((path / ".github/workflows").glob("*.y*ml"), key=lambda one: (one.name != "classroom.yml", one))
    for workflow in workflows:
        if not uses_autograding_json(data := _read(workflow)) and (found := parse_workflow(data, str(workflow))).tests:
            return _draft(found, read_folder(path, str(workflow.relative_to(path))).files, name)
    if not (path / _JSON).is_file():
        raise UsageError(f"{path} has no {_JSON}, and its workflows have no tests: {_NO_TESTS}")
    return _draft(_parsed(path / _JSON), read_folder(path, _JSON).files, name)


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from error


def _parsed(path: Path) -> GithubFile:
    data = _read(path)
    if path.suffix not in {".yml", ".yaml"}:
        return parse_autograding(data, str(path))
    found = parse_workflow(data, str(path))
    if not found.tests:
        reason = "it runs the tests of autograding.json: name that" if uses_autograding_json(data) else _NO_TESTS
        raise UsageError(f"{path} has no tests: {reason}")
    return found


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
        reading.course = {one: {"file": reading.file(one, "data")} for one in _course_files(reading)}
    imported = [one for plan in units for file in plan.files for one in _modules(repository[file], repository)]
    imported += [one for _, plan in planned if isinstance(plan, NodeTestRun) for one in plan.required]
    reading.handed_in = list(dict.fromkeys(imported))
    fields = _start(reading, by_node=any(isinstance(plan, NodeTestRun) for _, plan in planned))
    defaults = {"env": found.env or None, "files": reading.course or None}
    fields["keys"]["defaults"] = defaults if any(defaults.values()) else None
    drafted = [one for test, plan in planned for one in _draft_tests(test, plan, reading)]
    _add_losses(reading)
    return Draft(
        id=made,
        format="github-classroom",
        origin=f"{PurePosixPath(found.name).name} of GitHub Classroom",
        tests=drafted,
        points=sum(_points(test) for test in tests),
        losses=reading.losses,
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
    in_java = [isinstance(plan, UnitCommand) and plan.framework == "junit" for _, plan in planned]
    roots = [project_root(next(iter(plan.files))) if isinstance(plan, UnitCommand) else "" for _, plan in planned]
    chosen = Counter(root for root, is_java in zip(roots, in_java, strict=True) if is_java).most_common(1)
    return [
        (
            test,
            f"it is of the project {root}; give that a spec of its own" if is_java and root != chosen[0][0] else plan,
        )
        for (test, plan), root, is_java in zip(planned, roots, in_java, strict=True)
    ]


def _course_files(reading: _Reading) -> Sequence[str]:
    """Return the files of the repository that are the course's: by their names, and what outputs are compared with."""
    files = reading.repository
    found = [
        one for one in files if _COURSE.search(one) and not _NO_PART.search(one) and not is_own_test(files[one], files)
    ]
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
        yield from same if len(same) == 1 and not _COURSE.search(same[0]) else ()


def _start(reading: _Reading, *, by_node: bool) -> dict[str, Any]:
    """Return the fields of the draft for files, build and program."""
    repository, started, handed_in = reading.repository, reading.started, list(reading.handed_in)
    if reading.project and reading.project.sources:
        sources = reading.project.sources
        fields = draft_start(["javac"], ["java", reading.project.program], reading.seconds)
        fields["keys"]["files"] = {"required": sources}
        fields["keys"]["build"] = {"run": [shlex.join(["javac", "-d", ".", *sources])], "produces": ["*.class"]}
        return fields
    compiling = list(dict.fromkeys(one for test in started for one in (test.setup, test.run) if is_compilation(one)))
    if any(re.match(r"\./|java\s", test.run) and not is_compilation(test.setup) for test in started):
        # What an earlier test compiled within its line is there for a later one.
        begun = [compilation_within(one) for test in started for one in (test.setup, test.run)]
        compiling = list(dict.fromkeys([*compiling, *filter(None, begun)]))
    build = joined_commands(compiling[0]) if compiling else []
    if len(compiling) > 1 or any(first_word(one) == "cd" for one in build):  # a failed one costs only its own tests
        build = [" ; ".join([*(f"( {one} )" for one in compiling), "true"]) if compiling[1:] else " && ".join(build)]
    runs = [test.run for test in started if not is_compilation(test.run)]
    starts = [run for run in runs if first_word(run).startswith("./") or first_word(run) in INTERPRETERS]
    first = next(iter(handed_in), "")
    guess = ["node", first or "index.js"] if by_node else ["python3", first or "main.py"]
    program = common_program(starts or runs) if runs else guess
    scripts = [one for one in program if one in reading.course and one.endswith(".py")]
    handed_in += [one for script in scripts for one in _modules(repository[script], repository)]
    lines = [line for test in started for line in (test.setup, test.run) if line and not is_compilation(line)]
    fields = draft_start(build, program, reading.seconds, lines, reading.course)
    keys = fields["keys"]
    rules = {word: [] if scripts else names for word, names in keys["files"].items()}
    if handed_in and (not runs or not any(rules.values())):
        # Of several modules each has tests of its own, which the others do not need.
        rules = {"required" if len(handed_in) == 1 else "optional": handed_in}
    elif not rules["required"]:
        # By sources in folders work is found that is handed in without them.
        inner = [one for one in repository if "/" in one and _SOURCE.search(one) and not _COURSE.search(one)]
        rules["optional"] = list(dict.fromkeys([*rules["optional"], *inner[:_MAX_SOURCES]]))
    if any(first_word(one) in {"make", "cmake"} for line in compiling for one in joined_commands(line)):
        keys["build"]["with"] = reading.course or None
        headers = [one for one in repository if one.endswith((".h", ".hpp")) and one not in reading.course]
        if headers and not rules.get("required"):
            others = [one for one in rules.get("optional", ()) if one not in headers]
            rules = {"required": headers, "optional": others}
            keys["repairs"] = list(_given_headers(headers, reading))
    keys["build"] = {**keys["build"], "produces": ["*"]} if len(compiling) > 1 else keys.get("build")
    keys["files"] = rules
    reading.losses += [] if runs else [Loss(rule="program", detail=" ".join(program))]
    reading.losses += [Loss(rule="build")] if len(compiling) == 1 else []
    return fields


def _given_headers(headers: Sequence[str], reading: _Reading) -> Iterator[Mapping[str, Data]]:
    """Yield repairs that put the course's headers in place of those that are missing: all, or each."""
    for number, group in enumerate([headers, *([one] for one in headers if headers[1:])][:_MAX_REPAIRS]):
        yield {
            "name": f"given-header-{number}" if number else "given-headers",
            "about": f"The course's {', '.join(group)} was taken, for none was handed in.",
            "when": {"missing": group},
            "with": {one: {"file": reading.file(one, "data")} for one in group},
        }


def _draft_tests(test: GithubTest, plan: UnitRunLine, reading: _Reading) -> Iterator[DraftTest]:
    limits = {} if test.seconds == reading.seconds else {"time": test.seconds}
    keys: dict[str, Data] = {
        "all_or_nothing": None if test.comparison == "share" else True,
        "limits": limits or None,
    }
    if isinstance(plan, str):
        left = OpenCheck(name=test.name, reason=plan, source=test.run)
        yield DraftTest(name=test.name, points=_points(test), cases=left)
    elif isinstance(plan, UnitCommand):
        yield from _unit_tests(test, plan, reading, keys)
    elif isinstance(plan, NodeTestRun):
        beside = {name: {"file": reading.file(name)} for name in plan.beside}
        keys |= {"unit": {"command": plan.command, "report": plan.report, "with": beside}, "env": plan.env or None}
        reading.losses += [Loss(rule="tools", where=test.name, detail=plan.package)] if plan.package else []
        reading.losses.append(Loss(rule="reference", detail=f"reference/{reading.id}"))
        yield DraftTest(name=test.name, points=_points(test), keys=keys)
    else:
        earlier = _earlier_lines(test, reading.started)
        setup = [] if is_compilation(test.setup) or not test.setup else [test.setup]
        setup = [*(f"( {one} )" for one in earlier), *(setup or ["true"])] if earlier else setup
        tolerate, stdout = _expected(test)
        case = DraftCase(
            command=to_words(test.run, " ; ".join(setup)),
            stdin=test.input,
            limits=limits,
            tolerate=dict.fromkeys(tolerate, "100%"),
            expect={"stdout": stdout, "exit": 0},
        )
        yield DraftTest(name=test.name, points=_points(test), about=test.about, cases=[case])


def _earlier_lines(test: GithubTest, started: Sequence[GithubTest]) -> Iterator[str]:
    """Yield the lines of earlier tests that wrote a file which a test names, and does not write itself."""
    own = _written(f"{test.setup}\n{test.run}")
    named = {*re.findall(r"[\w./-]+", f"{test.setup} {test.run}".replace("./", ""))} - own
    for one in started[: started.index(test)]:
        for line in (one.setup, one.run):
            if _written(line) & named:
                yield f"printf %s {shlex.quote(one.input)} | ( {line} )" if one.input and line == one.run else line


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
    test: GithubTest, plan: UnitCommand, reading: _Reading, keys: Mapping[str, Data]
) -> Iterator[DraftTest]:
    """Yield a test for each file of a run of unit tests, which share the points by their methods."""
    amounts: dict[str, int] = {}
    weights: dict[str, Mapping[str, int]] = {}
    for file in sorted(plan.files):
        source = reading.repository[file]
        try:
            methods = unit_methods(source, plan.framework)
        except (SyntaxError, ValueError):
            methods = []
        counts = parameter_sets(source) if test.comparison == "share" and plan.framework == "pytest" else {}
        weights[file] = {name: size for name, size in counts.items() if name in methods}
        amounts[file] = sum(weights[file].get(name, 1) for name in methods)
    reading.losses += [Loss(rule="no-tests", where=file) for file, amount in amounts.items() if not amount]
    read = {file: amount for file, amount in amounts.items() if amount}
    if not read:
        left = OpenCheck(name=test.name, reason="its files have no tests, or cannot be read", source=test.run)
        yield DraftTest(name=test.name, points=_points(test), cases=left)
    reading.losses += (
        [Loss(rule="shared", where=test.name)] if read and len(read) > 1 and keys["all_or_nothing"] else []
    )
    for file, amount in read.items():
        unit: dict[str, Data] = {
            plan.framework: reading.file(file),
            "only": plan.files[file] or None,
            "with": _beside(file, reading) or None,
            "values": "share" if weights[file] else None,  # each run of a method counts there
            "weights": weights[file] or None,
        }
        name = test.name if len(read) == 1 else f"{test.name}: {file}"
        yield DraftTest(name=name, points=_points(test) * amount / sum(read.values()), keys={**keys, "unit": unit})


def _beside(file: str, reading: _Reading) -> Mapping[str, Data]:
    """Return the files that a unit test needs beside it, by their names there."""
    if reading.project:
        return {inner: {"file": reading.file(name)} for inner, name in reading.project.beside.items()}
    settings = ("conftest.py", str(PurePosixPath(file).with_name("conftest.py")))
    found = {"conftest.py": one for one in settings if one in reading.repository}  # noqa: B035 - the nearer one
    modules = [f"{name.replace('.', '/')}.py" for name in imported_names(reading.repository[file])]
    found |= {one: one for one in modules if one in reading.repository and _COURSE.search(one)}
    return {place: {"file": reading.file(one)} for place, one in found.items()}


def _add_losses(reading: _Reading) -> None:
    """Add what is to know of all tests."""
    losses, course = reading.losses, reading.course
    lines = [line for test in reading.started for line in (test.setup, test.run)]
    scripts = {
        name.removeprefix("./") for line in lines for name in re.findall(r"(?<![\w/-])(?:\./)?([\w./-]+\.sh)\b", line)
    }
    words = {first_word(part) for line in lines for part in joined_commands(line)}
    scripts |= {"Makefile"} if "make" in words and "cmake" not in words else set()
    for test in reading.started:
        files = [reading.repository.get(word, b"") for word in test.run.split() if "test" in test.run]
        own = any(is_own_test(one, reading.repository) for one in files)
        losses += [Loss(rule="own-tests", where=test.name)] if own else []
    if scripts := {one for one in scripts if one not in course}:
        losses.append(Loss(rule="handed-in", detail=", ".join(sorted(scripts))))
    losses += [Loss(rule="course-files", detail=", ".join(course))] if course else []
    if reading.project:
        losses.append(Loss(rule="java-build", detail=", ".join(reading.project.sources)))
        libraries = ", ".join(reading.project.libraries)
        losses += [Loss(rule="libraries", detail=libraries)] if libraries else []
    if any("\r" in test.output for test in reading.started):
        losses.append(Loss(rule="carriage-return"))
    losses += [Loss(rule="minutes")] if reading.seconds >= 60 else []  # noqa: PLR2004 - a minute
    losses += [Loss(rule="afresh"), Loss(rule="course-only")]
