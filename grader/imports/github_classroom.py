"""GitHub Classroom (`autograding.json`, `classroom.yml`) -> a spec.

There all tests run in one working folder, one after the other, among the files that were handed in, which include the
tests. Here the course's copy of a file counts that is the course's by its name, and each case starts in a new folder.
"""

import html
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from fractions import Fraction
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import structs

from grader.core.errors import SpecError, UsageError
from grader.core.model.values import decodable
from grader.core.text import one_line
from grader.core.yaml.nodes import Listing, Node, Table
from grader.core.yaml.parsing import parse
from grader.imports import Imported, identifier, projects
from grader.imports import shell_lines as shell
from grader.imports.draft import CourseFile, Data, Draft, DraftCase, DraftTest, Loss, OpenCheck, losses_where
from grader.imports.folder import Folder, as_mapping, read_tree
from grader.imports.projects import JavaProject, NodeTestRun
from grader.imports.python_values import imported_names
from grader.imports.writer import to_imported
from grader.kinds.unit_tests.language import unit_methods
from grader.kinds.unit_tests.model import UnitFramework

_JSON, _WORKFLOW = ".github/classroom/autograding.json", ".github/workflows/classroom.yml"
_MAX_FILES, _MAX_SOURCES = 100, 30
_NO_TESTS = (
    "only steps of actions such as autograding-io-grader can be carried over. Of a step with `run`, write each thing "
    "that it checks as a test with its own points: `grader new` begins a spec, and `command` in a test takes a line"
)
_TEST_NAME = re.compile(
    r"(?:^|/)\.?tests?/[\w./-]+|(?:^|[/_-])(?:auto)?(?:tests?|grader|check)[\w-]*\.(?:py|sh|js|c|cpp)$"
)
_COMPARED = re.compile(r"\b(?:diff|cmp)\b(?:\s+-\S+)*\s+\S+\s+(?:\./)?([\w.-][\w./-]*)")
_REDIRECTED = re.compile(r"(?:(?<![\d&<-])>>?\s*(?!/dev/|&)|\btee\s+(?:-a\s+)?)(?:\./)?([\w./-]+)")
_SOURCE = re.compile(r"\.(?:c|cc|cpp|cxx|h|hpp|go|rs|java|kt|hs|py|js|mjs|ts|rb|php|cs|swift|scala)$")


# ---------------------------------------------------------------- what the lines of tests run

_INSTALL = re.compile(
    r"(?:sudo\s+(?:-\w+\s+)*)?(?:(?:python3?\s+-m\s+)?pip3?(?:\.\d+)?\s+install|apt(?:-get)?\s+(?:-\w+\s+)*(?:install|update)"
    r"|npm\s+(?:ci|i|install)\b|yarn\s*(?:install|$)|pnpm\s+(?:i|install)\b|gem\s+install|bundle\s+install|conda\s+install)"
)
_OUT_OF_REACH = re.compile(  # commands that need packages, containers, a network, root, or the history of a submission
    r"(?:npm|npx|yarn|pnpm|jest|mocha|vitest|(?:\./)?gradlew?|(?:\./)?mvnw?|docker(?:-compose)?|bundle|rspec|rake|composer"
    r"|dotnet|curl|wget|sudo|git)"
)
_HARMLESS = re.compile(
    r"-[vqsxlrW]\w*|--(?:verbose|quiet|tb|color|no-header|exitfirst|maxfail|durations|timeout|no-summary|(?:no-)?cov\S*"
    r"|disable(?:-pytest)?-warnings|(?:show-)?capture|junit-?xml|html|self-contained-html|json-report|json-report-file"
    r"|showlocals|strict-markers|cache-clear|import-mode|rootdir|reruns)(?:=.*)?"
)
# options of pytest whose value is the next word, and that change nothing about which tests pass
_WITH_VALUE = re.compile("-[pnWr]|--(?:tb|maxfail|junitxml|timeout|durations|rootdir|color)")
_IGNORED_FOLDERS = {"node_modules", "venv", ".venv", "env", "__pycache__", "build", "dist"}
_PATTERNS: Mapping[UnitFramework, Sequence[str]] = {"pytest": ("test_*.py", "*_test.py"), "unittest": ("test*.py",)}
# what a course puts beside its tests, by its name; a file with another name may be one that students fill in
_COURSE = re.compile(
    r"(?:^|/)(?:\.?tests?|\.github|\.grader|grading|autograder|testdata)/"
    r"|(?:^|[/_.-])(?:(?:auto)?tests?[\w-]*|(?:auto)?(?:tester|grader|checker?)(?:[_-][\w-]*|\d*))\.\w+$"
    r"|(?:(?:^|/)(?:data|inputs?|expected|samples?|fixtures)/.*|(?:^|[/_.-])(?:expected|inputs?|samples?)[\w.-]*)"
    r"\.(?:txt|in|out|exp|ans|csv|tsv|dat|json|xml|ya?ml)$"
    r"|(?:^|/)(?:CMakeLists\.txt|go\.(?:mod|sum)|Cargo\.(?:toml|lock)|conftest\.py|(?:pytest|tox)\.ini|setup\.cfg"
    r"|pyproject\.toml)$|^[Mm]akefile$"
)
_NO_PART = re.compile(r"(?:^|/)(?:__pycache__|node_modules|workflows)/|(?:^|/)autograding\.json$")


