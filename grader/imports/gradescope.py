"""An autograder for Gradescope in Python (`unittest` with `gradescope_utils`) or Java -> a draft.

Each method is a test of its own there, with a title, points and a visibility; so it is here. What
`run_autograder` copies out of the submission is what students hand in; all other files are the course's.
"""

import ast
import re
import shlex
import sys
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import islice, takewhile
from pathlib import Path, PurePosixPath
from posixpath import basename, dirname, join, normpath, splitext
from typing import Any, NamedTuple

from grader.core.errors import UsageError
from grader.core.text import joined, listed, one_line
from grader.imports import Imported, identifier
from grader.imports.draft import CourseFile, Data, Draft, DraftSample, DraftTest, Loss, OpenCheck, losses_where
from grader.imports.folder import read_tree
from grader.imports.python_values import constants_of, imported_names, known_value, parse_python
from grader.imports.shell_lines import COMPILERS, first_word, joined_commands, to_words, with_python3_in_file
from grader.imports.writer import to_imported
from grader.kinds.unit_tests.java_text import find_java_methods, graded_weights, masked_java
from grader.kinds.unit_tests.junit_jars import archive_entries
from grader.kinds.unit_tests.model import case_label
from grader.kinds.unit_tests.python_text import makes_tests, python_methods

_MACHINERY = re.compile(
    r"(?:setup|apt|make_autograder)\.sh|run_autograder|run_tests\.py|requirements\.txt|Pipfile.*|.*\.(?:zip|md|lock|json)"
)
_WEIGHT = re.compile(  # one that is no written number
    rb"(?m)^(\s*@(?:.*\.)?(?:weight|partial_credit)\()([^\d\n].*?|\d.*?[^\d.\n].*?)(\)[ \t]*(?:#.*)?)$"
)
_BUILD_FILE = re.compile(r"(?:^|/)(?:[Mm]akefile|CMakeLists\.txt)$")
_COMPILES = re.compile(
    r"(?:\[|\b(?:system|popen|Popen|run|call|check_call|check_output|getoutput)\(\[?)'"
    r"(?:make|cmake|gcc|g\+\+|cc|clang(?:\+\+)?|javac)(?:'|\s+\S*[\w.])"
)
_VISIBILITY = re.compile(rb"JSONTestRunner\([^)]*\bvisibility\s*=\s*['\"](\w+)")
_VISIBILITIES = {"visible": None, "after_due_date": "after-due"}
_ABSOLUTE = re.compile(rb"/autograder/(?:source|submission)(?=[/'\"])")
_INSTALL = re.compile(r"\b(?:pip3?|apt|apt-get|conda)\b.*\binstall\b")
_SOLUTION_FOLDERS = ("solution/", "solutions/", "reference/", "sample_solution/")
_MAX_WEIGHT, _MAX_COMMANDS = 1e6, 1_000
_COMPILED_BEFORE = (
    "a method of its class compiles, and each is run in a folder of its own: name both under `only` of one `unit` with "
    "`together: true`, or let the build compile"
)


class GradedMethod(NamedTuple):
    """A method of a test file, and what its decorators say."""

    file: str
    name: str  # with its class
    title: str
    said: Mapping[str, object]  # decorator -> its first argument; None where that is not known
    compiles: bool = False  # whether it starts a compiler, and others of its class may need what that makes

    @property
    def points(self) -> float | None:
        """What it is worth; None when nothing says that."""
        value = self.said.get("partial_credit", self.said.get("weight"))
        return float(value) if isinstance(value, int | float) and abs(value) < _MAX_WEIGHT else None

    @property
    def owner(self) -> tuple[str, str]:
        """The class that it is in, with its file."""
        return self.file, self.name.rpartition(".")[0]

    @property
    def losses(self) -> Sequence[Loss]:
        """What it asks for that is otherwise here."""
        rules = {
            "after-published": self.said.get("visibility") == "after_published",
            "hide-errors": "hide_errors" in self.said,
            "tags": "tags" in self.said,
            "no-points": "partial_credit" in self.said and self.points == 0,
            "negative": (self.points or 0) < 0,
        }
        return [Loss(rule=rule, where=self.name) for rule, holds in rules.items() if holds]


