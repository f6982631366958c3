"""Projects of Gradle, Maven and Node.js: which tests a command runs, and what else of the project they need."""

import json
import posixpath
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import dropwhile, pairwise
from pathlib import PurePosixPath
from typing import NamedTuple

from grader.kinds.unit_tests.java_text import find_java_methods, masked_java

_TOOLS = {"gradle", "./gradlew", "gradlew", "mvn", "./mvnw", "mvnw", "maven"}
_HARMLESS = re.compile(
    r"-[qiBXUseoV]|-fae|-ff|-ntp|--(?:info|quiet|stacktrace|no-daemon|console=\w+|batch-mode|offline|warn|rerun-tasks|continue"
    r"|no-transfer-progress|scan|debug|no-build-cache|errors|fail-at-end|update-snapshots)"
    r"|clean|cleanTest|-D(?:style\.color|trimStackTrace|failIfNoTests|surefire\.[\w.]+|file\.encoding"
    r"|org\.slf4j\.[\w.]+|checkstyle\.skip|jacoco\.skip)=[\w-]*|-DskipTests=false"
)
_TASK = re.compile(r":?(?:[\w-]+:)*(?:test|verify|check|build|package|install)")
_BEFORE = re.compile(r"(?:chmod|export|sudo\s+(?:locale-gen|update-locale|apt\S*))\b")  # of no part in the result
_MISSING = "its test files are not there: import the course's whole repository"
_RESOURCES, _TEST_FOLDERS = "src/test/resources/", ("src/test/java/", "src/test/", "test/", "tests/")
_MAIN = re.compile(r"\bpublic\s+static\s+void\s+main\s*\(")
_PACKAGE = re.compile(r"^\s*package\s+([\w.]+)\s*;", re.MULTILINE)
_LIBRARY = re.compile(
    r"(?:^|;)\s*import\s+(?:static\s+)?(org\.(?!junit\b|hamcrest\b)\w+|com\.google\.\w+|io\.\w+|net\.\w+)", re.MULTILINE
)


class JavaProject(NamedTuple):
    """A project in Java, by the files of its repository."""

    sources: Sequence[str]  # what students hand in
    beside: Mapping[str, str]  # what tests need: path from the test's folder -> file of the repository
    program: str  # the full name of the class with a `main`, or of the first
    libraries: Sequence[str]  # packages of libraries that tests import


def _command(line: str) -> tuple[str, list[str]] | str | None:
    """Return the folder that a command of Gradle or Maven is started in, and its words; a text, or None as below."""
    parts = [part.strip() for part in re.split(r"&&|;|\n", line) if part.strip()]
    try:
        commands = [shlex.split(part) for part in parts if not _BEFORE.match(part)]
    except ValueError:  # a quote that is not closed
        return None
    entered = commands.pop(0)[1] if len(commands) > 1 and commands[0][0] == "cd" and len(commands[0]) > 1 else ""
    words = commands[-1][commands[-1][0] in {"bash", "sh"} :] if commands else []
    if not words or words[0] not in _TOOLS:
        return None
    is_alone = len(commands) == 1 and not re.search(r"[|<>$`]", line)
    return (entered, words) if is_alone else "it runs tests within a longer line for the shell"


def java_test_run(line: str, sources: Mapping[str, bytes]) -> dict[str, list[str]] | str | None:
    """Return the tests that a command of Gradle or Maven runs, with globs of methods, or why not; None for others."""
    command = _command(line)
    if not isinstance(command, tuple):
        return command
    entered, (tool, *words) = command
    chosen, tasks, rest = list[str](), list[str](), iter(words)
    for word in rest:
        if word == "--tests":
            chosen.append(next(rest, ""))
        elif word.startswith("-Dtest="):
            chosen += word.removeprefix("-Dtest=").split(",")
        elif _TASK.fullmatch(word):
            tasks.append(word)
        elif not _HARMLESS.fullmatch(word):
            return f"`{word}` of {tool} has no counterpart"
    if not tasks:
        return f"{tool} runs no tests in it"
    module = tasks[-1].strip(":").rpartition(":")[0].replace(":", "/")
    module = posixpath.normpath(posixpath.join(entered, module)).removeprefix(".")
    tests = [one for one in sources if is_java_test(one, sources) and one.startswith(f"{module}/" if module else "")]
    return _choose(tests, chosen) or _MISSING


