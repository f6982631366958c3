"""Projects of Gradle and Maven: which tests for JUnit a command runs, and what else of the project they need."""

import posixpath
import re
import shlex
from collections.abc import Mapping, Sequence
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
_BEFORE = re.compile(r"(?:chmod|export|sudo\s+(?:locale-gen|update-locale|apt\S*))\b")
"""what is done before a run of tests without a part in its result"""
_RESOURCES = "src/test/resources/"
_TEST_FOLDERS = ("src/test/java/", "src/test/", "test/", "tests/")
_MAIN = re.compile(r"\bpublic\s+static\s+void\s+main\s*\(")
_PACKAGE = re.compile(r"^\s*package\s+([\w.]+)\s*;", re.MULTILINE)
_LIBRARY = re.compile(
    r"(?:^|;)\s*import\s+(?:static\s+)?(org\.(?!junit\b|hamcrest\b)\w+|com\.google\.\w+|io\.\w+|net\.\w+)", re.MULTILINE
)


class JavaProject(NamedTuple):
    """A project in Java, by the files of its repository."""

    sources: Sequence[str]
    """what students hand in"""
    beside: Mapping[str, str]
    """what tests need: path from the test's folder -> file of the repository"""
    program: str
    """the full name of the class with a `main`, or of the first"""
    libraries: Sequence[str]
    """packages of libraries that tests import"""


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
    """Return the test files that a command of Gradle or Maven runs, with globs of methods.

    A text says why it cannot be carried over; None where it is no such command.
    """
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
    return _choose(tests, chosen) or "its test files are not there: import the course's whole repository"


def is_java_test(name: str, sources: Mapping[str, bytes]) -> bool:
    """Whether a file of a repository has tests for JUnit."""
    return name.endswith(".java") and bool(find_java_methods(sources[name].decode("utf-8", "replace")))


def _choose(tests: Sequence[str], chosen: Sequence[str]) -> dict[str, list[str]]:
    """Return the files that patterns such as `ATest`, `a.ATest.one` and `ATest#one+two` mean; without any, all."""
    found: dict[str, list[str]] = {} if chosen else {name: [] for name in tests}
    for pattern in chosen:
        owner, _, methods = pattern.partition("#")
        for name in tests:
            stem = PurePosixPath(name).stem
            parts = owner.split(".")
            if stem in parts:
                inner = ["*".join(parts[parts.index(stem) + 1 :])] if parts[-1] != stem else []
                found.setdefault(name, []).extend([*filter(None, methods.split("+")), *inner])
            elif owner.strip("*") and owner.strip("*") in stem:
                found.setdefault(name, [])
    return found


def find_project(tests: Sequence[str], sources: Mapping[str, bytes]) -> JavaProject:
    """Return what belongs to tests of a project."""
    roots = {project_root(name) for name in tests}
    inner = {name: name.removeprefix(root) for name in sources for root in roots if name.startswith(root)}
    texts = {name: masked_java(sources[name].decode("utf-8", "replace")) for name in inner if name.endswith(".java")}
    of_tests = {name for name in texts if inner[name].startswith(_TEST_FOLDERS) or is_java_test(name, sources)}
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
