"""GitHub Classroom (`autograding.json`, `classroom.yml`) -> a spec.

There all tests run in one working folder, one after the other, among the files that were handed in, which include the
tests. Here the course's copy of a test file counts, and each case starts in a new folder.
"""

import ast
import re
import shlex
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from grader.core.errors import UsageError
from grader.core.text import one_line
from grader.core.yaml.nodes import MAX_BYTES, Node
from grader.core.yaml.value import escaped
from grader.core.yaml.writing import listing, plain, quoted, table
from grader.imports import Imported, check_name, identifier, text_or_word
from grader.imports.classroom_beside import (
    build_settings,
    course_files_of,
    give_build_files,
    name_folders,
    parameter_sets,
    with_earlier_runs,
)
from grader.imports.classroom_files import (
    ClassroomFile,
    ClassroomTest,
    parse_autograding,
    parse_workflow,
    uses_autograding_json,
)
from grader.imports.classroom_lines import (
    UnitCommand,
    UnitRunLine,
    compiles_by_settings,
    find_unit_run,
    is_compilation,
    is_own_test,
    joined_commands,
    made_folders,
    named_test_files,
    reason_out_of_reach,
    script_out_of_reach,
    to_python_pattern,
    without_installations,
)
from grader.imports.command_lines import INTERPRETERS, common_program, first_word, with_python3, with_python3_in_file
from grader.imports.folder import read_folder
from grader.imports.java_projects import JavaProject, find_project, is_java_compilation, main_sources, project_root
from grader.imports.line_keys import keys_before_tests, start_keys
from grader.imports.node_projects import NodeTestRun
from grader.kinds.unit_tests.language import unit_methods

_JSON, _WORKFLOW = ".github/classroom/autograding.json", ".github/workflows/classroom.yml"
_MAX_REPOSITORIES = 200
_RUNS_TESTS = re.compile(r"\bpytest\b|\bunittest\b")
_NO_TESTS = (
    "only steps of actions such as autograding-io-grader can be carried over. Of a step with `run`, write each thing "
    "that it checks as a test with its own points: `grader new` begins a spec, and `command` in a test takes a line"
)


@dataclass(slots=True, kw_only=True)
class _Assignment:
    """What all tests of a file share while they are converted."""

    id: str
    repository: Mapping[str, bytes]
    """the course's files by their paths; empty when only the file with the tests is there"""
    build: Sequence[str] = ()
    program: Sequence[str] = ()
    seconds: float = 0
    files: dict[str, bytes] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    required: dict[str, None] = field(default_factory=dict)
    adapted: list[str] = field(default_factory=list)
    """the course's files in which `python` became `python3`"""
    java: JavaProject | None = None
    """the project of Gradle or Maven whose tests are run"""

    def place(self, name: str, folder: str) -> str:
        """Carry a file of the repository over; return its path below the course root."""
        path = self.path_of(name, folder)
        check_name(path.split("/", 2)[2])
        content = self.repository[name]
        self.files[path] = with_python3_in_file(name, content)
        if self.files[path] != content and name not in self.adapted:
            self.adapted.append(name)
        return path

    def path_of(self, name: str, folder: str) -> str:
        """Return the path below the course root of a file of the repository."""
        shown = name.replace("/.", "/").removeprefix(".")
        if shown != name and shown in self.repository:
            shown = f"hidden/{shown}"
        return f"{folder}/{self.id}/{shown}"


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
        return _converted(
            _parsed(_read(path), path),
            repository,
            identifier(name, root.name if is_inside else path.parent.resolve().name),
        )
    if not path.exists():
        raise UsageError(f"{path} does not exist; name a repository that has {_JSON} or {_WORKFLOW}, or this file")
    if (path / ".github").is_dir():
        return _from_repository(path, identifier(name, path.resolve().name))
    inner = sorted(one for one in path.iterdir() if (one / ".github").is_dir()) if path.is_dir() else []
    if not inner:
        raise UsageError(f"{path} has neither {_JSON} nor {_WORKFLOW}, nor folders that have")
    if name is not None or len(inner) > _MAX_REPOSITORIES:
        raise UsageError(f"{path} has {len(inner)} repositories: import one by one to name an id with --id")
    return _joined([(one, identifier(None, one.name)) for one in inner])