def is_java_test(name: str, sources: Mapping[str, bytes]) -> bool:
    """Whether a file of a repository has tests for JUnit."""
    return name.endswith(".java") and bool(find_java_methods(sources[name].decode("utf-8", "replace")))


def _choose(tests: Sequence[str], chosen: Sequence[str]) -> dict[str, list[str]]:
    """Return the files that patterns such as `ATest`, `a.ATest.one` and `ATest#one+two` mean; without any, all."""
    found: dict[str, list[str]] = {} if chosen else {name: [] for name in tests}
    for pattern in chosen:
        owner, _, methods = pattern.partition("#")
        for name in tests:
            stem, parts = PurePosixPath(name).stem, owner.split(".")
            if stem in parts:
                inner = ["*".join(parts[parts.index(stem) + 1 :])] if parts[-1] != stem else []
                found.setdefault(name, []).extend([*filter(None, methods.split("+")), *inner])
            elif owner.strip("*") and owner.strip("*") in stem:
                found.setdefault(name, [])
    return found


def find_project(tests: Sequence[str], sources: Mapping[str, bytes]) -> JavaProject:
    """Return what belongs to tests of a project."""
    roots = dict.fromkeys(map(project_root, tests))
    inner = {name: name.removeprefix(root) for name in sources for root in roots if name.startswith(root)}
    texts = {name: masked_java(sources[name].decode("utf-8", "replace")) for name in inner if name.endswith(".java")}
    of_tests = [name for name in texts if inner[name].startswith(_TEST_FOLDERS) or is_java_test(name, sources)]
    own = [name for name in texts if name not in of_tests]
    main = next((name for name in own if _MAIN.search(texts[name])), own[0] if own else "Main.java")
    package = _PACKAGE.search(texts.get(main, ""))
    beside = {path.removeprefix(_RESOURCES): name for name, path in inner.items() if path.startswith(_RESOURCES)}
    beside |= {inner[name].removeprefix("src/test/java/"): name for name in of_tests if name not in tests}
    program = f"{package[1]}.{PurePosixPath(main).stem}" if package else PurePosixPath(main).stem
    return JavaProject(own, beside, program, sorted({one for name in tests for one in _LIBRARY.findall(texts[name])}))


def project_root(test: str) -> str:
    """Return the folder of the project of a test, which ends with a slash; "" for that of the repository."""
    places = (f"/{test}".find(f"/{folder}") for folder in _TEST_FOLDERS)
    return test[: next((place for place in places if place >= 0), 0)]


# ---------------------------------------------------------------- Node.js

_ENVIRONMENT = {"NODE_PATH": "/usr/lib/node_modules"}
# what runs tests -> the command here, its report, what has to be installed, and its environment
_NODE_TOOLS: Mapping[str, tuple[str, str, str, Mapping[str, str]]] = {
    "jest": (
        *("jest {} --ci --reporters=jest-junit", "junit", "jest jest-junit"),
        {"JEST_JUNIT_OUTPUT_FILE": "{report}", **_ENVIRONMENT},
    ),
    "mocha": ("mocha --reporter xunit {}", "junit", "mocha", _ENVIRONMENT),
    "vitest": ("vitest run --reporter=junit {}", "junit", "vitest", _ENVIRONMENT),
    "node": ("node --test --test-reporter=tap {}", "tap", "", {}),
}
_SCRIPT = re.compile(
    r"(?:npm|yarn|pnpm)\s+(?:(?:run|run-script)\s+(?P<named>[\w:.-]+)|(?P<plain>test|tst|t)(?=\s|$))(?P<rest>.*)"
)
_TEST_FILE = re.compile(r"(?:^|/)(?:(?:__tests__|tests?)/.*|[^/]+\.(?:test|spec)|test(?:-[^/]*)?)\.[cm]?js$")
_OURS = ("--watch", "--reporter", "--test-reporter", "--coverage", "-w", "-R")  # the command here has them, or must not
_FLAG = re.compile(
    "--(?:ci|verbose|silent|colors?|passWithNoTests|runInBand|exit|recursive|bail|forceExit|no-cache|run)|-[ib]"
)
_IMPORTED = re.compile(r"""(?:\brequire\(|\bfrom\s|\bimport\(|\bimport\s)\s*['"](\.{1,2}/[^'"\n]+)['"]""")
_SETTINGS = re.compile(r"(?:package\.json|(?:jest|vitest|babel)\.config\.[cm]?js|\.babelrc|\.mocharc\.\w+)")