class UnitCommand(NamedTuple):
    """A run of unit tests: which files, with globs of their methods; none for all."""

    framework: UnitFramework
    files: Mapping[str, Sequence[str]]


# what a line runs; a text says why it cannot be carried over, and None stands for no unit tests
UnitRunLine = UnitCommand | NodeTestRun | str | None


def is_course_file(name: str) -> bool:
    """Whether a file of a repository is the course's, by its name; another may be one that students fill in."""
    return bool(_COURSE.search(name)) and not _NO_PART.search(name)


def without_installations(line: str) -> tuple[str, Sequence[str]]:
    """Return a line without what it installs, and that."""
    parts = shell.joined_commands(line)
    installed = [part for part in parts if _INSTALL.match(part)]
    return (" && ".join(part for part in parts if part not in installed) if installed else line), installed


def reason_out_of_reach(line: str) -> str:
    """Return why a line cannot run in a sandbox, also within `if`, `!` and `$( )`; empty without a reason."""
    for part in re.split(r"&&|\|\||[;|\n]|\$\(|`", line):
        word = shell.first_word(re.sub(r"^(?:\s*(?:(?:if|elif|while|until|then|do|else|time|!|\{)\s|\())+", "", part))
        if _OUT_OF_REACH.fullmatch(word):
            return f"`{word}` cannot run in a sandbox, which has no network, packages of projects, root or history"
    return ""


def find_unit_run(line: str, files: Mapping[str, bytes]) -> UnitRunLine:
    """Read a line that runs unit tests of a repository, by its `files`."""
    try:
        run = projects.node_test_run(line, files) or projects.java_test_run(line, files)
        first, *words = shlex.split(line) or [""]
    except ValueError:
        return None
    if run:
        return UnitCommand("junit", run) if isinstance(run, dict) else run
    if first == "python3" and words[:1] == ["-m"]:
        first, *words = words[1:] or [""]
    if first == "python3" and b"unittest.main" in files.get(" ".join(words), b""):
        return UnitCommand("unittest", {words[0]: []})
    framework: UnitFramework = "unittest" if first == "unittest" else "pytest"
    if first not in {"pytest", "py.test", "unittest"} or re.search(r"[|&;<>$`]", line):
        return None  # of a longer line for the shell the exit status is its own
    return _find_python(framework, words, files)


def _find_python(framework: UnitFramework, words: Sequence[str], files: Mapping[str, bytes]) -> UnitRunLine:
    chosen, rest = dict[str, list[str]](), iter(words)
    for word in rest:
        if _WITH_VALUE.fullmatch(word):
            next(rest, "")
        elif word.startswith("-") and not _HARMLESS.fullmatch(word):
            return None  # what it changes is known when pytest itself runs
        elif framework == "unittest" and word != "discover" and not word.startswith("-"):
            chosen[word if word.endswith(".py") else f"{word.replace('.', '/')}.py"] = []
        elif framework == "pytest" and not word.startswith("-"):
            path, *inner = word.removeprefix("./").split("::")
            for file in [path] if path.endswith(".py") else _discover(files, path.strip("./"), framework):
                chosen.setdefault(file, []).extend([".".join(inner)] if inner else [])
    test_files = chosen or {path: [] for path in _discover(files, "", framework)}
    if missing := [path for path in test_files or ["test_*.py"] if path not in files]:
        return f"its test file {missing[0]} is not there: import the course's whole repository"
    # Students may fill in a file with another name than that of tests: the line runs as it is.
    return UnitCommand(framework, test_files) if all(map(is_course_file, test_files)) else None