def _joined(repositories: Sequence[tuple[Path, str]]) -> Imported:
    """Convert several repositories; those that are refused are told."""
    found: list[Imported] = []
    refused: list[str] = []
    for path, name in repositories:
        try:
            found.append(_from_repository(path, name))
        except UsageError as error:
            refused.append(f"{path.name}: left out. {one_line(str(error), 300)}")
    if not found:
        raise UsageError(f"{len(refused)} repositories, and none can be carried over{_lines_of(refused)}")
    first, *others = found
    return Imported(
        id=first.id,
        spec=first.spec,
        others={one.id: one.spec for one in others},
        files={file: content for one in found for file, content in one.files.items()},
        origin="repositories of GitHub Classroom",
        notes=[*(f"{one.id}: {note}" for one in found for note in one.notes), *refused],
    )


def _from_repository(path: Path, name: str) -> Imported:
    """Convert a repository: by its workflow where that has tests, else by its `autograding.json`."""
    workflows = sorted(
        (path / ".github/workflows").glob("*.y*ml"), key=lambda one: (one.name != "classroom.yml", one.name)
    )
    for workflow in workflows:
        data = _read(workflow)
        if not uses_autograding_json(data) and (found := parse_workflow(data, str(workflow))) and found.tests:
            return _converted(found, read_folder(path, str(workflow.relative_to(path))).files, name)
    if not (path / _JSON).is_file():
        raise UsageError(f"{path} has no {_JSON}, and its workflows have no tests: {_NO_TESTS}")
    return _converted(_parsed(_read(path / _JSON), path / _JSON), read_folder(path, _JSON).files, name)


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from error


def _parsed(data: bytes, path: Path) -> ClassroomFile:
    if path.suffix not in {".yml", ".yaml"}:
        return parse_autograding(data, str(path))
    found = parse_workflow(data, str(path))
    if found is None or not found.tests:
        reason = "it runs the tests of autograding.json: name that" if uses_autograding_json(data) else _NO_TESTS
        raise UsageError(f"{path} has no tests: {reason}")
    return found


def _lines_of(notes: Sequence[str]) -> str:
    return "".join(f"\n- {note}" for note in notes) or ": it has no tests"


# ---------------------------------------------------------------- the spec


def _converted(found: ClassroomFile, repository: Mapping[str, bytes], name: str) -> Imported:
    made = _Assignment(id=name, repository=repository, notes=list(found.notes))
    tests = list(_runnable(_with_points(found.tests, made), made))
    plans = {test.name: _plan(test, made) for test in tests}
    tests = [test for test in tests if not _left_out(test, plans[test.name], made)]
    started = [test for test in tests if plans[test.name] is None]
    made.build = _build_lines(started)
    in_java = [one for one in plans.values() if isinstance(one, UnitCommand) and one.framework == "junit"]
    if reported := [one for one in plans.values() if isinstance(one, NodeTestRun)]:
        made.required |= dict.fromkeys(name for one in reported for name in one.required)
        made.program = made.program or ("node", next(iter(made.required), "index.js"))
    if in_java:
        tests, in_java = _of_one_project(tests, plans, made)
        made.java = find_project(list(dict.fromkeys(file for one in in_java for file in one.files)), repository)
    made.program = _program(started)
    tests = list(with_earlier_runs(tests, {test.name for test in started}, made.build, repository))
    made.seconds = Counter(test.seconds for test in tests).most_common(1)[0][0] if tests else 0
    nodes = [node for test in tests for node in _test_nodes(test, plans[test.name], made)]
    if not nodes:
        raise UsageError(f"{found.name}: nothing can be carried over{_lines_of(made.notes)}")
    return Imported(
        id=name,
        spec={**_head(made, started), **_environment(found.env), "tests": listing(nodes)},
        files=made.files,
        origin=f"{PurePosixPath(found.name).name} of GitHub Classroom",
        notes=[*made.notes, *_further_notes(tests, made)],
    )


def _environment(names: Mapping[str, str]) -> dict[str, Node]:
    values = {name: quoted(value) for name, value in names.items()}
    return {"defaults": table({"env": table(values)})} if values else {}


def _plan(test: ClassroomTest, made: _Assignment) -> UnitRunLine:
    """Return what a test runs; None for tests in Python that look for modules where a unit test does not find them."""
    found = find_unit_run(test.run, made.repository, made.repository)
    if not isinstance(found, UnitCommand) or found.framework == "junit" or test.comparison == "share":
        return found
    try:
        imported = [one for file in found.files for one in _imported_files(made.repository[file], made.repository)]
    except (SyntaxError, ValueError):
        return found
    return found if all(is_direct for _, is_direct in imported) else None