class NodeTestRun(NamedTuple):
    """A run of tests whose report is read."""

    command: str
    report: str
    env: Mapping[str, str]
    beside: Sequence[str]  # the tests, and the settings of the course
    required: Sequence[str]  # what the tests import: what students hand in
    package: str  # what has to be installed; empty for nothing


def node_test_run(line: str, files: Mapping[str, bytes]) -> NodeTestRun | str | None:
    """Read a line that runs tests with Node.js, or say why not; None for others. ValueError for an open quote."""
    if (found := _SCRIPT.fullmatch(line.strip())) and not re.search(r"[|&;<>$`]", found["rest"]):
        if "package.json" not in files:
            return "its package.json is not there: import the course's whole repository"
        if (script := _script(files["package.json"], found["named"] or "test")) is None:
            return None
        added = [word for word in shlex.split(found["rest"]) if word not in ("--", "--silent", "-s")]
        line = shlex.join([*shlex.split(script), *added]) if added else script
    words = dropwhile(lambda word: word in ("npx", "cross-env") or re.match(r"NODE_\w+=", word), shlex.split(line))
    tool, *rest = [*words] or [""]
    if tool not in _NODE_TOOLS or (tool == "node" and "--test" not in rest):
        return None
    return _read_run(tool, rest, line, files)


def _read_run(tool: str, words: Sequence[str], line: str, files: Mapping[str, bytes]) -> NodeTestRun | str:
    if re.search(r"[|&;<>$`]", re.sub(r"'[^']*'", "", line)):
        return f"it runs tests within a longer line for the shell: {line}"
    every = [one for one in files if _TEST_FILE.search(one) and "node_modules/" not in one]
    options = [word for word in words if word.startswith("-") and word != "--test" and not word.startswith(_OURS)]
    paths = [posixpath.normpath(one.partition("*")[0]) for one in words if one[:1] != "-" and one != "run"]
    is_part = tool in ("jest", "vitest")  # of these a word is looked for anywhere in a path
    fits = [[path in one if is_part else f"{one}/".startswith(f"{path}/") for path in paths] for one in every]
    tests = [one for one, each in zip(every, fits, strict=True) if any(each) or not paths]
    # An option may take the next word, or name a file of the course: then what it means is known to the tool alone.
    pairs = [(one, after) for one, after in pairwise([*words, "-"]) if one in options and not _FLAG.fullmatch(one)]
    odd = next((one for one, after in pairs if re.search("=.*[/.]", one) or not (after[:1] == "-" or "=" in one)), "")
    if odd or not tests:
        return f"the option `{odd}` of {tool} has no counterpart" if odd else _MISSING
    command, report, package, env = _NODE_TOOLS[tool]
    beside = [*tests, *(one for one in files if _SETTINGS.fullmatch(one))]
    required = list(dict.fromkeys(name for test in tests for name in _imported(test, files)))
    return NodeTestRun(command.format(shlex.join([*options, *tests])), report, env, beside, required, package)


def _script(package: bytes, name: str) -> str | None:
    with suppress(ValueError, KeyError, TypeError, RecursionError):
        script = json.loads(package)["scripts"][name]
        return script if isinstance(script, str) else None
    return None


def _imported(test: str, files: Mapping[str, bytes]) -> Iterator[str]:
    for found in _IMPORTED.findall(files[test].decode("utf-8", "replace")):
        path = posixpath.normpath(posixpath.join(posixpath.dirname(test), found))
        names = (f"{path}{ending}" for ending in ("", ".js", ".mjs", ".cjs", "/index.js"))
        yield from [one for one in names if one in files and not _TEST_FILE.search(one)][:1]
