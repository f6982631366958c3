"""The command lines of GitHub Classroom's tests: what they install, what they cannot have here, and unit tests."""

import ast
import math
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import NamedTuple

from grader.core.bounded_regex import fault_of
from grader.imports.command_lines import first_word
from grader.imports.java_projects import java_test_run
from grader.imports.node_projects import NodeTestRun, node_test_run
from grader.imports.python_source import imported_names, parse_python
from grader.imports.shell_lines import joined_commands
from grader.kinds.unit_tests.language import unit_methods
from grader.kinds.unit_tests.model import UnitFramework

_INSTALL = re.compile(
    r"(?:sudo\s+(?:-\w+\s+)*)?(?:(?:python3?\s+-m\s+)?pip3?(?:\.\d+)?\s+install|apt(?:-get)?\s+(?:-\w+\s+)*(?:install|update)"
    r"|npm\s+(?:ci|i|install)\b|yarn\s*(?:install|$)|pnpm\s+(?:i|install)\b|gem\s+install|bundle\s+install|conda\s+install)"
)
_OUT_OF_REACH: Mapping[str, str] = {
    **dict.fromkeys(("npm", "npx", "yarn", "pnpm", "jest", "mocha", "vitest"), "it needs packages of Node.js"),
    **dict.fromkeys(("gradle", "./gradlew", "mvn", "./mvnw"), "it loads what it needs from the network"),
    **dict.fromkeys(("docker", "docker-compose"), "no containers are started here"),
    **dict.fromkeys(("bundle", "rspec", "rake", "composer", "dotnet"), "it needs packages of the course"),
    **dict.fromkeys(("curl", "wget"), "there is no network"),
    "sudo": "nobody is root here",
    "git": "a submission has no history",
}
"""first word of a command -> why it cannot run in a sandbox"""
_HARMLESS = re.compile(
    r"-[vqsxlrW]\w*|--(?:verbose|quiet|tb|color|no-header|exitfirst|maxfail|durations|timeout|no-summary|(?:no-)?cov\S*"
    r"|disable(?:-pytest)?-warnings|(?:show-)?capture|junit-?xml|html|self-contained-html|json-report|json-report-file"
    r"|showlocals|strict-markers|cache-clear|import-mode|rootdir|reruns)(?:=.*)?"
)
_WITH_VALUE = re.compile("-[pnWr]|--(?:tb|maxfail|junitxml|timeout|durations|rootdir|color)")
"""options of pytest whose value is the next word, and that change nothing about which tests pass"""
_IGNORED_FOLDERS = {"node_modules", "venv", ".venv", "env", "__pycache__", "build", "dist"}
_PATTERNS: Mapping[UnitFramework, Sequence[str]] = {"pytest": ("test_*.py", "*_test.py"), "unittest": ("test*.py",)}
_JS_TOKEN = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]|\(\?<(?![=!])|[\^$.]", re.DOTALL)
_JS_ALONE = re.compile(r"\\[AZz]|\[\^?\]")
_IN_PYTHON = {"^": r"\A\s*", "$": r"\s*\Z", "(?<": "(?P<", ".": r"[^\n\r]"}
_COURSE = re.compile(
    r"(?:^|/)(?:\.?tests?|\.github|\.grader|grading|autograder|testdata)/"
    r"|(?:^|[/_.-])(?:(?:auto)?tests?[\w-]*|(?:auto)?(?:tester|grader|checker?)(?:[_-][\w-]*|\d*))\.\w+$"
    r"|(?:(?:^|/)(?:data|inputs?|expected|samples?|fixtures)/.*|(?:^|[/_.-])(?:expected|inputs?|samples?)[\w.-]*)"
    r"\.(?:txt|in|out|exp|ans|csv|tsv|dat|json|xml|ya?ml)$"
    r"|(?:^|/)(?:CMakeLists\.txt|go\.(?:mod|sum)|Cargo\.(?:toml|lock)|conftest\.py|(?:pytest|tox)\.ini|setup\.cfg"
    r"|pyproject\.toml)$|^[Mm]akefile$"
)
"""what a course puts beside its tests, by its name; a file with another name may be one that students fill in"""
_NO_PART = re.compile(r"(?:^|/)(?:__pycache__|node_modules|workflows)/|(?:^|/)autograding\.json$")


class UnitCommand(NamedTuple):
    """A run of unit tests: which files, with globs of their methods; none for all."""

    framework: UnitFramework
    files: Mapping[str, Sequence[str]]


UnitRunLine = UnitCommand | NodeTestRun | str | None
"""what a line runs; a text says why it cannot be carried over, and None stands for no unit tests"""


def is_course_file(name: str) -> bool:
    """Whether a file of a repository is the course's, by its name; another may be one that students fill in."""
    return bool(_COURSE.search(name)) and not _NO_PART.search(name)


def without_installations(line: str) -> tuple[str, Sequence[str]]:
    """Return a line without what it installs, and that."""
    parts = joined_commands(line)
    installed = [part for part in parts if _INSTALL.match(part)]
    return (" && ".join(part for part in parts if part not in installed) if installed else line), installed


def reason_out_of_reach(line: str) -> str:
    """Return why a line cannot run in a sandbox, also within `if`, `!` and `$( )`; empty when nothing is known."""
    for part in re.split(r"&&|\|\||[;|\n]|\$\(|`", line):
        word = first_word(re.sub(r"^(?:\s*(?:(?:if|elif|while|until|then|do|else|time|!|\{)\s|\())+", "", part))
        if word in _OUT_OF_REACH:
            return f"`{word}` cannot run in a sandbox: {_OUT_OF_REACH[word]}"
    return ""


def find_unit_run(line: str, files: Mapping[str, bytes]) -> UnitRunLine:
    """Read a line that runs unit tests of a repository, by its `files`."""
    try:
        found = node_test_run(line, files) or java_test_run(line, files)
        first, *words = shlex.split(line) or [""]
    except ValueError:
        return None
    if found:
        return UnitCommand("junit", found) if isinstance(found, dict) else found
    if first == "python3" and words[:1] == ["-m"]:
        first, *words = words[1:] or [""]
    if first == "python3" and b"unittest.main" in files.get(" ".join(words), b""):
        return UnitCommand("unittest", {words[0]: []})
    framework: UnitFramework = "unittest" if first == "unittest" else "pytest"
    if first not in {"pytest", "py.test", "unittest"} or re.search(r"[|&;<>$`]", line):
        return None  # of a longer line for the shell the exit status is its own
    return _find_python(framework, words, files)


def _find_python(framework: UnitFramework, words: Sequence[str], files: Mapping[str, bytes]) -> UnitRunLine:
    chosen, only, rest = dict[str, list[str]](), "", iter(words)
    for word in rest:
        if word == "-k":
            only = next(rest, "(")  # without its expression it is an error there
        elif _WITH_VALUE.fullmatch(word):
            next(rest, "")
        elif word.startswith("-") and not _HARMLESS.fullmatch(word):
            return None  # what it changes is known when pytest itself runs
        elif framework == "unittest" and word != "discover" and not word.startswith("-"):
            chosen[word if word.endswith(".py") else f"{word.replace('.', '/')}.py"] = []
        elif framework == "pytest" and not word.startswith("-"):
            path, *inner = word.removeprefix("./").split("::")
            for one in [path] if path.endswith(".py") else _discovered(files, path.strip("./"), framework):
                chosen.setdefault(one, []).extend([".".join(inner)] if inner else [])
    return _checked(framework, chosen or {one: [] for one in _discovered(files, "", framework)}, only, files)


def _checked(
    framework: UnitFramework, found: Mapping[str, Sequence[str]], only: str, files: Mapping[str, bytes]
) -> UnitRunLine:
    """Return a run of these tests, or of those that the expression `only` selects."""
    if missing := [one for one in found or ["test_*.py"] if one not in files]:
        return f"its test file {missing[0]} is not there: import the course's whole repository"
    is_simple = not any(found.values()) and (framework == "pytest" or only.isidentifier())
    if any(is_own_test(one, files) for one in found) or (only and not is_simple):
        return None  # students fill that file in, or its framework alone knows what it selects: the line runs as it is
    if only:
        try:
            named = {
                one: [m for m in unit_methods(files[one], framework) if _holds(only, f"{one}.{m}")] for one in found
            }
        except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
            return None
        found = {one: names for one, names in named.items() if names}
    return UnitCommand(framework, found) if found else f"`-k {only}` selects no test"


def _holds(expression: str, name: str) -> bool:
    """Whether an expression after `-k`, of words, `and`, `or` and `not`, selects a name; errors for another."""

    def value(one: re.Match[str]) -> str:
        return one[0] if one[0] in {"and", "or", "not"} else str(one[0].lower() in name.lower())

    words = re.sub(r"[^\s()]+", value, expression)
    return bool(eval(words, {"__builtins__": {}}))  # noqa: S307 - of `and`, `or`, `not`, ( ), True and False alone


def is_own_test(name: str, files: Mapping[str, bytes]) -> bool:
    """Whether a file that students fill in has functions beside its tests, and nothing else that it could test."""
    if is_course_file(name) or name not in files:
        return False
    others = {"subprocess", "os", "runpy", "importlib", "pexpect", *(PurePosixPath(one).stem for one in files)}
    is_test = [one.lower() == b"test" for one in re.findall(rb"(?m)^(?:def|class) (\w{1,4})", files[name])]
    loaded = {one.partition(".")[0] for one in imported_names(files[name])}
    return any(is_test) and not all(is_test) and others.isdisjoint(loaded)


def _discovered(files: Mapping[str, bytes], below: str, framework: UnitFramework) -> Iterator[str]:
    for path in map(PurePosixPath, files):
        is_inside = str(path).startswith(f"{below}/" if below else "") and not _IGNORED_FOLDERS & {*path.parts}
        if is_inside and any(fnmatchcase(path.name, pattern) for pattern in _PATTERNS[framework]):
            yield str(path)


def parameter_sets(source: bytes) -> Mapping[str, int]:
    """Return how many tests pytest makes of each function of a file with parameters that are written out."""
    found: dict[str, int] = {}
    for node in parse_python(source).body:
        owner = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
        for one in node.body if isinstance(node, ast.ClassDef) else [node]:
            if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef):
                calls = [call for call in one.decorator_list if isinstance(call, ast.Call) and len(call.args) > 1]
                values = [call.args[1] for call in calls if ast.unparse(call.func).endswith("mark.parametrize")]
                size = math.prod(len(value.elts) for value in values if isinstance(value, ast.List | ast.Tuple))
                found |= {f"{owner}{one.name}": size} if size > 1 else {}
    return found


def to_python_pattern(pattern: str) -> str:
    """Translate a pattern of JavaScript's that is looked for in trimmed text; ValueError when it cannot be said."""
    found = _JS_TOKEN.sub(lambda one: _IN_PYTHON.get(one[0], one[0]), pattern)
    alone = next(filter(_JS_ALONE.fullmatch, _JS_TOKEN.findall(pattern)), "")
    if fault := f"{alone} is JavaScript's alone" if alone else fault_of(found):
        raise ValueError(fault)
    return found
