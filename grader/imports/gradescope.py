"""An autograder for Gradescope in Python (`unittest` with `gradescope_utils`) or Java -> a draft.

Each method is a test of its own there, with a title, points and a visibility; so it is here. What
`run_autograder` copies out of the submission is what students hand in; all other files are the course's.
"""

import ast
import re
import shlex
import sys
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from contextlib import suppress
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
from grader.imports.python_values import UnreadError, constants_of, imported_names, parse_python, value_of
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
        compiling = {one.owner for one in methods if one.compiles}
        if all(one.said.get("number") is not None for one in methods):
            methods = sorted(methods, key=lambda one: list(map(int, re.findall(r"\d{1,9}", str(one.said["number"])))))
        for one in methods:
            points = Fraction(str(max(one.points or 0, 0))) if have_points else Fraction(1)
            label, stated = case_label(one.name, one.file), one.said.get("number")
            unit = {**units[one.file], "only": [label], "weights": None if one.points else {label: points or 1}}
            # What is unknown before the file is run is hidden.
            keys = {"visibility": _VISIBILITIES.get(str(one.said.get("visibility", "visible")), "hidden")}
            needs_more = one.owner in compiling and not one.compiles
            yield DraftTest(
                name=f"{'' if stated is None else f'{stated}) '}{one.title or one.name}",
                points=points,
                cases=OpenCheck(name=one.name, reason=_COMPILED_BEFORE) if needs_more else (),
                keys=keys if needs_more else {**keys, "unit": unit},
            )

    def lose_scripts(self, unread: Sequence[str]) -> None:
        """Take note of what the scripts of an autograder do that is not done here; `unread` are commands of it."""
        texts = {name: content.decode(errors="replace") for name, content in self.files.items() if "/" not in name}
        lines = f"{texts.get('setup.sh', '')}\n{texts.get('run_autograder', '')}".splitlines()
        packages = [one.strip() for one in texts.get("requirements.txt", "").splitlines()]
        packages = [one for one in packages if one and not one.startswith(("#", "gradescope"))]
        told = [("install", line.strip()) for line in lines if _INSTALL.search(line)]
        told += [("unread-line", command) for command in unread]
        told += [("packages", ", ".join(packages))] if packages else []
        told += [("post-processor", "")] if "post_processor" in texts.get("run_tests.py", "") else []
        self.losses += [Loss(rule=rule, detail=one_line(detail, 300)) for rule, detail in told]


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
    """Read a script; commands that are not understood are told."""
    script, here, copies = GradingScript(), _ROOT, list[tuple[str, str]]()
    commands = (part for one in _commands(text.splitlines(), {}) for part in joined_commands(one))
    for command in islice(commands, _MAX_COMMANDS):
        words = _words(command)
        if words[:1] == ["cd"] and len(words) > 1:
            here = normpath(join(here, words[1]))
        elif words[:1] == ["cp"]:
            copies += _copy(words, here, script)
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


def _copy(words: Sequence[str], here: str, script: GradingScript) -> Iterator[tuple[str, str]]:
    """Take note of what a `cp` copies of the course; yield each file of the submission with its place."""
    *sources, target = [join(here, word) for word in words[1:] if not word.startswith("-")] or [here]
    is_folder = target.endswith(("/", "/.")) or not splitext(target)[1]
    for source in sources:
        name = _below(normpath(source.rstrip("*")), _SUBMISSION)
        script.theirs += [] if name is None else [name]
        if name and re.fullmatch(r"[\w+-][\w.+/-]*\.\w+", name):
            yield name, normpath(join(target, basename(name)) if is_folder else target)
        elif (own := _below(normpath(source.rstrip("*")), _SOURCE)) is not None:
            inside = source.endswith(("*", "/."))  # else a folder comes into the target under its own name
            place = target if inside or not is_folder else join(target, basename(own))
            script.copied.append((own, normpath(place)))


def _below(path: str, folder: str) -> str | None:
    """Return a path as it is seen from a folder; None outside it, "" for itself."""
    return path[len(folder) + 1 :] if f"{path}/".startswith(f"{folder}/") else None