def _discover(files: Mapping[str, bytes], below: str, framework: UnitFramework) -> Iterator[str]:
    for path in map(PurePosixPath, files):
        is_inside = str(path).startswith(f"{below}/" if below else "") and not _IGNORED_FOLDERS & {*path.parts}
        if is_inside and any(fnmatchcase(path.name, pattern) for pattern in _PATTERNS[framework]):
            yield str(path)


# ---------------------------------------------------------------- the files with tests: what the actions do with them

_ACTION = re.compile(r"[\w.-]+/autograding-(?P<kind>io|command|python)-grader(?:@.*)?\Z")
_MAX_MINUTES = 360
_STEP_KEYS = {"test-name": "name", "setup-command": "setup", "command": "run", "max-score": "points"}
_STEP_KEYS |= {"expected-output": "output", "comparison-method": "comparison", "input": "input", "timeout": "timeout"}
_BLANKS = " \t\n\r\v\f\ufeff\u00a0\u2028\u2029"  # what JavaScript's trim removes, but for rare blanks
_Number = Annotated[float, msgspec.Meta(ge=0, lt=1e300)]


class GithubTest(msgspec.Struct, frozen=True, kw_only=True):
    """A test as its author wrote it; texts are trimmed as the action trims them."""

    name: str = ""
    about: str = msgspec.field(default="", name="description")
    setup: str = ""
    run: str = ""
    input: str = ""
    output: str = ""
    # or `status`, where only the exit status counts; or `share`, where each method of the test files for pytest has a
    # share of the points
    comparison: Annotated[str, msgspec.Meta(pattern="^(included|contains|exact|regex)$")] = "included"
    seconds: _Number = msgspec.field(default=0, name="timeout")
    points: _Number | None = None


_KEYS = {member.encode_name for member in msgspec.structs.fields(GithubTest)}


class GithubFile(NamedTuple):
    """All tests of a file, what else stands in it, and the environment of its tests."""

    tests: Sequence[GithubTest]
    losses: Sequence[Loss]
    env: Mapping[str, str] = {}


def parse_tests(data: bytes, name: str) -> GithubFile:
    """Read an `autograding.json` or a workflow, which may have no tests; UsageError when it is invalid."""
    if name.endswith((".yml", ".yaml")):
        return parse_workflow(data, name)
    path = Path(name)
    content = Folder(path=path.parent, files={path.name: data}).json(path.name)
    tests = content.get("tests") if isinstance(content, dict) else None
    if not isinstance(tests, list):
        raise UsageError(f"{name} is no autograding.json: it has no list of tests")
    if odd := next((number for number, test in enumerate(tests, 1) if not isinstance(test, dict)), 0):
        raise UsageError(f"{name}: test {odd} is no object with name and run")
    parsed = [_read_test(test, f"{name}: test {number}") for number, test in enumerate(tests, 1)]
    others = dict.fromkeys(key for test in tests for key in test if key not in _KEYS)
    return GithubFile(parsed, [Loss(rule="key", detail=key) for key in others])


