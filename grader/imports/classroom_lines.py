"""The command lines of GitHub Classroom's tests: what they install, what they cannot have here, and unit tests."""

import ast
import posixpath
import re
import shlex
import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import Literal

from grader.imports.command_lines import COMPILERS, first_word
from grader.imports.java_projects import java_test_run
from grader.imports.node_projects import NodeTestRun, node_test_run
from grader.kinds.unit_tests.language import unit_methods
from grader.kinds.unit_tests.model import UnitFramework

_INSTALL = re.compile(
    r"(?:sudo\s+(?:-\w+\s+)*)?(?:(?:python3?\s+-m\s+)?pip3?(?:\.\d+)?\s+install|apt(?:-get)?\s+(?:-\w+\s+)*(?:install|update)"
    r"|npm\s+(?:ci|i|install)\b|yarn\s*(?:install|$)|pnpm\s+(?:i|install)\b|gem\s+install|bundle\s+install|conda\s+install)"
)
_OUT_OF_REACH: Mapping[str, str] = {
    **dict.fromkeys(("npm", "npx", "yarn", "pnpm", "jest", "mocha", "vitest"), "it needs packages of Node.js"),
    **dict.fromkeys(("gradle", "./gradlew", "mvn", "./mvnw", "maven"), "it loads what it needs from the network"),
    **dict.fromkeys(("docker", "docker-compose"), "no containers are started here"),
    **dict.fromkeys(("bundle", "rspec", "rake", "composer", "dotnet"), "it needs packages of the course"),
    **dict.fromkeys(("curl", "wget"), "there is no network"),
    "sudo": "nobody is root here",
    "git": "a submission has no history",
}
"""first word of a command -> why it cannot run in a sandbox"""
_TEST_FILE = re.compile(
    r"(?:^|/)(?:\.?tests?|\.github|\.grader|grading|autograder)/|(?:^|[/_.-])(?:auto)?(?:tests?|tester|grader|check|checker)[\w-]*\.\w+$"
)
_DATA_FILE = re.compile(
    r"(?:(?:^|/)(?:data|inputs?|expected|samples?|fixtures)/.*|(?:^|[/_.-])(?:expected|inputs?|samples?)[\w.-]*)"
    r"\.(?:txt|in|out|exp|ans|csv|tsv|dat|json)$"
)
"""what a course puts beside its tests; a file with another name may be one that students fill in"""
_IN_TEST_FOLDER = re.compile(r"(?:^|/)(?:\.?tests?|\.github|grading|autograder)/")
_TEST_ENDINGS = (".py", ".sh", ".js", ".pl", ".rb", ".cpp", ".cc", ".c", ".h", ".hpp", ".java", ".txt", ".in", ".out")
_STARTERS = ("subprocess", "os", "runpy", "importlib", "pexpect")
"""modules by which a test starts or loads a program of another file"""
_FLAGS = re.compile(
    r"-[vqsxlr]\w*|-[rW]\w*|--(?:verbose|quiet|tb|color|no-header|exitfirst|maxfail|durations|timeout|no-summary|cov\S*"
    r"|no-cov|disable-warnings|disable-pytest-warnings|capture|show-capture|junit-?xml|html|self-contained-html|json-report"
    r"|json-report-file|showlocals|strict-markers|cache-clear|import-mode|rootdir|reruns)(?:=.*)?"
)
_FLAGS_WITH_VALUE = {
    "-p",
    "-n",
    "-W",
    "-r",
    "--tb",
    "--maxfail",
    "--junitxml",
    "--timeout",
    "--durations",
    "--rootdir",
    "--color",
}
"""options of pytest whose value is the next word, and that change nothing about which tests pass"""
_TEST_TOOLS: Mapping[str, str] = {
    "cargo": r"(?:^|/)tests/.*\.rs$|(?:^|/)Cargo\.(?:toml|lock)$",
    "go": r"_test\.go$|(?:^|/)testdata/|(?:^|/)go\.(?:mod|sum)$",
    "ctest": r"(?:^|/)tests?/|(?:^|/)CMakeLists\.txt$",
    "pytest": r"(?:^|/)(?:test_[^/]*|[^/]*_test)\.py$",
}
"""first word of a command -> which files of a repository it takes for tests and settings, without naming them"""
_PYTEST_SETTINGS = re.compile(r"(?:^|/)(?:conftest\.py|(?:pytest|tox)\.ini|setup\.cfg|pyproject\.toml)$")
_IGNORED_FOLDERS = {"node_modules", "venv", ".venv", "env", "__pycache__", "build", "dist"}