def _commands(lines: Sequence[str], names: MutableMapping[str, str]) -> Iterator[str]:
    rest = iter(lines)
    for line in map(str.strip, rest):
        if found := _LOOP.fullmatch(line):
            body = list(takewhile(lambda one: one.strip() != "done", rest))
            for value in _words(_expanded(found[2].replace('"', ""), names)):
                yield from _commands(body, {**names, found[1]: value})
        elif found := _ASSIGNMENT.fullmatch(line):
            names.setdefault(found[1], _expanded(found[2].strip("()\"' \t"), names).replace('"', ""))
        elif not _CONTROL.fullmatch(line):
            yield _expanded(line, names)


def _expanded(text: str, names: Mapping[str, str]) -> str:
    return _VARIABLE.sub(lambda found: names.get(found[1] or found[2], found[0]), text)


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
    start = next((one[: -len("run_autograder")] for one in files if f"/{one}".endswith("/run_autograder")), "")
    files = {one.removeprefix(start): content for one, content in files.items() if one.startswith(start)}
    scripts = b"".join(files.get(name, b"") for name in ("run_autograder", "setup.sh", "run_otter.py"))
    if "otter_config.json" in files or "run_otter.py" in files or b"otter" in scripts:
        raise UsageError(f"{path} was made by otter: use grader import otter with the same path")
    if not {"run_autograder", "run_tests.py", "setup.sh"} & set(files):
        raise UsageError(f"{path} is no autograder of Gradescope: it has no run_autograder, setup.sh or run_tests.py")
    made = Autograder(identifier(name, path.resolve().stem), files)
    tests = [name for name in files if re.search(r"(?:^|/)test[^/]*\.py$", name) and not made.is_of_solution(name)]
    if not tests and any(name.endswith(".java") for name in files):
        return to_imported(_read_java(made, path))
    made.files = _with_plain_weights(files)
    methods = [method for file in tests for method in _methods_of(file, made)]
    if not methods:
        told = "has no tests for unittest, such as tests/test_simple.py; nothing else can be carried over"
        raise UsageError(f"{path} {told}")
    return to_imported(_read_python(made, methods))