@dataclass(slots=True)
class Autograder:
    """An autograder that is converted: its id, its files by their paths, and what is otherwise here."""

    id: str
    files: Mapping[str, bytes]
    losses: list[Loss] = field(default_factory=list)

    def draft(self, **fields: Any) -> Draft:
        """Return the draft with what is otherwise here so far."""
        origin = "an autograder of Gradescope"
        return Draft(id=self.id, format="gradescope", origin=origin, losses=self.losses, **fields)

    def file(self, name: str, folder: str = "data") -> CourseFile:
        """Return a file that is carried over, in which commands and paths are those that are here."""
        content = self.files[name]
        moved = _ABSOLUTE.sub(b".", content) if name.endswith(".py") else content
        adapted = with_python3_in_file(name, moved)
        rules = {"places": moved != content, "python3": adapted != moved}
        self.losses += [Loss(rule=rule, where=name) for rule, holds in rules.items() if holds]
        return CourseFile(name=name, content=adapted, folder=folder)

    @staticmethod
    def is_of_solution(name: str) -> bool:
        """Whether a file lies in a folder of solutions."""
        return name.startswith(_SOLUTION_FOLDERS)

    def solution(self) -> Mapping[str, bytes]:
        """Return the files of the solution, by their names in its folder; none where it has only folders."""
        inside = {name.partition("/")[2]: text for name, text in self.files.items() if self.is_of_solution(name)}
        return inside if any("/" not in name for name in inside) else {}

    def tests(self, methods: Sequence[GradedMethod], units: Mapping[str, Mapping[str, Data]]) -> Iterator[DraftTest]:
        """Yield a test for each method; `units` are by their files."""
        have_points = any(method.points is not None for method in methods)
        self.losses += losses_where({"no-weights": not have_points, "afresh": True})
        self.losses += [loss for method in methods for loss in method.losses]
        compiling = {method.owner for method in methods if method.compiles}
        if all(method.said.get("number") is not None for method in methods):
            methods = sorted(methods, key=lambda test: list(map(int, re.findall(r"\d{1,9}", str(test.said["number"])))))
        for method in methods:
            points = Fraction(str(max(method.points or 0, 0))) if have_points else Fraction(1)
            label, stated = case_label(method.name, method.file), method.said.get("number")
            unit = {**units[method.file], "only": [label], "weights": None if method.points else {label: points or 1}}
            # What is unknown before the file is run is hidden.
            keys = {"visibility": _VISIBILITIES.get(str(method.said.get("visibility", "visible")), "hidden")}
            needs_more = method.owner in compiling and not method.compiles
            yield DraftTest(
                name=f"{'' if stated is None else f'{stated}) '}{method.title or method.name}",
                points=points,
                cases=OpenCheck(name=method.name, reason=_COMPILED_BEFORE) if needs_more else (),
                keys=keys if needs_more else {**keys, "unit": unit},
            )

    def lose_scripts(self, unread: Sequence[str]) -> None:
        """Add losses for what the scripts of an autograder do and the spec does not; `unread` are commands."""
        texts = {name: content.decode(errors="replace") for name, content in self.files.items() if "/" not in name}
        lines = f"{texts.get('setup.sh', '')}\n{texts.get('run_autograder', '')}".splitlines()
        packages = [line.strip() for line in texts.get("requirements.txt", "").splitlines()]
        packages = [package for package in packages if package and not package.startswith(("#", "gradescope"))]
        notes = [("install", line.strip()) for line in lines if _INSTALL.search(line)]
        notes += [("unread-line", command) for command in unread]
        notes += [("packages", ", ".join(packages))] if packages else []
        notes += [("post-processor", "")] if "post_processor" in texts.get("run_tests.py", "") else []
        self.losses += [Loss(rule=rule, detail=one_line(detail, 300)) for rule, detail in notes]


# ---------------------------------------------------------------- the script run_autograder
# Nothing of it is run. Variables, arrays and loops over them are expanded; of two branches the first assignment counts.