def joined_commands(line: str) -> Sequence[str]:
    """Return the commands of a line, where nothing but `&&`, `;` and line breaks joins them; else the whole line."""
    if re.search(r"['\"$`()|<]", line):
        return [line] if line else []
    return [part for part in re.split(r"\s*(?:&&|;|\n)\s*", line.strip()) if part]


def without_installations(line: str) -> tuple[str, Sequence[str]]:
    """Return a line without what it installs, and that."""
    parts = joined_commands(line)
    installed = [part for part in parts if _INSTALL.match(part)]
    if not installed:
        return line, ()
    return " && ".join(part for part in parts if not _INSTALL.match(part)), installed


def reason_out_of_reach(line: str) -> str:
    """Return why a line cannot run in a sandbox; empty when nothing is known against it."""
    for word in _started_words(line):
        if word in _OUT_OF_REACH:
            return f"`{word}` cannot run in a sandbox: {_OUT_OF_REACH[word]}"
    return ""


def _started_words(line: str) -> Iterator[str]:
    """Yield the words of a line that stand where a command begins, also within `if`, `!` and `$( )`."""
    for part in re.split(r"&&|\|\||[;|\n]|\$\(|`", line):
        yield first_word(re.sub(r"^(?:\s*(?:(?:if|elif|while|until|then|do|else|time|!|\{)\s|\())+", "", part))


def made_folders(line: str) -> Sequence[str]:
    """Return the folders that a line makes."""
    found = re.findall(
        r"\bmkdir\s+(?:-p\s+)?([\w./-]+)|\bcmake\b[^&;\n]*\s-B\s*([\w./-]+)|\bcmake\s+--build\s+([\w./-]+)", line
    )
    return [name.removeprefix("./").rstrip("/") for names in found for name in names if name]


def is_compilation(line: str) -> bool:
    """Whether a line compiles and does nothing else but to make folders for it and to enter them."""
    parts = joined_commands(line)
    return compiles(line) and all(_compiles(part) or first_word(part) in {"mkdir", "cd"} for part in parts)


def compiles(line: str) -> bool:
    """Whether one of the commands of a line compiles."""
    return any(map(_compiles, joined_commands(line)))


def _compiles(command: str) -> bool:
    return first_word(command) in COMPILERS and not re.match(r"c?make\s+.*\b(?:test|check|run)", command)


def compiles_by_settings(line: str) -> bool:
    """Whether a line builds with make or CMake, which files of the repository tell how."""
    return any(first_word(part) in {"make", "cmake"} for part in joined_commands(line))


def script_out_of_reach(name: str, content: bytes) -> str:
    """Return why a script or a Makefile of the course cannot do here what it does; empty when nothing is known."""
    if not name.endswith((".sh", "Makefile")) and not content.startswith((b"#!/bin/bash", b"#!/bin/sh")):
        return ""
    lines = (one.strip().lstrip("@-") for one in content.decode(errors="replace").splitlines())
    return next(filter(None, (reason_out_of_reach(one) for one in lines if not one.startswith("#"))), "")