def _read_test(values: Mapping[str, Any], where: str, kind: str = "") -> GithubTest:
    """Read a test, of a step by the `kind` of its action."""
    try:
        stated = {key: value for key, value in values.items() if value not in (None, "")}
        test = msgspec.convert(stated, decodable(GithubTest), strict=False)
    except msgspec.ValidationError as error:
        raise UsageError(f"{where}: {one_line(str(error))}") from error
    if kind == "io" and not (test.output and "comparison" in stated):
        raise UsageError(f"{where}: expected-output or comparison-method is empty, and the action refuses that")
    comparison = "included" if test.comparison == "contains" else test.comparison
    is_blank = not (test.output or test.input) or (comparison == "included" and not test.output.strip())
    if kind in ("command", "python") or (not kind and is_blank):
        comparison = "share" if kind == "python" else "status"
    # The form puts references of HTML into texts, at times twice.
    name, about = (html.unescape(html.unescape(text)).strip() for text in (test.name, test.about))
    return structs.replace(
        test,
        name=one_line(name) or where.rpartition(": ")[2],
        about=about,
        setup=test.setup.strip(),
        run="pytest" if kind == "python" else test.run.strip(),
        output=test.output if comparison == "regex" else test.output.replace("\r\n", "\n").strip(_BLANKS),
        comparison=comparison,
        seconds=min(test.seconds or (10 if kind else 1), _MAX_MINUTES) * 60,
    )


# ---------------------------------------------------------------- the workflow


def parse_workflow(data: bytes, name: str) -> GithubFile:
    """Read a workflow, whose tests are its steps with an autograding action; UsageError when it is invalid."""
    try:
        root = _to_data(parse(data, name))
    except SpecError as error:
        raise UsageError(f"{name} is no workflow: {error.problems[0].message}") from error
    root = as_mapping(root)
    jobs = [job for job in as_mapping(root.get("jobs")).values() if isinstance(job, dict)]
    steps = [step for job in jobs for step in job.get("steps") or () if isinstance(step, dict)]
    runners = [text for step in steps if (text := _texts(step, "with").get("runners"))]
    counted = {runner.strip() for text in runners for runner in text.split(",")}
    losses = losses_where({"matrix": any(as_mapping(job.get("strategy")).get("matrix") for job in jobs)})
    before: list[str] = []
    tests: list[GithubTest] = []
    places = [root, *jobs]
    for step in steps:
        run = str(step.get("run", "")).strip()
        if action := _ACTION.match(str(step.get("uses", ""))):
            given = {_STEP_KEYS.get(key, ""): text for key, text in _texts(step, "with").items()}
            unread = () if action["kind"] == "io" else ("input", "output", "comparison")
            values = {"name": step.get("name"), **given, **dict.fromkeys(unread)}
            test = _read_test(values, f"{name}: step {len(tests) + 1}", action["kind"])
            is_out = bool(runners and step.get("id") not in counted and test.points)
            tests.append(structs.replace(test, points=0) if is_out else test)
            losses += [Loss(rule="condition", where=test.name)] if "if" in step else []
            losses += [Loss(rule="runners", where=test.name)] if is_out else []
            places.append(step)
        elif shell.is_compilation(run) and not tests:
            before.append(run)
        elif run and not run.startswith("chmod "):
            losses.append(Loss(rule="step", detail=run))
    tests = [structs.replace(test, setup="\n".join(filter(None, [*before, test.setup]))) for test in tests]
    return GithubFile(tests, losses, _variables(places, losses))


def _to_data(node: Node | None) -> Any:
    """Return texts, lists and mappings."""
    if isinstance(node, Table):
        return {key.text: _to_data(value) for key, value in node.pairs}
    return [_to_data(item) for item in node.items] if isinstance(node, Listing) else node.text if node else ""


def _texts(data: Mapping[str, Any], key: str) -> dict[str, str]:
    return {name: text.strip() for name, text in as_mapping(data.get(key)).items() if isinstance(text, str)}


def _variables(places: Sequence[Any], losses: list[Loss]) -> Mapping[str, str]:
    """Return the variables of all tests; a loss is each whose value is another elsewhere or known there only."""
    variables: dict[str, str] = {}
    for key, value in (pair for place in places for pair in _texts(place, "env").items()):
        if "${{" in value:
            losses.append(Loss(rule="variable", where=key))
        elif variables.setdefault(key, value) != value:
            losses.append(Loss(rule="values", where=key, detail=variables[key]))
    return variables


# ---------------------------------------------------------------- the assignment


