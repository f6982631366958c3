"""The tests of Classroom 50 -> a spec.

There a test is a line for a shell, run in the student's folder, in which the tests before it have left their files.
Here each case starts afresh and without a shell. So what compiles becomes the build, a line that needs a shell is given
to one by name, and only a line of plain words is the program or a command.
"""

import re
import shlex
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from grader.errors import UsageError
from grader.imports.imported import Imported, check_name, identifier, text_or_word
from grader.imports.io_tests_file import Defaults, IoTest, read_tests
from grader.yaml.nodes import Node
from grader.yaml.template import escaped
from grader.yaml.writing import listing, plain, quoted, table

SECONDS = 10
"""of a test that says nothing about time"""
_COMPILERS: Mapping[str, str] = {
    "gcc": "c",
    "clang": "c",
    "cc": "c",
    "g++": "cpp",
    "clang++": "cpp",
    "c++": "cpp",
    "javac": "java",
    "make": "",
}
"""program -> the language, where it tells that"""
_STARTERS: Mapping[str, str] = {
    "java": "java",
    "python": "python",
    "python3": "python",
    "swipl": "prolog",
    "sh": "shell",
}
_SOURCES = (".py", ".java", ".c", ".cpp", ".cc", ".pl", ".sh")
_NETWORK = re.compile(r"\b(?:pip3?|apt|apt-get|npm|curl|wget)\b")
_SHELL = re.compile(r"[|&;<>()$`\\*?\[\]#~%{}!\n]|^\s*\w+=|^\s*(?:cd|test|export|ulimit|source)\b")
"""what a shell does more with than pass it on"""
_OVERLOOKED = ("final-newline", "blank-lines", "trailing-space")


@dataclass(slots=True, kw_only=True)
class _Course:
    """What is known of the whole file while its tests are read."""

    source: Path
    id: str
    defaults: Defaults
    build: Sequence[str]
    """the lines that compile"""
    program: Sequence[str]
    files: dict[str, bytes] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def import_io_tests(path: Path, name: str | None = None) -> Imported:
    """Make a spec of a `tests.json`; `name` is its id, else that of the folder around it.

    Raises UsageError for a file that is none, or names a file outside its folder.
    """
    found = read_tests(path)
    named = path.resolve().parent.name if path.stem == "tests" else path.stem
    carried = [test for test in found.tests if test.type != "python"]
    if not carried:
        raise UsageError(f"{path}: there is no test of the types io and run, and no others can be carried over")
    build = _build(carried)
    course = _Course(
        source=path, id=identifier(name, named), defaults=found.defaults, build=build, program=_program(carried, build)
    )
    tests = [_test(test, course) for test in carried]
    return Imported(
        id=course.id,
        spec={**_head(course), "tests": listing(test for test in tests if test)},
        files=course.files,
        origin=f"{path.name} of Classroom 50",
        notes=[*course.notes, *_notes(found.tests, course)],
    )


# ---------------------------------------------------------------- commands


def _build(tests: Sequence[IoTest]) -> Sequence[str]:
    """Return the lines that compile, and a line that comes before every test."""
    setups = {test.setup for test in tests}
    lines = [setups.pop()] if len(setups) == 1 else []
    for test in tests:
        lines += [line for line in (test.setup, test.run if test.type == "run" else "") if _first(line) in _COMPILERS]
    return [line for line in dict.fromkeys(lines) if line]


def _program(tests: Sequence[IoTest], build: Sequence[str]) -> Sequence[str]:
    """Return what most lines have in common at their beginning."""
    lines = [_words(test.run) for test in tests if test.run not in build and not _needs_shell(test.run)]
    if not lines:
        return ("sh", "-c", tests[0].run)
    same = [words for words in lines if words[0] == lines[0][0]]
    common = [column[0] for column in zip(*same, strict=False) if len(set(column)) == 1]
    count = next((place for place, word in enumerate(common) if word != same[0][place]), len(common))
    least = 2 if common[0] in _STARTERS else 1
    return common[:count] if count >= least else lines[0]


def _first(line: str) -> str:
    return line.split(maxsplit=1)[0] if line.split() else ""


def _words(line: str) -> list[str]:
    return shlex.split(line)


def _needs_shell(line: str) -> bool:
    if _SHELL.search(line):
        return True
    try:
        return not shlex.split(line)
    except ValueError:
        return True


def _command(test: IoTest, course: _Course) -> dict[str, Node]:
    """Return the keys that start a test's line."""
    setup = "" if test.setup in course.build else test.setup
    if not setup and not _needs_shell(test.run):
        words = _words(test.run)
        count = len(course.program)
        if words[:count] == list(course.program):
            return {"args": listing([quoted(escaped(word)) for word in words[count:]])} if words[count:] else {}
        return {"command": listing([text_or_word(escaped(word)) for word in words])}
    before = f"( {setup}\n) </dev/null >/dev/null 2>&1 || exit 99\n" if setup else ""
    if course.program == ("sh", "-c", test.run) and not setup:
        return {}
    return {"command": listing([plain("sh"), quoted("-c"), quoted(escaped(before + test.run))])}