_ROOT = "/autograder"
_SUBMISSION, _SOURCE = f"{_ROOT}/submission", f"{_ROOT}/source"
_ASSIGNMENT = re.compile(r"(?:export\s+|local\s+)?(\w+)=(\([^)]*\)|\"[^\"]*\"|'[^']*'|[^\s;&|]*)")
_LOOP = re.compile(r"for\s+(\w+)\s+in\s+([^;]*?)\s*(?:;\s*do)?")
_VARIABLE = re.compile(r"\$(?:\{(\w+)(?:\[[@*]\])?\}|(\w+))")
_CONTROL = re.compile(r"#.*|(?:if|elif|while)\b.*|then|else|fi|do|done|set\s.*|[{}]|\w+\s*\(\)\s*\{?|exit\b.*|")
_WITHOUT_EFFECT = re.compile(
    r"\A(?:echo|printf|mkdir|touch|chmod|ls|pwd|rm|shopt|export|tree|source|\.)\s|\b(?:pip3?|apt|apt-get|conda)\b.*\binstall\b"
)
_STARTS_TESTS = re.compile(r"(?:\S*/)?(?:python[\d.]*|pytest|bash|sh|java)\b")


@dataclass(slots=True, kw_only=True)
class GradingScript:
    """What was read of a script; `handed_in` are the names under which the tests see what students hand in."""

    handed_in: list[str] = field(default_factory=list)
    copied: list[tuple[str, str]] = field(default_factory=list)  # of the course: what, and where to
    theirs: list[str] = field(default_factory=list)  # what is used of a submission; an empty name stands for all of it
    build: list[str] = field(default_factory=list)
    folder: str = _SOURCE  # where the tests are started
    unread: list[str] = field(default_factory=list)

    def place_of(self, name: str) -> str:
        """Return where the tests find a file of the course."""
        return self.copy_of(name) or _below(f"{_SOURCE}/{name}", self.folder) or name

    def copy_of(self, name: str, *, of_all: bool = True) -> str:
        """Return where a file of the course is copied to; empty for nowhere, or `of_all` the autograder alone."""
        for source, place in reversed(self.copied):
            own = _below(f"/{name}", f"/{source}" if source else "") if source or of_all else None
            if own is not None and (inside := _below(normpath(join(place, own)), self.folder)):
                return inside
        return ""


def read_grading_script(text: str) -> GradingScript:
    """Read a script; list the commands that are not understood."""
    script, here, copies = GradingScript(), _ROOT, list[tuple[str, str]]()
    commands = (part for line in _commands(text.splitlines(), {}) for part in joined_commands(line))
    for command in islice(commands, _MAX_COMMANDS):
        words = _words(command)
        if words[:1] == ["cd"] and len(words) > 1:
            here = normpath(join(here, words[1]))
        elif words[:1] == ["cp"]:
            copies += _read_cp(words, here, script)
        elif first_word(command) in COMPILERS:
            script.build.append(command)
            used, given = join(here, "Makefile"), {place for _, place in script.copied}
            script.theirs += filter(None, [None if {here, used} & given else _below(used, _SUBMISSION)])
        elif _STARTS_TESTS.match(command) and not _WITHOUT_EFFECT.search(command):
            script.folder = here if here != _ROOT else _SOURCE
        elif not _WITHOUT_EFFECT.search(f"{command} "):
            script.unread.append(command)
    for name, place in copies:
        seen = _below(place, script.folder) or name
        if basename(seen) != basename(name):
            script.unread.append(f"cp {name} {seen}, so students hand in {seen} here")
        script.handed_in += [seen] if seen not in script.handed_in else []
    return script


def _read_cp(words: Sequence[str], here: str, script: GradingScript) -> Iterator[tuple[str, str]]:
    """Record which course files a `cp` copies; yield each file of the submission with its place."""
    *sources, target = [join(here, word) for word in words[1:] if not word.startswith("-")] or [here]
    is_folder = target.endswith(("/", "/.")) or not splitext(target)[1]
    for source in sources:
        name = _below(normpath(source.rstrip("*")), _SUBMISSION)
        script.theirs += [] if name is None else [name]
        if name and re.fullmatch(r"[\w+-][\w.+/-]*\.\w+", name):
            yield name, normpath(join(target, basename(name)) if is_folder else target)
        elif (own := _below(normpath(source.rstrip("*")), _SOURCE)) is not None:
            inside = source.endswith(("*", "/."))  # else a folder comes into the target under its own name
            script.copied.append((own, normpath(target if inside or not is_folder else join(target, basename(own)))))