def import_github_classroom(path: Path, name: str | None = None) -> Imported:
    """Convert a repository, or its file with the tests; UsageError where that is invalid, or nothing can be read."""
    if not path.exists():
        raise UsageError(f"{path} does not exist; name a repository that has {_JSON} or {_WORKFLOW}, or this file")
    own = path.resolve()
    root = own if own.is_dir() else next((folder for folder in own.parents if folder.name == ".github"), own).parent
    is_alone = own.parent == root
    files = read_tree(own if is_alone else root)
    workflows = sorted(path for path in files if re.fullmatch(r"\.github/workflows/[^/]+\.ya?ml", path))
    for place in [str(own.relative_to(root))] if own != root else [_WORKFLOW, *workflows, _JSON]:
        if place in files and (content := parse_tests(files[place], str(root / place))).tests:
            reading = _Reading(identifier(name, root.name), {} if is_alone else files, list(content.losses))
            return to_imported(reading.draft(content, str(root / place)))
    raise UsageError(f"{path} has no {_JSON}, and no tests in a workflow: {_NO_TESTS}")


@dataclass(slots=True)
class _Reading:
    """What all tests of a file share while they are read."""

    id: str
    repository: Mapping[str, bytes]  # empty when only the file with the tests is there
    losses: list[Loss]
    started: Sequence[GithubTest] = ()  # the tests that are lines for a program or a shell
    course: Mapping[str, Data] = field(default_factory=dict)  # files that such lines find beside the work
    project: JavaProject | None = None
    seconds: float = 0

    def draft(self, content: GithubFile, name: str) -> Draft:
        """Return the assignment of a file with this name."""
        tests = [self._runnable(test) for test in content.tests]
        if not any(test.points for test in tests):
            self.losses.append(Loss(rule="no-points"))
            tests = [structs.replace(test, points=1) for test in tests]
        planned = list(_plan_all(tests, self.repository))
        if all(isinstance(plan, str) for _, plan in planned):
            reasons = "".join(f"\n- {test.name}: {plan}" for test, plan in planned)
            raise UsageError(f"{name}: nothing can be carried over{reasons}")
        self.started = [test for test, plan in planned if plan is None]
        self.seconds = next(test.seconds for test, plan in planned if not isinstance(plan, str))
        units = [plan for _, plan in planned if isinstance(plan, UnitCommand)]
        if in_java := [file for plan in units if plan.framework == "junit" for file in plan.files]:
            self.project = projects.find_project(list(dict.fromkeys(in_java)), self.repository)
        elif self.started:
            # Files of unit tests are carried over by these, unless a line may run them as well.
            may_run = any("test" in test.run for test in self.started)
            own = {file for plan in units for file in plan.files if not may_run}
            self.course = {file: self.file(file, "data") for file in self._course_files() if file not in own}
        fields = self._start([plan for _, plan in planned])
        defaults = {"env": content.env or None, "files": self.course or None}
        fields["keys"]["defaults"] = defaults if any(defaults.values()) else None
        drafted = [drafted_test for test, plan in planned for drafted_test in self._tests(test, plan)]
        return Draft(
            id=self.id,
            format="github-classroom",
            origin=f"{PurePosixPath(name).name} of GitHub Classroom",
            tests=drafted,
            points=sum(test.points or 0 for test in tests),
            losses=[*self.losses, *self._further_losses()],
            **fields,
        )

    def file(self, name: str, folder: str = "tests") -> CourseFile:
        """Return a file of the repository, in which `python` becomes `python3`."""
        content = shell.with_python3_in_file(name, self.repository[name])
        self.losses += [Loss(rule="python3", where=name)] if content != self.repository[name] else []
        return CourseFile(name=name, content=content, folder=folder)

    def _runnable(self, test: GithubTest) -> GithubTest:
        """Return a test without installations, and with the commands that there are here."""
        (setup, installed), (run, also) = without_installations(test.setup), without_installations(test.run)
        self.losses += [Loss(rule="installation", detail=line) for line in dict.fromkeys((*installed, *also))]
        # A folder that a process of its own enters is left with it.
        setup = re.sub(r"(?:^|\s*(?:&&|;|\n)\s*)cd\s+[\w./-]+\s*\Z", "", shell.with_python3(setup))
        return structs.replace(test, setup=setup, run=shell.with_python3(run))

    def _course_files(self) -> Sequence[str]:
        """Return the course's files in the repository: by their names, and what outputs are compared with."""
        files = self.repository
        course_files = [name for name in files if is_course_file(name)]
        lines = [f"{test.setup}\n{test.run}" for test in self.started]
        lines += [files[name].decode(errors="replace") for name in course_files if name.endswith((".sh", "akefile"))]
        compared = [name for line in lines for name in _COMPARED.findall(line) if name in files]
        course_files = list(dict.fromkeys([*course_files, *compared]))
        self.losses += [Loss(rule="many", detail=course_files[_MAX_FILES])] if len(course_files) > _MAX_FILES else []
        return course_files[:_MAX_FILES]

    # ------------------------------------------------------------ the program and its build

    def _start(self, plans: Sequence[UnitRunLine]) -> dict[str, Any]:
        """Return the fields of the draft for files, build and program."""
        repository, started, project = self.repository, self.started, self.project
        if project and project.sources:
            fields = shell.draft_start(["javac"], ["java", project.program], self.seconds)
            build = {"run": [shlex.join(["javac", "-d", ".", *project.sources])], "produces": ["*.class"]}
            return {**fields, "keys": {**fields["keys"], "files": {"required": project.sources}, "build": build}}
        in_node = [plan for plan in plans if isinstance(plan, NodeTestRun)]
        tested = [file for plan in plans if isinstance(plan, UnitCommand) for file in plan.files]
        handed_in = [module for file in tested for module in _modules(repository[file], repository)]
        handed_in = list(dict.fromkeys([*handed_in, *(name for plan in in_node for name in plan.required)]))
        build_lines, commands = _build_lines(started)
        runs = [test.run for test in started if not shell.is_compilation(test.run)]
        starts = [run for run in runs if run[:2] == "./" or shell.first_word(run) in shell.INTERPRETERS]
        guess = ("node", *(handed_in or ["index.js"])) if in_node else ("python3", *(handed_in or ["main.py"]))
        program = shell.common_program(starts or runs) if runs else guess[:2]
        scripts = [word for word in program if word in self.course and word.endswith(".py")]
        handed_in += [module for name in scripts for module in _modules(repository[name], repository)]
        all_lines = [line for test in started for line in (test.setup, test.run)]
        lines = [line for line in all_lines if line and not shell.is_compilation(line)]
        fields = shell.draft_start(build_lines, program, self.seconds, lines, self.course)
        keys = fields["keys"]
        required, named = ([], []) if scripts else (keys["files"]["required"], keys["files"]["optional"])
        optional = list(dict.fromkeys([*named, *handed_in]))
        if not (required or named) and len(handed_in) == 1:
            required = handed_in
        elif not required:
            # By sources in folders work is found that is handed in without them.
            inner = [name for name in repository if "/" in name and _SOURCE.search(name) and not is_course_file(name)]
            optional += inner[:_MAX_SOURCES]
        keys["files"] = {"required": required, "optional": [name for name in optional if name not in required]}
        if {shell.first_word(command) for command in commands} & {"make", "cmake"}:
            keys["build"] |= {"with": self.course or None}
        if build_lines != commands:
            keys["build"] |= {"produces": ["*"]}
        self.losses += losses_where({"program": " ".join(program) * (not runs), "build": len(commands) == 1})
        return fields

    def _tests(self, test: GithubTest, plan: UnitRunLine) -> Iterator[DraftTest]:
        limits = {} if test.seconds == self.seconds else {"time": test.seconds}
        is_whole = None if test.comparison == "share" else True
        keys: dict[str, Data] = {"all_or_nothing": is_whole, "limits": limits or None}
        draft = DraftTest(name=test.name, points=test.points or 0, about=test.about)
        if isinstance(plan, str):
            yield replace(draft, cases=OpenCheck(name=test.name, reason=plan, source=test.run))
        elif isinstance(plan, UnitCommand):
            yield from self._unit_tests(draft, plan, keys)
        elif isinstance(plan, NodeTestRun):
            beside = {name: self.file(name) for name in plan.beside}
            unit = {"command": plan.command, "report": plan.report, "with": beside}
            self.losses += losses_where({"tools": plan.package, "reference": f"reference/{self.id}"})
            yield replace(draft, keys={**keys, "unit": unit, "env": plan.env or None})
        else:
            setup = [test.setup] if test.setup and not shell.is_compilation(test.setup) else []
            tolerate, stdout = _expected(test)
            case = DraftCase(
                command=shell.to_words(test.run, " ; ".join(setup)),
                stdin=test.input,
                limits=limits,
                tolerate=dict.fromkeys(tolerate, "100%"),
                expect={"stdout": stdout, "exit": 0},
            )
            yield replace(draft, cases=[case])

    def _unit_tests(self, draft: DraftTest, plan: UnitCommand, keys: Mapping[str, Data]) -> Iterator[DraftTest]:
        """Yield a test for each file of a run of unit tests, which share the points by their methods."""
        amounts = {file: _count_methods(self.repository[file], plan.framework) for file in sorted(plan.files)}
        empty = ", ".join(file for file, amount in amounts.items() if not amount)
        amounts = {file: amount for file, amount in amounts.items() if amount}
        if not amounts:
            yield replace(draft, cases=OpenCheck(name=draft.name, reason="its files have no tests, or cannot be read"))
        is_shared = len(amounts) > 1 and bool(keys["all_or_nothing"])
        self.losses += losses_where({"no-tests": empty, "shared": draft.name if is_shared else ""})
        for file, amount in amounts.items():
            unit: dict[str, Data] = {
                plan.framework: self.file(file),
                "only": plan.files[file] or None,
                "with": {place: self.file(path) for place, path in self._beside(file).items()} or None,
            }
            name = draft.name if len(amounts) == 1 else f"{draft.name}: {file}"
            points = Fraction(draft.points or 0) * amount / sum(amounts.values())
            yield replace(draft, name=name, points=points, keys={**keys, "unit": unit})

    def _beside(self, file: str) -> Mapping[str, str]:
        """Return the files that a unit test needs beside it, by their names there."""
        if self.project:
            return self.project.beside
        settings = ("conftest.py", str(PurePosixPath(file).with_name("conftest.py")))
        conftest = {"conftest.py": name for name in settings if name in self.repository}  # noqa: B035 - the nearer one
        modules = [f"{name.replace('.', '/')}.py" for name in imported_names(self.repository[file])]
        return conftest | {name: name for name in modules if name in self.repository and is_course_file(name)}

    def _further_losses(self) -> list[Loss]:
        """Return what is to know of all tests."""
        lines = [line for test in self.started for line in (test.setup, test.run)]
        words = [word.removeprefix("./") for line in lines for word in re.findall(r"(?<![\w/-])(?:\./)?[\w./-]+", line)]
        started = {shell.first_word(part) for line in lines for part in shell.joined_commands(line)}
        scripts = {word for word in words if word.endswith(".sh")}
        scripts |= {"Makefile"} if "make" in started and "cmake" not in started else set()
        own = [word for word in words if word.endswith(".py") and word in self.repository and not is_course_file(word)]
        project = self.project or JavaProject((), {}, "", ())
        names_by_rule = {"own-tests": own if {"pytest", "unittest"} & {*words} else [], "course-files": self.course}
        names_by_rule |= {"handed-in": sorted(scripts - self.course.keys()), "java-build": project.sources}
        names_by_rule["libraries"] = project.libraries
        details = {rule: ", ".join(names) for rule, names in names_by_rule.items()}
        return losses_where({**details, "minutes": self.seconds >= 60, "afresh": True})  # noqa: PLR2004