def _with_points(tests: Sequence[ClassroomTest], made: _Assignment) -> Iterator[ClassroomTest]:
    """Give each test a name of its own; and a point, where no test has any."""
    seen: Counter[str] = Counter()
    without = not any(test.points for test in tests)
    if without and tests:
        made.notes.append("No test has points there: each has one here.")
    for test in tests:
        seen[test.name] += 1
        name = test.name if seen[test.name] == 1 else f"{test.name} ({seen[test.name]})"
        yield replace(test, name=name, points=1 if without else test.points or 0)


def _runnable(tests: Iterator[ClassroomTest], made: _Assignment) -> Iterator[ClassroomTest]:
    """Take installations out of the lines; leave out what cannot run in a sandbox."""
    told: set[str] = set()
    for test in tests:
        setup, installed = without_installations(test.setup)
        run, also = without_installations(test.run)
        for line in (*installed, *also):
            if line not in told:
                told.add(line)
                made.notes.append(f"Not run, so install it on the machine that grades: {line}")
        # A folder that a process of its own enters is left with it.
        setup = re.sub(r"(?:^|\s*(?:&&|;|\n)\s*)cd\s+[\w./-]+\s*\Z", "", with_python3(setup))
        run = with_python3(run)
        if is_java_compilation(run) and (sources := main_sources(made.repository)):
            run = shlex.join(["javac", "-d", ".", *sources])  # without the tool, which would load something
        plan = find_unit_run(run, made.repository, made.repository)
        files = [made.repository.get(word, b"") for word in run.split()] if _RUNS_TESTS.search(run) else []
        if plan is None and any(is_own_test(one, made.repository) for one in files):
            made.notes.append(
                f"{test.name}: its tests are in a file that students hand in, who can change them: "
                "move them into a file of the course."
            )
        if isinstance(plan, UnitCommand | NodeTestRun):
            is_made_there = isinstance(plan, NodeTestRun) or plan.framework == "junit"
            setup = "" if is_made_there else setup  # its tool makes nothing here
            reason = reason_out_of_reach(setup)
        else:
            nothing = "" if run else "it runs nothing"
            reason = reason_out_of_reach(setup) or plan or reason_out_of_reach(run) or nothing
        if reason:
            made.notes.append(f"{test.name}: left out ({test.points:g} points). {reason}.")
        else:
            yield replace(test, setup=setup, run=run)


def _left_out(test: ClassroomTest, plan: UnitRunLine, made: _Assignment) -> bool:
    reason = plan if isinstance(plan, str) else ""
    if plan is None:
        missing = named_test_files(f"{test.setup} {test.run}", made.repository)[1]
        reason = f"its file {missing[0]} is not there: import the course's whole repository" if missing else ""
    if test.comparison == "regex":
        try:
            to_python_pattern(test.output)
        except (ValueError, re.error, OverflowError, RecursionError) as error:
            reason = f"its pattern cannot be said: {error}"
    if reason:
        made.notes.append(f"{test.name}: left out ({test.points:g} points). {one_line(reason, 300)}.")
    return bool(reason)


def _of_one_project(
    tests: Sequence[ClassroomTest], plans: Mapping[str, UnitRunLine], made: _Assignment
) -> tuple[list[ClassroomTest], list[UnitCommand]]:
    """Keep the tests of one project in Java, that of the most tests: the build compiles one."""
    roots = {
        test.name: project_root(next(iter(plan.files)))
        for test in tests
        if isinstance(plan := plans[test.name], UnitCommand) and plan.framework == "junit"
    }
    chosen = Counter(roots.values()).most_common(1)[0][0]
    for test in tests:
        if roots.get(test.name, chosen) != chosen:
            made.notes.append(
                f"{test.name}: left out ({test.points:g} points). It is of the project {roots[test.name]}, and the "
                f"build is that of {chosen or 'the top'}: give it a spec of its own."
            )
    kept = [test for test in tests if roots.get(test.name, chosen) == chosen]
    return kept, [plan for test in kept if test.name in roots and isinstance(plan := plans[test.name], UnitCommand)]


def _build_lines(tests: Sequence[ClassroomTest]) -> Sequence[str]:
    """Return the lines of the build: the only line that compiles; of several, each stays with its tests."""
    lines = dict.fromkeys(
        line
        for test in tests
        for line in (test.setup, *([test.run] if test.comparison == "status" else []))
        if is_compilation(line)
    )
    if len(lines) != 1:
        return ()
    return _build_commands(next(iter(lines)))