def _below(path: str, folder: str) -> str | None:
    """Return a path as it is seen from a folder; None outside it, "" for itself."""
    return path[len(folder) + 1 :] if f"{path}/".startswith(f"{folder}/") else None


def _commands(lines: Sequence[str], names: MutableMapping[str, str]) -> Iterator[str]:
    rest = iter(lines)
    for line in map(str.strip, rest):
        if match := _LOOP.fullmatch(line):
            body = list(takewhile(lambda inner: inner.strip() != "done", rest))
            for value in _words(_expand(match[2].replace('"', ""), names)):
                yield from _commands(body, {**names, match[1]: value})
        elif match := _ASSIGNMENT.fullmatch(line):
            names.setdefault(match[1], _expand(match[2].strip("()\"' \t"), names).replace('"', ""))
        elif not _CONTROL.fullmatch(line):
            yield _expand(line, names)


def _expand(text: str, names: Mapping[str, str]) -> str:
    return _VARIABLE.sub(lambda match: names.get(match[1] or match[2], match[0]), text)


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:  # a quote that is not closed
        return command.split()


# ---------------------------------------------------------------- an autograder in Python


def import_gradescope(path: Path, name: str | None = None) -> Imported:
    """Convert an autograder, a zip or its folder; UsageError for one that is not made by hand."""
    if not path.exists():
        raise UsageError(f"{path}: No such file; name the zip of an autograder, or its folder")
    files = read_tree(path)
    start = next((name[: -len("run_autograder")] for name in files if f"/{name}".endswith("/run_autograder")), "")
    files = {name.removeprefix(start): content for name, content in files.items() if name.startswith(start)}
    scripts = b"".join(files.get(name, b"") for name in ("run_autograder", "setup.sh", "run_otter.py"))
    if "otter_config.json" in files or "run_otter.py" in files or b"otter" in scripts:
        raise UsageError(f"{path} was made by otter: use grader import otter with the same path")
    if not {"run_autograder", "run_tests.py", "setup.sh"} & set(files):
        raise UsageError(f"{path} is no autograder of Gradescope: it has no run_autograder, setup.sh or run_tests.py")
    bundle = Autograder(identifier(name, path.resolve().stem), files)
    tests = [name for name in files if re.search(r"(?:^|/)test[^/]*\.py$", name) and not bundle.is_of_solution(name)]
    if not tests and any(name.endswith(".java") for name in files):
        return to_imported(_read_java(bundle, path))
    bundle.files = _with_plain_weights(files)
    methods = [method for file in tests for method in _methods_of(file, bundle)]
    if not methods:
        problem = "has no tests for unittest, such as tests/test_simple.py; nothing else can be carried over"
        raise UsageError(f"{path} {problem}")
    return to_imported(_read_python(bundle, methods))


def _read_python(bundle: Autograder, methods: Sequence[GradedMethod]) -> Draft:
    script = read_grading_script(bundle.files.get("run_autograder", b"").decode(errors="replace"))
    tested = list(dict.fromkeys(method.file for method in methods))
    handed_in, given = _handed_in(bundle, tested, script), _makefiles(bundle, script)
    handed_in = [name for name in handed_in if name not in given]
    # Without one of several files only those tests fail that need it.
    required = handed_in if len(tested) == 1 or len(handed_in) == 1 else []
    helpers = {file: _helpers_of(file, bundle) for file in tested}
    units = {
        file: {"unittest": bundle.file(file, "tests"), "with": [bundle.file(name, "tests") for name in names] or None}
        for file, names in helpers.items()
    }
    tests = list(bundle.tests(methods, units))
    worth = sum(Fraction(test.points or 0) for test in tests)
    samples = _samples(bundle, handed_in, worth)
    bundle.losses += losses_where({"no-solution": not samples, "build": bool(script.build)})
    bundle.lose_scripts(script.unread)
    known = {*tested, *(name for names in helpers.values() for name in names)}
    course_files = _other_files(bundle, handed_in, script, known)
    module = next((name for name in handed_in if name.endswith(".py")), handed_in[0] if handed_in else "main.py")
    lines = list(map(to_words, script.build))
    return bundle.draft(
        language="python",
        required=required,
        program=[f"./{bundle.id}"] if lines else ["python3", module],
        keys={
            "files": {"optional": [name for name in handed_in if name not in required]},
            "build": {"run": lines, "produces": ["*"], "with": given or None} if lines else None,
            "defaults": {"files": course_files} if course_files else None,
        },
        tests=tests,
        points=worth,
        samples=samples,
    )


