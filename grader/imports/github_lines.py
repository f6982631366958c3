"""The command lines of GitHub Classroom's tests: what they install, what they cannot have here, and unit tests."""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import NamedTuple

from grader.imports.command_lines import first_word
from grader.imports.java_projects import java_test_run
from grader.imports.node_projects import NodeTestRun, node_test_run
from grader.imports.shell_lines import joined_commands
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
            for one in [path] if path.endswith(".py") else _discovered(files, path.strip("./"), framework):
                chosen.setdefault(one, []).extend([".".join(inner)] if inner else [])
    found = chosen or {one: [] for one in _discovered(files, "", framework)}
    if missing := [one for one in found or ["test_*.py"] if one not in files]:
        return f"its test file {missing[0]} is not there: import the course's whole repository"
    # Students may fill in a file with another name than that of tests: the line runs as it is.
    return UnitCommand(framework, found) if all(map(is_course_file, found)) else None


def _discovered(files: Mapping[str, bytes], below: str, framework: UnitFramework) -> Iterator[str]:
    for path in map(PurePosixPath, files):
        is_inside = str(path).startswith(f"{below}/" if below else "") and not _IGNORED_FOLDERS & {*path.parts}
        if is_inside and any(fnmatchcase(path.name, pattern) for pattern in _PATTERNS[framework]):
            yield str(path)