def _build_commands(line: str) -> Sequence[str]:
    """Return the commands of a line that compiles; one that enters a folder is for a single shell."""
    parts = joined_commands(line)
    return parts if not any(first_word(part) == "cd" for part in parts) else (" && ".join(parts),)


def _program(tests: Sequence[ClassroomTest]) -> Sequence[str]:
    runs = [test.run for test in tests if not is_compilation(test.run)]
    starts = [run for run in runs if first_word(run).startswith("./") or first_word(run) in INTERPRETERS]
    return common_program(starts or runs) if runs else ()


def _java_head(made: _Assignment, project: JavaProject) -> dict[str, Node]:
    """Return the keys that apply to all tests of a project in Java."""
    made.program = made.program or ("java", project.program)
    keys = keys_before_tests(made.id, ("javac",), made.program, f"{made.seconds:g}")
    line = shlex.join(["javac", "-d", ".", *project.sources])
    keys["files"] = table({"required": listing(map(text_or_word, project.sources))})
    keys["build"] = table({"run": listing([text_or_word(line)]), "produces": listing([quoted("*.class")])})
    made.notes.append(f"The build is `javac`, and what students hand in are: {', '.join(project.sources)}.")
    if project.libraries:
        named = ", ".join(project.libraries)
        made.notes.append(f"The tests import {named}: name the archives under `jars`; see use-unit-tests.")
    return keys


def _head(made: _Assignment, started: Sequence[ClassroomTest]) -> dict[str, Node]:
    """Return the keys that apply to all tests."""
    if made.java and made.java.sources:
        return _java_head(made, made.java)
    is_guess = not made.program
    if is_guess:
        first = next(iter(made.required), "")
        made.program = (
            ("python3", first or "main.py") if first.endswith(".py") or not started else ("sh", "-c", started[0].run)
        )
        made.notes.append(f"program: no test starts it; {' '.join(made.program)} is a guess.")
    lines = [line for test in started for line in (test.setup, test.run) if line and not is_compilation(line)]
    given = {name for line in lines for name in course_files_of(line, made.repository)}
    keys = keys_before_tests(made.id, made.build, made.program, f"{made.seconds:g}", runs=lines, course_files=given)
    scripts = [
        one
        for one in made.repository
        if f"data/{made.id}/{one}" in made.files and one in made.program and one.endswith(".py")
    ]
    if scripts:
        # The program is a script of the course's; students hand in what it imports.
        keys.pop("files", None)
        made.required |= dict.fromkeys(one for script in scripts for one in _imports_of(script, made))
    if made.required and (is_guess or "files" not in keys):
        # Of several modules each has tests of its own, which the others do not need.
        word = "required" if len(made.required) == 1 else "optional"
        keys["files"] = table({word: listing(map(text_or_word, made.required))})
    if made.repository:
        made_there = {name for test in started for name in made_folders(f"{test.setup}\n{test.run}")}
        name_folders(keys, given, made_there, made.repository)
    if any(compiles_by_settings(line) for line in made.build):
        give_build_files(keys, made.repository, lambda name: made.place(name, "data"), made.notes)
    return keys


def _test_nodes(test: ClassroomTest, plan: UnitRunLine, made: _Assignment) -> Iterator[Node]:
    if isinstance(plan, UnitCommand):
        yield from _unit_nodes(test, plan, made)
        return
    if isinstance(plan, NodeTestRun):
        yield _reported_node(test, plan, made)
        return
    keys: dict[str, Node] = {"name": text_or_word(test.name), "points": plain(f"{test.points:g}")}
    setup = "" if _build_commands(test.setup) == made.build else test.setup
    if test.run and _build_commands(test.run) == made.build and len(made.build) == 1:
        keys["command"] = text_or_word(test.run)
    elif not (made.program == ("sh", "-c", test.run) and not setup):
        keys.update(start_keys(test.run, setup, made.program))
    in_build = any(map(compiles_by_settings, made.build))  # which each case gets a copy of
    lines = [line for line in (test.setup, test.run) if line and not (in_build and is_compilation(line))]
    named = dict.fromkeys(name for line in lines for name in course_files_of(line, made.repository))
    if there := [name for name in named if not (in_build and name in build_settings(made.repository))]:
        keys["files"] = table({one: table({"file": text_or_word(made.place(one, "data"))}) for one in there})
        made.notes.append(f"{test.name}: the course's copy counts of {', '.join(there)}.")
    if test.about:
        keys["about"] = quoted(test.about)
    if test.input:
        keys["stdin"] = quoted(escaped(test.input))
    if test.seconds != made.seconds:
        keys["limits"] = table({"time": plain(f"{test.seconds:g} s")})
    keys.update(_expectation(test))
    if "\r" in test.output:
        made.notes.append(f"{test.name}: what is expected has a carriage return, which no program writes on Linux.")
    yield table(keys)