# ---------------------------------------------------------------- the methods


def _plain_weight(names: Mapping[str, Any], match: re.Match[bytes]) -> bytes:
    """Return a decorator with the number that its argument comes to."""
    call = parse_python(match[2].strip()).body
    value = known_value(call[0].value, names) if call and isinstance(call[0], ast.Expr) else None
    number = f"{value:.6f}".rstrip("0").rstrip(".").encode() if isinstance(value, int | float) else match[2]
    return match[1] + number + match[3]


def _with_plain_weights(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files with numbers in `@weight` and `@partial_credit` for constants of the course and sums of them."""
    bodies = {name: parse_python(content).body for name, content in files.items() if name.endswith(".py")}
    nodes = [node for body in bodies.values() for node in body]
    names = constants_of(nodes, constants_of(nodes, {}))  # twice, since a module may need one behind it
    known = {name: constants_of(body, names) for name, body in bodies.items()}
    changed = {name: _WEIGHT.sub(partial(_plain_weight, own), files[name]) for name, own in known.items()}
    return {**files, **changed}


def _methods_of(file: str, bundle: Autograder) -> Iterator[GradedMethod]:
    """Yield the methods of a test file."""
    source = bundle.files[file]
    try:
        methods = list(python_methods(source, "unittest"))
        if makes_tests(source) or b".__weight__" in source:
            bundle.losses.append(Loss(rule="made-tests", where=file))
    except (SyntaxError, ValueError, RecursionError) as error:
        bundle.losses.append(Loss(rule="unreadable", detail=one_line(str(error)), where=file))
        return
    usual = _VISIBILITY.search(bundle.files.get("run_tests.py", b""))
    names = constants_of(parse_python(source).body, {})
    for method in methods:
        stated: dict[str, object] = {"visibility": usual[1].decode()} if usual else {}
        for call in (call for call in method.node.decorator_list if isinstance(call, ast.Call)):
            argument = next(iter([*call.args, *(word.value for word in call.keywords)]), None)
            stated[ast.unparse(call.func).rpartition(".")[2]] = known_value(argument, names)
        if "leaderboard" in stated:
            bundle.losses.append(Loss(rule="leaderboard", detail=str(stated["leaderboard"]), where=method.name))
            continue
        title = one_line((ast.get_docstring(method.node) or "").strip().partition("\n")[0].strip())
        yield GradedMethod(file, method.name, title, stated, compiles=bool(_COMPILES.search(ast.unparse(method.node))))


def _file_of(module: str, file: str, bundle: Autograder) -> str | None:
    """Return the course's file of a module that a test imports, also from a folder that it adds to `sys.path`."""
    lines = b"".join(re.findall(rb"sys\.path\.(?:append|insert)\(.*", bundle.files[file])).decode()
    added = re.findall(r"['\"](?:/autograder/source/)?([\w./-]+)['\"]", lines)
    folders = (dirname(file), "", "tests", *added, *(join(dirname(file), path) for path in added))
    places = (normpath(join(folder, f"{module}.py")) for folder in folders)
    return next((place for place in places if place in bundle.files and not bundle.is_of_solution(place)), None)


def _helpers_of(file: str, bundle: Autograder) -> list[str]:
    """Return the course's modules that a test file imports, directly or through another; none in packages."""
    helpers, waiting = dict[str, None](), [file]
    while waiting:
        names = [_file_of(module, file, bundle) for module in imported_names(bundle.files[waiting.pop()])]
        waiting += [name for name in names if name and name not in (*helpers, file)]
        helpers |= dict.fromkeys(waiting)
    return list(helpers)


def _handed_in(bundle: Autograder, tested: Sequence[str], script: GradingScript) -> list[str]:
    """Return what students hand in: what the script copies, else what the tests import and the course has not."""
    handed_in = [name for name in script.handed_in if ".." not in name.split("/")]
    if not handed_in:
        folders = {name.partition("/")[0] for name in bundle.files if "/" in name and not bundle.is_of_solution(name)}
        known = folders | sys.stdlib_module_names | {"gradescope_utils", "pytest"}
        for file, module in ((name, module) for name in tested for module in imported_names(bundle.files[name])):
            path, top = f"{module.replace('.', '/')}.py", module.partition(".")[0]
            if bundle.is_of_solution(path):
                handed_in += [path] if path in bundle.files else []
            elif top not in known and not _file_of(top, file, bundle):
                handed_in.append(f"{top}.py")
    if not handed_in:
        # What the script puts there beside the work is the course's, where the solution has nothing else.
        own = {name: text for name, text in bundle.files.items() if not bundle.is_of_solution(name)}
        starter = {script.copy_of(name, of_all=False): text for name, text in own.items()}
        handed_in = sorted(name for name, text in bundle.solution().items() if starter.get(name) != text)
        bundle.losses += losses_where({"guess-by-solution": listed(handed_in, most=5)})
    bundle.losses += losses_where({"guess": not handed_in})
    return list(dict.fromkeys(handed_in)) or ["submission.py"]


def _makefiles(bundle: Autograder, script: GradingScript) -> dict[str, Data]:
    """Return the course's files for the build, but those whose place the script, or the solution, gives to others."""
    places = {script.place_of(name): name for name in bundle.files if script.build and not bundle.is_of_solution(name)}
    theirs = {**dict.fromkeys(script.theirs), **(bundle.solution() if "" in script.theirs else {})}
    own = {place: name for place, name in places.items() if theirs.get(place, bundle.files[name]) == bundle.files[name]}
    return {place: bundle.file(name) for place, name in own.items() if _BUILD_FILE.search(place)}


def _samples(bundle: Autograder, handed_in: Sequence[str], worth: Fraction | int) -> dict[str, DraftSample]:
    """Return the solution as a sample that has full marks, where all of it is there."""
    solution = bundle.solution()
    places = {name: name if name in solution else name.partition("/")[2] for name in handed_in}
    if not all(place in solution for place in places.values()):
        return {}
    files = {name: solution[place] for name, place in places.items()}
    return {"solution": DraftSample(files=files, score=worth, about="the course's solution")}


def _other_files(bundle: Autograder, handed_in: list[str], script: GradingScript, known: set[str]) -> dict[str, Data]:
    """Return the files that the tests may read or import, for every case."""
    files: dict[str, Data] = {}
    top = {basename(name) for name in handed_in}
    for name in bundle.files:
        own, place = basename(name), script.place_of(name)
        is_machinery = ("/" not in place and _MACHINERY.fullmatch(own)) or "/.git" in f"/{name}"
        is_wrong = name.startswith(("incorrect", "incomplete"))
        if is_machinery or is_wrong or bundle.is_of_solution(name) or name in known or own in top:
            continue
        files[place] = bundle.file(name)
        if re.fullmatch(r"tests/[^/]+\.py", name):
            files[own] = files[place]
    return files


# ---------------------------------------------------------------- an autograder in Java, with `@GradedTest` of jh61b

_ANNOTATION = re.compile(r"@\s*(?:\w+\s*\.\s*)*GradedTest\b")
_STATED = re.compile(r'\b(name|number|visibility)\s*=\s*"((?:[^"\\]|\\.)+)"')
_IMPORT = re.compile(r"(?:^|;)\s*import\s+(?:static\s+)?([\w.]+)\s*;", re.MULTILINE)
_PACKAGE = re.compile(r"(?:^|;)\s*package\s+([\w.]+)\s*;", re.MULTILINE)
_RUNNER = re.compile(r"\bGradedTestListener\w*|@\s*(?:Suite\s*\.\s*)?SuiteClasses\b")
_SUBMITTED = re.compile(r"(?:/autograder/)?submission/([\w+-][\w.+/-]*\.java)\b")
_OWN_JARS = re.compile(r"(?:junit|hamcrest|apiguardian|opentest4j)[\w.-]*\.jar", re.IGNORECASE)
_OF_TESTS = re.compile(r"\b(?:org\.junit|junit\.|org\.hamcrest|jh61b)")
_SOLVED = re.compile(r"(?:.*/)?(?:Ref|Solution|Staff|Correct)[A-Z\w]*\.java$")
_JAVA_MACHINERY = (".java", ".jar", ".class", ".sh", ".xml", ".md", ".gradle", ".zip")
_DECLARATION = Path(__file__).with_name("GradedTest.java")


def _read_java(bundle: Autograder, path: Path) -> Draft:
    """Read an autograder in Java. Raises UsageError where it has no tests."""
    sources = {name: data.decode("utf-8", "replace") for name, data in bundle.files.items() if name.endswith(".java")}
    code = {name: masked_java(text) for name, text in sources.items()}
    methods = [method for file in _test_files(sources, code, bundle) for method in _graded_in(file, bundle)]
    if not methods:
        raise UsageError(f"{path} has no tests for JUnit, methods with @Test; nothing else can be carried over")
    tests = list(dict.fromkeys(method.file for method in methods))
    handed_in = _java_handed_in(tests, sources, bundle)
    names = set(map(basename, handed_in))
    ours = {name: code[name] for name in code if not (bundle.is_of_solution(name) or basename(name) in names)}
    needed = _add_named({name: text for name, text in ours.items() if name in tests or not _RUNNER.search(text)}, tests)
    beside = _files_beside(bundle, code, needed, tests)
    others = [name for name in bundle.files if not name.endswith(_JAVA_MACHINERY)]
    ends = {name: basename(name) for name in others if "." in basename(name)}
    read = [name for name, end in ends.items() if end not in names and any(end in sources[test] for test in needed)]
    given = _to_compile(ours, code, tests, names)
    stem, folder = PurePosixPath(handed_in[0]).stem, PurePosixPath(handed_in[0]).parent
    imported = (name for text in code.values() for name in _IMPORT.findall(text))
    program = next((name for name in imported if name.rpartition(".")[2] == stem), stem)
    line = ["sh", "-c", f"javac -d . {folder / '*.java'}"]
    built = {str(folder / basename(name)): bundle.file(name) for name in given}
    # A solution lies in its folder, or else anywhere; it is one where all of it is there.
    by_name = {basename(name): name for name in sorted(sources, key=bundle.is_of_solution) if name not in tests}
    solution = {name: by_name[basename(name)] for name in handed_in} if by_name.keys() >= names else {}
    details = {"compiled-with": joined(given, "and"), "java-program": program, "no-java-solution": not solution}
    bundle.losses += losses_where({**details, "java-solution": joined([*solution.values()], "and")})
    bundle.lose_scripts(())
    return bundle.draft(
        language="java",
        required=handed_in,
        program=["java", program],
        keys={
            "build": {"run": [line], "produces": ["*.class"], "with": built or None},
            "reference": {"files": f"reference/{bundle.id}"} if solution else None,
            "defaults": {"files": {name: bundle.file(name) for name in read}} if read else None,
        },
        tests=list(bundle.tests(methods, {file: {"junit": bundle.file(file, "tests"), **beside} for file in tests})),
        files={f"reference/{bundle.id}/{name}": bundle.files[file] for name, file in solution.items()},
    )


def _test_files(sources: Mapping[str, str], code: Mapping[str, str], bundle: Autograder) -> list[str]:
    """Return the files with tests: those with `@GradedTest`, of these what a suite names; without it, all tests."""
    tested = [name for name, text in sources.items() if find_java_methods(text) and not bundle.is_of_solution(name)]
    chosen = [name for name in tested if _ANNOTATION.search(code[name])] or tested
    runners = "".join(text for text in code.values() if _RUNNER.search(text))
    suites = set(re.findall(r"\b(\w+)\s*\.\s*class\b", runners))
    run = [name for name in chosen if PurePosixPath(name).stem in suites]
    bundle.losses += [Loss(rule="no-suite", where=name) for name in chosen if run and name not in run]
    return run or chosen


def _graded_in(file: str, bundle: Autograder) -> Iterator[GradedMethod]:
    text = bundle.files[file].decode("utf-8", "replace")
    uncommented, weights = masked_java(text, texts=False), graded_weights(text)
    is_graded = bool(_ANNOTATION.search(masked_java(text)))
    for method in find_java_methods(text):
        heading = uncommented[method.start : method.place] if method.place >= 0 else ""
        marked = _ANNOTATION.search(heading)
        if method.idle or (is_graded and not marked):
            why = method.idle or "has no @GradedTest, and no points there"
            bundle.losses.append(Loss(rule="idle", detail=why, where=f"{method.name} of {file}"))
            continue
        stated: dict[str, object] = dict(_STATED.findall(heading, marked.end() if marked else 0))
        stated |= {"weight": float(weights.get(method.name, 1))} if marked else {}
        title = one_line(re.sub(r"\\(.)", r"\1", str(stated.pop("name", ""))))
        yield GradedMethod(file, method.name, title or method.name.rpartition(".")[2], stated)


def _java_handed_in(tests: Sequence[str], sources: Mapping[str, str], bundle: Autograder) -> list[str]:
    """Return what students hand in: what a script copies, else the solution, else what tests are named for."""
    scripts = [name for name in bundle.files if name.endswith((".sh", ".py", "run_autograder"))]
    text = "".join(bundle.files[name].decode("utf-8", "replace") for name in scripts)
    copied = [name for name in _SUBMITTED.findall(text) if ".." not in name.split("/")]
    if not copied:
        copied = [basename(name) for name in sources if bundle.is_of_solution(name)]
        copied = copied or [f"{re.sub(r'^Test|Tests?$', '', PurePosixPath(name).stem)}.java" for name in tests]
        bundle.losses.append(Loss(rule="java-guess", detail=joined(copied, "and")))
    return list(dict.fromkeys(copied))


def _add_named(code: Mapping[str, str], first: Sequence[str]) -> list[str]:
    """Return sources with all others whose classes they name."""
    needed, pending = list(first), list(first)
    while pending:
        words = set(re.findall(r"\b[A-Z]\w*", code.get(pending.pop(), "")))
        more = [name for name in code if name not in needed and PurePosixPath(name).stem in words]
        needed += more
        pending += more
    return needed


def _files_beside(bundle: Autograder, code: Mapping[str, str], needed: list[str], tests: list[str]) -> dict[str, Data]:
    """Return what tests need beside them: sources, archives, and the annotation where none of these has it."""
    jars = [name for name in sorted(bundle.files) if name.endswith(".jar") and not _OWN_JARS.fullmatch(basename(name))]
    helpers = [bundle.file(name, "tests") for name in needed if name not in tests]
    used = [text for text in code.values() if _ANNOTATION.search(text)]
    is_there = any(entry.endswith("/GradedTest.class") for jar in jars for entry in archive_entries(bundle.files[jar]))
    if used and not is_there and "GradedTest.java" not in map(basename, needed):
        full = next((name for name in _IMPORT.findall(used[0]) if name.endswith(".GradedTest")), "")
        head = f"package {full.rpartition('.')[0]};\n\n" if full else ""
        content = head.encode() + _DECLARATION.read_bytes()
        helpers.append(CourseFile(name="GradedTest.java", content=content, folder="tests"))
    return {"with": helpers or None, "jars": [bundle.file(jar) for jar in jars] or None}


def _to_compile(own: Mapping[str, str], code: Mapping[str, str], tests: list[str], names: set[str]) -> list[str]:
    """Return the course's sources that what is handed in may need: what a solution names, else all of its package."""
    others = {name: text for name, text in own.items() if name not in tests and not _OF_TESTS.search(text)}
    solved = {name: text for name, text in code.items() if basename(name) in names}
    imported = [full.rpartition(".") for name in tests for full in _IMPORT.findall(code[name])]
    packages = {package for package, _, name in imported if f"{name}.java" in names}
    same = [name for name, text in others.items() if packages & {*_PACKAGE.findall(text)} and not _SOLVED.match(name)]
    return [name for name in _add_named({**solved, **others}, list(solved) or same) if name in others]