def _count_methods(source: bytes, framework: UnitFramework) -> int:
    with suppress(SyntaxError, ValueError):
        return len(set(unit_methods(source, framework)))
    return 0


def _plan(test: GithubTest, repository: Mapping[str, bytes]) -> UnitRunLine:
    """Return what a test runs: unit tests, or None for a line; a text says why it cannot be carried over."""
    plan = find_unit_run(test.run, repository)
    is_made_there = isinstance(plan, NodeTestRun) or (isinstance(plan, UnitCommand) and plan.framework == "junit")
    both = f"{test.setup}\n{test.run}"
    # Tools that make something there make nothing here.
    reasons = [reason_out_of_reach("" if is_made_there else both), "" if test.run else "it runs nothing"]
    if "${{" in f"{test.name}{both}{test.input}{test.output}":
        reasons.append("${{ }} has a value in a run of the workflow only")
    if test.comparison == "regex":
        reasons.append("its pattern is JavaScript's: write it under `regex`")
    if isinstance(plan, UnitCommand) and plan.framework != "junit" and test.comparison != "share":
        # Tests that look for modules where a unit test does not find them are run by their own line.
        direct = {name.replace(".", "/") for file in plan.files for name in imported_names(repository[file])}
        modules = [module for file in plan.files for module in _modules(repository[file], repository)]
        plan = plan if all(module.removesuffix(".py") in direct for module in modules) else None
    if plan is None:
        named = (word.removeprefix("./") for word in re.findall(r"[\w./+-]+", both) if _TEST_NAME.search(word))
        written, present = {*_REDIRECTED.findall(both)}, "\n".join(f"/{name}/" for name in repository)
        missing = [name for name in named if name not in written and f"/{name.strip('/')}/" not in present]
        reasons += [f"its file {name} is not there: import the course's whole repository" for name in missing]
    return plan if isinstance(plan, str) else next(filter(None, reasons), plan)