def _expectation(test: ClassroomTest) -> dict[str, Node]:
    """Return what a test expects: as much as the action, which trims both texts."""
    status = {"exit": plain("0")}
    text = test.output
    if test.comparison == "included":
        stdout: Node = table({"contains": listing([quoted(escaped(text))])})
        return {**_tolerating(["line-endings"] if "\n" in text else []), "expect": table({"stdout": stdout, **status})}
    if test.comparison == "regex":
        return {"expect": table({"stdout": table({"regex": quoted(escaped(to_python_pattern(text)))}), **status})}
    if test.comparison != "exact":
        return {"expect": table(status)}
    exact = table({"text": quoted(escaped(text + "\n" if text else ""))})
    if "\n" not in text:
        kinds = ["final-newline", "trailing-space", "leading-space", "blank-lines", "line-endings"]
        return {**_tolerating(kinds), "expect": table({"stdout": exact, **status})}
    trimmed = r"\A\s*" + r"\r?\n".join(map(re.escape, text.split("\n"))) + r"\s*\Z"
    either = table({"any": listing([exact, table({"regex": quoted(escaped(trimmed))})])})
    return {"expect": table({"stdout": either, **status})}


def _tolerating(kinds: Sequence[str]) -> dict[str, Node]:
    return {"tolerate": table({kind: plain("100%") for kind in kinds})} if kinds else {}


def _runs_with_parameters(
    test: ClassroomTest, plan: UnitCommand, source: bytes, methods: Collection[str]
) -> Mapping[str, int]:
    """Return how often methods are run that have parameters, where each of these runs has a share of the points."""
    if test.comparison != "share" or plan.framework != "pytest":
        return {}
    return {name: size for name, size in parameter_sets(source).items() if name in methods}


def _unit_nodes(test: ClassroomTest, plan: UnitCommand, made: _Assignment) -> Iterator[Node]:
    """Convert a run of unit tests: a test for each file, which share the points by their methods."""
    amounts: dict[str, int] = {}
    weights: dict[str, Mapping[str, int]] = {}
    for file in plan.files:
        try:
            methods = unit_methods(made.repository[file], plan.framework)
            weights[file] = _runs_with_parameters(test, plan, made.repository[file], methods)
            amounts[file] = sum(weights[file].get(name, 1) for name in methods)
            imported = () if made.java else _imported_files(made.repository[file], made.repository)
            made.required |= dict.fromkeys(name for name, _ in imported)
        except (SyntaxError, ValueError) as error:
            made.notes.append(f"{test.name}: {file} is left out, for it cannot be read: {one_line(str(error))}")
    total, left = sum(amounts.values()), round((test.points or 0) * 100)
    if len(amounts) > 1 and test.comparison != "share":
        made.notes.append(f"{test.name}: there all files or nothing; here each has a share of the points by its tests.")
    for place, (file, amount) in enumerate(sorted(amounts.items()), 1):
        if not amount:
            made.notes.append(f"{test.name}: {file} is left out, for it has no tests.")
            continue
        share = left if place == len(amounts) else round((test.points or 0) * 100 * amount / total)
        left -= share
        unit: dict[str, Node] = {plan.framework: text_or_word(made.place(file, "tests"))}
        if plan.files[file]:
            unit["only"] = listing(map(text_or_word, plan.files[file]))
        unit |= _unit_helpers(file, made)
        if weights[file]:  # each run of a method counts there
            sizes = {name: plain(str(size)) for name, size in weights[file].items()}
            unit |= {"values": plain("share"), "weights": table(sizes)}
        keys: dict[str, Node] = {
            "name": text_or_word(test.name if len(amounts) == 1 else f"{test.name}: {file}"),
            "points": plain(f"{share / 100:g}"),
            "unit": table(unit),
        }
        if test.comparison != "share":
            keys["all_or_nothing"] = plain("true")
        if test.seconds != made.seconds:
            keys["limits"] = table({"time": plain(f"{test.seconds:g} s")})
        yield table(keys)