def _read_python(made: Autograder, methods: Sequence[GradedMethod]) -> Draft:
    script = read_grading_script(made.files.get("run_autograder", b"").decode(errors="replace"))
    tested = list(dict.fromkeys(method.file for method in methods))
    handed_in, given = _handed_in(made, tested, script), _makefiles(made, script)
    handed_in = [name for name in handed_in if name not in given]
    # Without one of several files only those tests fail that need it.
    required = handed_in if len(tested) == 1 or len(handed_in) == 1 else []
    helpers = {file: _helpers_of(file, made) for file in tested}
    units = {
        file: {"unittest": made.file(file, "tests"), "with": [made.file(one, "tests") for one in names] or None}
        for file, names in helpers.items()
    }
    tests = list(made.tests(methods, units))
    worth = sum(Fraction(test.points or 0) for test in tests)
    samples = _samples(made, handed_in, worth)
    made.losses += losses_where({"no-solution": not samples, "build": bool(script.build)})
    made.lose_scripts(script.unread)
    known = {*tested, *(one for names in helpers.values() for one in names)}
    course_files = _other_files(made, handed_in, script, known)
    module = next((name for name in handed_in if name.endswith(".py")), handed_in[0] if handed_in else "main.py")
    lines = list(map(to_words, script.build))
    return made.draft(
        language="python",
        required=required,
        program=[f"./{made.id}"] if lines else ["python3", module],
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


def _known(node: ast.expr | None, names: Mapping[str, Any]) -> Any:
    """Return what an expression comes to; None where that is not known without running it."""
    with suppress(UnreadError):
        return value_of(node, names) if node else None
    return None


def _with_number(names: Mapping[str, Any], found: re.Match[bytes]) -> bytes:
    """Return a decorator with the number that its argument comes to."""
    call = parse_python(found[2].strip()).body
    value = _known(call[0].value, names) if call and isinstance(call[0], ast.Expr) else None
    number = f"{value:.6f}".rstrip("0").rstrip(".").encode() if isinstance(value, int | float) else found[2]
    return found[1] + number + found[3]


def _with_plain_weights(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files with numbers in `@weight` and `@partial_credit` for constants of the course and sums of them."""
    bodies = {name: parse_python(content).body for name, content in files.items() if name.endswith(".py")}
    every = [node for body in bodies.values() for node in body]
    names = constants_of(every, constants_of(every, {}))  # twice, since a module may need one behind it
    changed = {
        name: _WEIGHT.sub(partial(_with_number, constants_of(body, names)), files[name])
        for name, body in bodies.items()
    }
    return {**files, **changed}


def _methods_of(file: str, made: Autograder) -> Iterator[GradedMethod]:
    """Yield the methods of a test file."""
    source = made.files[file]
    try:
        methods = list(python_methods(source, "unittest"))
        if makes_tests(source) or b".__weight__" in source:
            made.losses.append(Loss(rule="made-tests", where=file))
    except (SyntaxError, ValueError, RecursionError) as error:
        made.losses.append(Loss(rule="unreadable", detail=one_line(str(error)), where=file))
        return
    usual, names = _VISIBILITY.search(made.files.get("run_tests.py", b"")), constants_of(parse_python(source).body, {})
    for one in methods:
        said: dict[str, object] = {"visibility": usual[1].decode()} if usual else {}
        for call in (call for call in one.node.decorator_list if isinstance(call, ast.Call)):
            argument = next(iter([*call.args, *(word.value for word in call.keywords)]), None)
            said[ast.unparse(call.func).rpartition(".")[2]] = _known(argument, names)
        if "leaderboard" in said:
            made.losses.append(Loss(rule="leaderboard", detail=str(said["leaderboard"]), where=one.name))
            continue
        title = one_line((ast.get_docstring(one.node) or "").strip().partition("\n")[0].strip())
        yield GradedMethod(file, one.name, title, said, compiles=bool(_COMPILES.search(ast.unparse(one.node))))


def _file_of(module: str, file: str, made: Autograder) -> str | None:
    """Return the course's file of a module that a test imports, also from a folder that it adds to `sys.path`."""
    lines = b"".join(re.findall(rb"sys\.path\.(?:append|insert)\(.*", made.files[file])).decode()
    added = re.findall(r"['\"](?:/autograder/source/)?([\w./-]+)['\"]", lines)
    folders = (dirname(file), "", "tests", *added, *(join(dirname(file), one) for one in added))
    places = (normpath(join(folder, f"{module}.py")) for folder in folders)
    return next((one for one in places if one in made.files and not made.is_of_solution(one)), None)


def _helpers_of(file: str, made: Autograder) -> list[str]:
    """Return the course's modules that a test file imports, and that these import, as far as they lie in no package."""
    found, waiting = dict[str, None](), [file]
    while waiting:
        names = [_file_of(module, file, made) for module in imported_names(made.files[waiting.pop()])]
        waiting += [name for name in names if name and name not in (*found, file)]
        found |= dict.fromkeys(waiting)
    return list(found)


def _handed_in(made: Autograder, tested: Sequence[str], script: GradingScript) -> list[str]:
    """Return what students hand in: what the script copies, else what the tests import and the course has not."""
    found = [name for name in script.handed_in if ".." not in name.split("/")]
    if not found:
        folders = {name.partition("/")[0] for name in made.files if "/" in name and not made.is_of_solution(name)}
        known = folders | sys.stdlib_module_names | {"gradescope_utils", "pytest"}
        for file, module in ((name, one) for name in tested for one in imported_names(made.files[name])):
            path, top = f"{module.replace('.', '/')}.py", module.partition(".")[0]
            if made.is_of_solution(path):
                found += [path] if path in made.files else []
            elif top not in known and not _file_of(top, file, made):
                found.append(f"{top}.py")
    if not found:
        # What the script puts there beside the work is the course's, where the solution has nothing else.
        starter = {
            script.copy_of(name, of_all=False): text
            for name, text in made.files.items()
            if not made.is_of_solution(name)
        }
        found = sorted(name for name, text in made.solution().items() if starter.get(name) != text)
        made.losses += losses_where({"guess-by-solution": listed(found, most=5)})
    made.losses += losses_where({"guess": not found})
    return list(dict.fromkeys(found)) or ["submission.py"]


def _makefiles(made: Autograder, script: GradingScript) -> dict[str, Data]:
    """Return the course's files for the build, but those whose place the script, or the solution, gives to others."""
    places = {script.place_of(name): name for name in made.files if script.build and not made.is_of_solution(name)}
    theirs = {**dict.fromkeys(script.theirs), **(made.solution() if "" in script.theirs else {})}
    own = {name: one for name, one in places.items() if theirs.get(name, made.files[one]) == made.files[one]}
    return {name: made.file(one) for name, one in own.items() if _BUILD_FILE.search(name)}


def _samples(made: Autograder, handed_in: Sequence[str], worth: Fraction | int) -> dict[str, DraftSample]:
    """Return the solution as a sample that has full marks, where all of it is there."""
    solution = made.solution()
    places = {name: name if name in solution else name.partition("/")[2] for name in handed_in}
    if not all(place in solution for place in places.values()):
        return {}
    files = {name: solution[place] for name, place in places.items()}
    return {"solution": DraftSample(files=files, score=worth, about="the course's solution")}


def _other_files(made: Autograder, handed_in: Sequence[str], script: GradingScript, known: set[str]) -> dict[str, Data]:
    """Return the files that the tests may read or import, for every case."""
    found: dict[str, Data] = {}
    top = {basename(name) for name in handed_in}
    for name in made.files:
        own, place = basename(name), script.place_of(name)
        is_machinery = ("/" not in place and _MACHINERY.fullmatch(own)) or "/.git" in f"/{name}"
        is_wrong = name.startswith(("incorrect", "incomplete"))
        if is_machinery or is_wrong or made.is_of_solution(name) or name in known or own in top:
            continue
        found[place] = made.file(name)
        if re.fullmatch(r"tests/[^/]+\.py", name):
            found[own] = found[place]
    return found


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


def _read_java(made: Autograder, path: Path) -> Draft:
    """Read an autograder in Java. Raises UsageError where it has no tests."""
    sources = {name: data.decode("utf-8", "replace") for name, data in made.files.items() if name.endswith(".java")}
    code = {name: masked_java(text) for name, text in sources.items()}
    methods = [method for file in _test_files(sources, code, made) for method in _graded_in(file, sources[file], made)]
    if not methods:
        raise UsageError(f"{path} has no tests for JUnit, methods with @Test; nothing else can be carried over")
    tests = list(dict.fromkeys(method.file for method in methods))
    handed_in = _java_handed_in(tests, sources, made)
    names = set(map(basename, handed_in))
    ours = {one: text for one, text in code.items() if not made.is_of_solution(one) and basename(one) not in names}
    needed = _needed({one: text for one, text in ours.items() if one in tests or not _RUNNER.search(text)}, tests)
    beside = _beside(made, code, needed, tests)
    others = {one: basename(one) for one in made.files if "." in basename(one) and not one.endswith(_JAVA_MACHINERY)}
    read = [one for one, own in others.items() if own not in names and any(own in sources[test] for test in needed)]
    given = _given(ours, code, tests, names)
    stem, folder = PurePosixPath(handed_in[0]).stem, PurePosixPath(handed_in[0]).parent
    imported = (one for text in code.values() for one in _IMPORT.findall(text))
    program = next((one for one in imported if one.rpartition(".")[2] == stem), stem)
    line = ["sh", "-c", f"javac -d . {folder / '*.java'}"]
    built = {str(folder / basename(one)): made.file(one) for one in given}
    # A solution lies in its folder, or else anywhere; it is one where all of it is there.
    found = {basename(one): one for one in sorted(sources, key=made.is_of_solution) if one not in tests}
    solution = {one: found[basename(one)] for one in handed_in} if found.keys() >= names else {}
    told = {"compiled-with": joined(given, "and"), "java-program": program, "no-java-solution": not solution}
    made.losses += losses_where({**told, "java-solution": joined([*solution.values()], "and")})
    made.lose_scripts(())
    return made.draft(
        language="java",
        required=handed_in,
        program=["java", program],
        keys={
            "build": {"run": [line], "produces": ["*.class"], "with": built or None},
            "reference": {"files": f"reference/{made.id}"} if solution else None,
            "defaults": {"files": {name: made.file(name) for name in read}} if read else None,
        },
        tests=list(made.tests(methods, {one: {"junit": made.file(one, "tests"), **beside} for one in tests})),
        files={f"reference/{made.id}/{name}": made.files[one] for name, one in solution.items()},
    )


def _test_files(sources: Mapping[str, str], code: Mapping[str, str], made: Autograder) -> list[str]:
    """Return the files with tests: those with `@GradedTest`, of these what a suite names; without it, all tests."""
    found = [name for name, text in sources.items() if find_java_methods(text) and not made.is_of_solution(name)]
    chosen = [name for name in found if _ANNOTATION.search(code[name])] or found
    runners = "".join(text for text in code.values() if _RUNNER.search(text))
    suites = set(re.findall(r"\b(\w+)\s*\.\s*class\b", runners))
    run = [name for name in chosen if PurePosixPath(name).stem in suites]
    made.losses += [Loss(rule="no-suite", where=name) for name in chosen if run and name not in run]
    return run or chosen


def _graded_in(file: str, text: str, made: Autograder) -> Iterator[GradedMethod]:
    uncommented, weights = masked_java(text, texts=False), graded_weights(text)
    is_graded = bool(_ANNOTATION.search(masked_java(text)))
    for method in find_java_methods(text):
        heading = uncommented[method.start : method.place] if method.place >= 0 else ""
        marked = _ANNOTATION.search(heading)
        if method.idle or (is_graded and not marked):
            why = method.idle or "has no @GradedTest, and no points there"
            made.losses.append(Loss(rule="idle", detail=why, where=f"{method.name} of {file}"))
            continue
        said: dict[str, object] = dict(_STATED.findall(heading, marked.end() if marked else 0))
        said |= {"weight": float(weights.get(method.name, 1))} if marked else {}
        title = one_line(re.sub(r"\\(.)", r"\1", str(said.pop("name", ""))))
        yield GradedMethod(file, method.name, title or method.name.rpartition(".")[2], said)


def _java_handed_in(tests: Sequence[str], sources: Mapping[str, str], made: Autograder) -> list[str]:
    """Return what students hand in: what a script copies, else the solution, else what tests are named for."""
    scripts = [name for name in made.files if name.endswith((".sh", ".py", "run_autograder"))]
    text = "".join(made.files[name].decode("utf-8", "replace") for name in scripts)
    copied = [name for name in _SUBMITTED.findall(text) if ".." not in name.split("/")]
    if not copied:
        copied = [basename(name) for name in sources if made.is_of_solution(name)]
        copied = copied or [f"{re.sub(r'^Test|Tests?$', '', PurePosixPath(name).stem)}.java" for name in tests]
        made.losses.append(Loss(rule="java-guess", detail=joined(copied, "and")))
    return list(dict.fromkeys(copied))


def _needed(code: Mapping[str, str], first: Sequence[str]) -> list[str]:
    """Return sources with all others whose classes they name."""
    found, pending = list(first), list(first)
    while pending:
        words = set(re.findall(r"\b[A-Z]\w*", code.get(pending.pop(), "")))
        more = [one for one in code if one not in found and PurePosixPath(one).stem in words]
        found += more
        pending += more
    return found


def _beside(made: Autograder, code: Mapping[str, str], needed: Sequence[str], tests: Sequence[str]) -> dict[str, Data]:
    """Return what tests need beside them: sources, archives, and the annotation where none of these has it."""
    jars = [one for one in sorted(made.files) if one.endswith(".jar") and not _OWN_JARS.fullmatch(basename(one))]
    helpers = [made.file(one, "tests") for one in needed if one not in tests]
    used = [text for text in code.values() if _ANNOTATION.search(text)]
    is_there = any(one.endswith("/GradedTest.class") for jar in jars for one in archive_entries(made.files[jar]))
    if used and not is_there and "GradedTest.java" not in map(basename, needed):
        full = next((one for one in _IMPORT.findall(used[0]) if one.endswith(".GradedTest")), "")
        head = f"package {full.rpartition('.')[0]};\n\n" if full else ""
        content = head.encode() + _DECLARATION.read_bytes()
        helpers.append(CourseFile(name="GradedTest.java", content=content, folder="tests"))
    return {"with": helpers or None, "jars": [made.file(one) for one in jars] or None}


def _given(own: Mapping[str, str], code: Mapping[str, str], tests: Sequence[str], names: set[str]) -> list[str]:
    """Return the course's sources that what is handed in may need: what a solution names, else all of its package."""
    others = {name: text for name, text in own.items() if name not in tests and not _OF_TESTS.search(text)}
    solved = {name: text for name, text in code.items() if basename(name) in names}
    imported = [one.rpartition(".") for name in tests for one in _IMPORT.findall(code[name])]
    packages = {package for package, _, name in imported if f"{name}.java" in names}
    same = [one for one, text in others.items() if packages & {*_PACKAGE.findall(text)} and not _SOLVED.match(one)]
    return [name for name in _needed({**solved, **others}, list(solved) or same) if name in others]