def _plan_all(tests: Sequence[GithubTest], repository: Mapping[str, bytes]) -> Iterator[tuple[GithubTest, UnitRunLine]]:
    """Yield what each test runs; what needs the files of an earlier test, or another project, is to be written."""
    written, root = set[str](), None
    for test in tests:
        plan, both = _plan(test, repository), f"{test.setup}\n{test.run}"
        own = {*_REDIRECTED.findall(both)}
        needed = min(written & {*re.findall(r"[\w./-]+", both.replace("./", ""))} - own, default="")
        if plan is None and needed:
            plan = f"it needs {needed}, which an earlier test wrote: make both cases of one test with `in-order`"
        elif isinstance(plan, UnitCommand) and plan.framework == "junit":
            place = projects.project_root(next(iter(plan.files)))
            root = place if root is None else root
            plan = plan if place == root else "it is of another project, and one is built: give it a spec of its own"
        written |= own
        yield test, plan


def _modules(source: bytes, repository: Mapping[str, bytes]) -> Iterator[str]:
    """Yield the files of the repository that a test in Python imports, what students hand in."""
    for path in dict.fromkeys(f"{name.replace('.', '/')}.py" for name in imported_names(source)):
        same = [path] if path in repository else [name for name in repository if name.endswith(f"/{path}")]
        yield from same if len(same) == 1 and not is_course_file(same[0]) else ()