# ---------------------------------------------------------------- the spec


def _head(course: _Course) -> dict[str, Node]:
    language = _language(course)
    keys: dict[str, Node] = {
        "spec": plain("1"),
        "id": plain(course.id),
        "title": text_or_word(course.id),
        "language": plain(language),
    }
    words = [word for line in [*course.build, shlex.join(course.program)] for word in line.split()]
    sources = [word for word in dict.fromkeys(words) if word.endswith(_SOURCES) and re.fullmatch(r"[\w.+-]+", word)]
    if sources:
        keys["files"] = table({"required": listing(map(text_or_word, sources))})
    if course.build:
        run = [_build_command(line) for line in course.build]
        keys["build"] = table({"run": listing(run), "produces": listing(map(text_or_word, _produces(course.build)))})
    keys["program"] = listing(map(text_or_word, course.program))
    keys["limits"] = table({"time": plain(f"{SECONDS} s")})
    return keys


def _language(course: _Course) -> str:
    found = [_COMPILERS.get(_first(line), "") for line in course.build] + [_STARTERS.get(course.program[0], "")]
    return next(filter(None, found), "shell")


def _build_command(line: str) -> Node:
    return listing([plain("sh"), quoted("-c"), quoted(line)]) if _needs_shell(line) else text_or_word(line)


def _produces(lines: Sequence[str]) -> Sequence[str]:
    """Return what the build leaves behind that cases need; everything, when that cannot be seen."""
    found: list[str] = []
    for line in lines:
        named = re.search(r"\s-o\s*([\w.+-]+)", line)
        if _first(line) == "javac":
            found.append("*.class")
        elif named:
            found.append(named[1])
        else:
            return ["*"]
    return list(dict.fromkeys(found))


def _test(test: IoTest, course: _Course) -> Node | None:
    """Return one test; None, with a note, when it cannot be expressed."""
    keys: dict[str, Node] = {"name": text_or_word(test.name), "points": plain(str(test.points))}
    if _details(test, course) != "full":
        keys["visibility"] = plain("hidden")
    keys.update(_command(test, course))
    if test.timeout not in {0, SECONDS}:
        keys["limits"] = table({"time": plain(f"{test.timeout} s")})
    if test.type == "run":
        return table({**keys, "expect": table({"exit": plain(str(test.exit_code or 0))})})
    if test.input_file:
        keys["stdin"] = table({"file": text_or_word(_attached(test.input_file, course))})
    elif test.input:
        keys["stdin"] = quoted(escaped(test.input))
    stdout = _expected(test, course)
    if stdout is None:
        return None
    if test.comparison == "exact":
        keys["tolerate"] = table({kind: plain("100%") for kind in _OVERLOOKED})
    return table({**keys, "expect": table({"stdout": stdout})})


def _details(test: IoTest, course: _Course) -> str:
    return test.failure_details or course.defaults.failure_details


def _expected(test: IoTest, course: _Course) -> Node | None:
    text = test.expected
    if test.expected_file:
        text = _fixture(test.expected_file, course).decode(errors="replace")
    if test.comparison == "included":
        return table({"contains": listing([quoted(escaped(text))])})
    if test.comparison == "exact":
        body = text.strip("\n")
        return table({"text": quoted(escaped(body + "\n" if body else ""))})
    pattern = f"(?m){text}"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        course.notes.append(f"{test.name}: left out, for its pattern is none: {error}. Points: {test.points}.")
        return None
    return table({"regex": quoted(escaped(pattern))})


def _attached(name: str, course: _Course) -> str:
    path = f"data/{course.id}/{name}"
    course.files[path] = _fixture(name, course)
    return path


def _fixture(name: str, course: _Course) -> bytes:
    """Return a file that lies beside the tests; UsageError when the name leads out of there, or to none."""
    check_name(name)
    folder = course.source.parent.resolve()
    path = (folder / name).resolve()
    if not path.is_relative_to(folder):
        raise UsageError(f"{name} is a link out of {folder}: put the file itself there")
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; the tests need this file beside them") from error


# ---------------------------------------------------------------- what is not carried over


def _notes(tests: Sequence[IoTest], course: _Course) -> Iterator[str]:
    for test in tests:
        if test.type == "python":
            yield f"{test.name}: left out, for it runs pytest beside the student's code. Points: {test.points}."
        if _details(test, course) == "actual-only":
            yield f"{test.name}: it would show a student's own output only; it is hidden here."
    if any(test.show_output or test.show_command for test in tests) or course.defaults.show_output:
        yield "show-output, show-command: reports show output and command of what fails, and of nothing else."
    lines = [line for test in tests if test.type != "python" for line in (test.setup, test.run)]
    if any(_NETWORK.search(line) for line in lines):
        yield "Some lines want the network or install something: there is none here, so put it on the machine."
    if course.build:
        yield "What compiles is the build: when it fails every test does, and there only those that need it."
    yield "Each case starts afresh: what a test leaves behind is not there for the next, unless the build makes it."
    if any(test.comparison == "exact" for test in tests):
        yield "exact: blanks before the first word count here; there they do not."
    yield "An uncaught exception fails a case here, also behind the right output."