def _reported_node(test: ClassroomTest, plan: NodeTestRun, made: _Assignment) -> Node:
    """Convert a run of tests with Node.js, whose report is read."""
    beside = {name: table({"file": text_or_word(made.place(name, "tests"))}) for name in plan.beside}
    unit: dict[str, Node] = {"command": quoted(plan.command), "report": plain(plan.report), "with": table(beside)}
    keys: dict[str, Node] = {
        "name": text_or_word(test.name),
        "points": plain(f"{test.points:g}"),
        "unit": table(unit),
    }
    if plan.env:
        keys["env"] = table({name: quoted(value) for name, value in plan.env.items()})
    if test.comparison != "share":
        keys["all_or_nothing"] = plain("true")
    if test.seconds != made.seconds:
        keys["limits"] = table({"time": plain(f"{test.seconds:g} s")})
    if plan.package:
        made.notes.append(f"{test.name}: install its tools: npm install -g --prefix /usr {plan.package}.")
    made.notes.append(
        f"{test.name}: the report of a reference says which tests there are: put a solution below reference/{made.id} "
        "and name it under reference, or name the tests under tests of unit."
    )
    return table(keys)


def _unit_helpers(file: str, made: _Assignment) -> dict[str, Node]:
    """Return the key for the files that a test needs beside it, where there are any."""
    if made.java:
        paths = {inner: text_or_word(made.place(name, "tests")) for inner, name in made.java.beside.items()}
        return {"with": table({inner: table({"file": path}) for inner, path in paths.items()})} if paths else {}
    folders = {"conftest.py", str(PurePosixPath(file).with_name("conftest.py"))}
    helpers = [made.place(one, "tests") for one in sorted(folders) if one in made.repository][-1:]
    return {"with": listing(map(text_or_word, helpers))} if helpers else {}


def _imports_of(script: str, made: _Assignment) -> Iterator[str]:
    try:
        yield from (name for name, _ in _imported_files(made.repository[script], made.repository))
    except (SyntaxError, ValueError):
        made.notes.append(f"{script} cannot be read, so what students hand in is not known: name it under files.")


def _imported_files(source: bytes, files: Mapping[str, bytes]) -> Iterator[tuple[str, bool]]:
    """Yield the files of the repository that a test imports, what students hand in, and whether from the top."""
    for node in ast.walk(ast.parse(source)):
        names = [name.name for name in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{name.name}" for name in node.names)]
        for path in (f"{name.replace('.', '/')}.py" for name in names):
            same = [path] if path in files else [one for one in files if one.endswith(f"/{path}")]
            if len(same) == 1 and not named_test_files(same[0], files)[0]:
                yield same[0], same[0] == path


def _handed_in_scripts(tests: Sequence[ClassroomTest], made: _Assignment) -> Iterator[str]:
    """Tell which scripts count as they are handed in, though they may be the course's."""
    started = dict.fromkeys(part for test in tests for line in (test.setup, test.run) for part in joined_commands(line))
    scripts = {name for line in started for name in re.findall(r"(?<![\w/-])(?:\./)?([\w./-]+\.sh)\b", line)}
    scripts -= {name for name in scripts if made.path_of(name.removeprefix("./"), "data") in made.files}
    makes = any(first_word(line) == "make" for line in started)
    if makes and "Makefile" not in made.repository and not any(first_word(line) == "cmake" for line in started):
        scripts.add("Makefile")
    if scripts:
        yield (
            f"{', '.join(sorted(scripts))}: taken from what students hand in. What of it is the course's belongs into "
            "the course: name it under `with` of build, or under `files` of each test."
        )


def _further_notes(tests: Sequence[ClassroomTest], made: _Assignment) -> Iterator[str]:
    yield from _handed_in_scripts(tests, made)
    for path, content in made.files.items():
        if path.startswith("data/") and (reason := script_out_of_reach(path, content)):
            yield f"{path}: {reason}. Whatever needs that fails here: take its tests out, or write them otherwise."
    if made.adapted:
        yield f"python3 is written for python, which Debian does not have, in: {', '.join(made.adapted)}."
    longest = max((test.seconds for test in tests), default=0)
    if longest >= 60:  # noqa: PLR2004 - a minute
        yield f"Times are minutes there: an endless loop may take {longest / 60:g} min; set limits that fit."
    if made.build:
        yield "What compiles is the build: when it fails every test does."
    yield "Each case starts afresh, after the lines of earlier tests that wrote a file which it names."
    yield "Only this spec and the course's files count, never an autograding.json or a test that is handed in."