def _build_lines(started: Sequence[GithubTest]) -> tuple[Sequence[str], Sequence[str]]:
    """Return the lines of the build, and their commands; if one of several lines fails, the others still run."""
    lines = [line for test in started for line in (test.setup, test.run)]
    compiling = dict.fromkeys(filter(shell.is_compilation, lines))
    if any(re.match(r"\./|java\s", test.run) and not shell.is_compilation(test.setup) for test in started):
        # What an earlier test compiled within its line is there for a later one.
        compiling |= dict.fromkeys(filter(None, map(shell.compilation_within, lines)))
    commands = [command for line in compiling for command in shell.joined_commands(line)]
    if len(compiling) > 1:
        return [" ; ".join([*(f"( {line} )" for line in compiling), "true"])], commands
    return [" && ".join(commands)] if "cd" in map(shell.first_word, commands) else commands, commands


def _expected(test: GithubTest) -> tuple[Sequence[str], Data]:
    """Return what a test tolerates and expects of its output: as much as the action, which trims both texts."""
    text, is_long = test.output, "\n" in test.output
    if test.comparison == "included":
        return ["line-endings"] * is_long, {"contains": [text]}
    exact = {"text": f"{text}\n" if text else ""}
    if test.comparison == "exact" and not is_long:
        return ["final-newline", "trailing-space", "leading-space", "blank-lines", "line-endings"], exact
    trimmed = r"\A\s*" + r"\r?\n".join(map(re.escape, text.split("\n"))) + r"\s*\Z"
    return [], {"any": [exact, {"regex": trimmed}]} if test.comparison == "exact" else None