def named_test_files(line: str, files: Iterable[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Return the test files of the course that a line names: those that are there, and those that are missing."""
    there = dict.fromkeys(files)
    folder = _entered_folder(line)
    folder = folder if any(one.startswith(f"{folder}/") for one in there) else ""
    words = dict.fromkeys(_seen_from_top(word, folder, there) for word in re.findall(r"[\w./+-]+", line))
    named = [
        word
        for word in words
        if _TEST_FILE.search(word)
        and (word.endswith(_TEST_ENDINGS) or (word in there and _IN_TEST_FOLDER.search(word)))
    ]
    started = re.sub(r"\bpython3?\s+-m\s+(?=pytest\b)|(?:(?<=\s)|^)\w+=\S*\s+(?=\S)", "", line)
    tools = [_TEST_TOOLS[word] for part in re.split(r"&&|[;|\n]", started) if (word := first_word(part)) in _TEST_TOOLS]
    beside = [word for word in words if word in there and (word in named or _is_data(word, line))]
    globbed = {
        word.rpartition("/")[0] for word in re.findall(r"[\w./-]*/[\w.-]*\*", line) if _IN_TEST_FOLDER.search(word)
    }
    beside += [one for one in there if one.rpartition("/")[0] in globbed and one not in beside]
    start = f"{folder}/" if folder else ""
    if folder or not any(word in named for word in beside):
        inside = [one for one in there if one.startswith(start) or "/" not in one]
        beside += [one for one in inside if one not in beside and any(re.search(tool, one) for tool in tools)]
    if _TEST_TOOLS["pytest"] in tools:
        beside += [one for one in there if one not in beside and _PYTEST_SETTINGS.search(one)]
    return beside, [word for word in named if word not in there]


def _is_data(word: str, line: str) -> bool:
    """Whether a file is data of the course, by its name or since a line compares what it makes with it."""
    return bool(_DATA_FILE.search(word)) or any(
        one.endswith(word) for one in re.findall(r"\b(?:diff|cmp)\b(?:\s+-\S+)*\s+\S+\s+([\w./-]+)", line)
    )


def _entered_folder(line: str) -> str:
    """Return the folder that a line enters before all else; "" where it stays."""
    found = re.match(r"\s*(?:\w+\s[^;&]*(?:&&|;)\s*)*?cd\s+(?:\./)?([\w.-]+(?:/[\w.-]+)*)/?\s*(?:&&|;|\n)", line)
    return found[1] if found and ".." not in found[1].split("/") else ""


def _seen_from_top(word: str, folder: str, files: Collection[str]) -> str:
    """Return the path of a file from the top of the repository, as a line names it from a folder that it enters."""
    inside = posixpath.normpath(posixpath.join(folder, word)) if folder and not word.startswith("/") else ""
    return inside if inside in files else word.removeprefix("./")


# ---------------------------------------------------------------- unit tests


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitCommand:
    """A run of unit tests: which files, and which methods of them."""

    framework: UnitFramework
    files: Mapping[str, Sequence[str]]
    """path -> globs of methods; none for all"""


UnitRunLine = UnitCommand | NodeTestRun | str | None
"""what a line runs; a text says why it cannot be carried over, and None stands for no unit tests"""


def find_unit_run(line: str, files: Iterable[str], sources: Mapping[str, bytes]) -> UnitRunLine:
    """Read a line that runs unit tests; a text says why it cannot be carried over. None when it runs none."""
    try:
        words = shlex.split(line)
        in_java = java_test_run(line, files, sources)
        if reported := node_test_run(line, files, sources):
            return reported
    except ValueError:
        return None
    if in_java is None:
        return _python_run(line, words, files, sources)
    return in_java if isinstance(in_java, str) else UnitCommand(framework="junit", files=in_java)


def _python_run(
    line: str, words: list[str], files: Iterable[str], sources: Mapping[str, bytes]
) -> UnitCommand | str | None:
    if words[:2] in (["python3", "-m"], ["python", "-m"]):
        words = words[2:]
    elif len(words) == 2 and words[0] in {"python", "python3"} and b"unittest.main" in sources.get(words[1], b""):  # noqa: PLR2004
        return UnitCommand(framework="unittest", files={words[1]: []})
    if not words or words[0] not in {"pytest", "py.test", "unittest"}:
        return None
    if re.search(r"[|&;<>$`]", line):
        return None  # its exit status is that of a longer line for the shell
    if words[0] == "unittest":
        return _unittest_run(words[1:], files)
    return _pytest_run(words[1:], files, sources)


def _unittest_run(words: Sequence[str], files: Iterable[str]) -> UnitCommand | str:
    named = [word for word in words if not word.startswith("-")]
    if not named or named[0] == "discover":
        chosen = dict.fromkeys(_discovered(files, "", ("test*.py",)), ())
    else:
        paths = [word if word.endswith(".py") else f"{word.replace('.', '/')}.py" for word in named]
        chosen = dict.fromkeys(paths, ())
    return _checked("unittest", chosen, files)


def _pytest_run(words: Sequence[str], files: Iterable[str], sources: Mapping[str, bytes]) -> UnitCommand | str | None:
    chosen: dict[str, list[str]] = {}
    only = ""
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "-k" and rest:
            only = rest.pop(0)
        elif word in _FLAGS_WITH_VALUE and rest:
            rest.pop(0)
        elif word.startswith("-"):
            if not _FLAGS.fullmatch(word):
                return None  # what it changes is known when pytest itself runs
        else:
            path, *inner = word.removeprefix("./").split("::")
            below = [path] if path.endswith(".py") else _discovered(files, path.strip("./"), ("test_*.py", "*_test.py"))
            for one in below:
                chosen.setdefault(one, []).extend([".".join(inner)] if inner else [])
    if not chosen:
        chosen = {one: [] for one in _discovered(files, "", ("test_*.py", "*_test.py"))}
    if any(not _TEST_FILE.search(one) and is_own_test(sources.get(one, b""), files) for one in chosen):
        return None  # students fill that file in, and pytest runs it as it is handed in
    return _of_expression(only, chosen, sources) if only else _checked("pytest", chosen, files)


def is_own_test(source: bytes, files: Iterable[str]) -> bool:
    """Whether a file has functions beside its tests, and nothing else of the repository that it could test."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return False
    modules = {PurePosixPath(one).stem for one in files}
    own = {one.name for one in tree.body if isinstance(one, ast.FunctionDef | ast.ClassDef)}
    tests = {name for name in own if name.lower().startswith("test")}
    imported = {
        name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([one.name for one in node.names] if isinstance(node, ast.Import) else [node.module or ""])
    }
    return bool(tests and own > tests and imported.isdisjoint({*modules, "", *_STARTERS}))


def _of_expression(
    expression: str, chosen: Mapping[str, Sequence[str]], sources: Mapping[str, bytes]
) -> UnitCommand | str | None:
    """Return those tests of the chosen files that an expression after `-k` selects."""
    if any(chosen.values()):
        return None
    picked = {one: _methods_named(expression, one, sources.get(one, b"")) for one in chosen}
    found = {one: methods for one, methods in picked.items() if methods}
    if picked and not found:
        return f"`-k {expression}` selects no test"
    return _checked("pytest", found, sources)


def _methods_named(expression: str, file: str, source: bytes) -> list[str]:
    """Return the methods of a test file that an expression after `-k` selects: words with `and`, `or`, `not`."""
    terms = re.findall(r"[()]|[^\s()]+", expression)
    words = [term if term in {"and", "or", "not", "(", ")"} else "WORD" for term in terms]
    names = [term for term, kind in zip(terms, words, strict=True) if kind == "WORD"]
    try:
        tree = ast.parse(" ".join(words), mode="eval").body
        methods = unit_methods(source, "pytest")
    except (SyntaxError, ValueError, RecursionError):
        return []
    return [name for name in methods if _holds(tree, iter([one.lower() in f"{file}.{name}".lower() for one in names]))]


def _holds(node: ast.expr, words: Iterator[bool]) -> bool:
    """Return the value of an expression whose words, in their order, have these values."""
    match node:
        case ast.BoolOp():
            values = [_holds(one, words) for one in node.values]
            return all(values) if isinstance(node.op, ast.And) else any(values)
        case ast.UnaryOp():
            return not _holds(node.operand, words)
        case _:
            return next(words, False)


def _checked(
    framework: Literal["pytest", "unittest"], chosen: Mapping[str, Sequence[str]], files: Iterable[str]
) -> UnitCommand | str:
    missing = [one for one in chosen if one not in set(files)]
    if missing or not chosen:
        return (
            f"its test file {missing[0] if missing else 'test_*.py'} is not there: import the course's whole repository"
        )
    return UnitCommand(framework=framework, files=chosen)


def _discovered(files: Iterable[str], below: str, patterns: Sequence[str]) -> list[str]:
    start = f"{below}/" if below else ""
    return [
        one
        for one in files
        if one.startswith(start)
        and any(fnmatchcase(PurePosixPath(one).name, pattern) for pattern in patterns)
        and not _IGNORED_FOLDERS & set(PurePosixPath(one).parts)
    ]


# ---------------------------------------------------------------- patterns


_JS_TOKEN = re.compile(r"\\u\{|\\[pPk]|\\c|\\.|\[\^?\]|\(\?<(?![=!])|[\^$\[\]]|.", re.DOTALL)


_JS_ALONE = {"\\u{", "\\p", "\\P", "\\k", "\\c", "[]", "[^]", "\\A", "\\Z", "\\z"}
_IN_PYTHON = {"^": r"\A\s*", "$": r"\s*\Z", "(?<": "(?P<", ".": r"[^\n\r]"}


def to_python_pattern(pattern: str) -> str:
    """Translate a pattern of JavaScript's that is looked for in trimmed text; ValueError when it cannot be said."""
    parts: list[str] = []
    in_class = False
    for part in _JS_TOKEN.findall(pattern):
        if part in _JS_ALONE:
            raise ValueError(f"{part} is JavaScript's alone")
        if part == "[" and not in_class:
            in_class = True
        elif part == "]":
            in_class = False
        parts.append(part if in_class else _IN_PYTHON.get(part, part))
    translated = "".join(parts)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        re.compile(translated)
    return translated
