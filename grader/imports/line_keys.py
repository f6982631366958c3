"""Command lines of other graders as keys of a spec: the build, the program and how a case starts it."""

import re
import shlex
from collections.abc import Collection, Iterable, Iterator, Sequence

from grader.core.yaml.nodes import Node
from grader.core.yaml.value import escaped
from grader.core.yaml.writing import listing, plain, quoted, table
from grader.imports import first_keys, text_or_word
from grader.imports.command_lines import COMPILERS, INTERPRETERS, SOURCE_ENDINGS, first_word, needs_shell

_WORD = re.compile(r"[^\s'\"|&;<>()$`]+")
_PATH = re.compile(r"(?![-/])(?!.*\.\.)(?:[\w.+-]+/)*[\w.+*?-]+\.\w{1,5}")
_FOLDER = re.compile(r"(?:\bcd|\s-C)\s+(?:\./)?([\w+-][\w.+/-]*)|\s-m\s+(\w+)\.\w")


def keys_before_tests(
    name: str,
    build: Sequence[str],
    program: Sequence[str],
    seconds: str,
    *,
    runs: Sequence[str] = (),
    course_files: Collection[str] = (),
) -> dict[str, Node]:
    """Return the keys of the spec that apply to all tests, of which `runs` are the lines that start the program.

    `course_files` are those that the lines name and nobody hands in.
    """
    languages = [COMPILERS.get(first_word(line), "") for line in build]
    languages += [INTERPRETERS.get(program[0], ""), "shell"]
    keys = first_keys(name, next(filter(None, languages)))
    if rules := _file_rules(build, program, runs, course_files):
        keys["files"] = table({word: listing(map(text_or_word, names)) for word, names in rules.items()})
    if build:
        commands = [
            listing([plain("sh"), quoted("-c"), quoted(line)]) if needs_shell(line) else text_or_word(line)
            for line in build
        ]
        keys["build"] = table({"run": listing(commands), "produces": listing(map(text_or_word, _produced(build)))})
    keys["program"] = listing(map(text_or_word, program))
    keys["limits"] = table({"time": plain(f"{seconds} s")})
    return keys


def _file_rules(
    build: Sequence[str], program: Sequence[str], runs: Sequence[str], course_files: Collection[str]
) -> dict[str, Sequence[str]]:
    """Return which files are required, since every test needs them, and which only some tests name.

    The second are there for their folders: work is taken out of a folder around it unless a rule names that folder.
    """
    every = [*build, *runs, shlex.join(program)]
    paths = [word for word in _paths(every) if word not in course_files and not word.startswith(".github/")]
    starts_alike = all(not needs_shell(run) and shlex.split(run)[: len(program)] == [*program] for run in runs)
    needed = set(_paths([*build, shlex.join(program)] if starts_alike else build))
    required = [path for path in paths if path in needed and path.endswith(SOURCE_ENDINGS)]
    optional = [path for path in paths if path not in required and (path.endswith(SOURCE_ENDINGS) or "/" in path)]
    folders = [f"{(one or module).strip('/')}/*" for line in every for one, module in _FOLDER.findall(line)]
    found = {"required": required, "optional": list(dict.fromkeys([*optional, *folders]))}
    return {word: names for word, names in found.items() if names}


def _paths(lines: Iterable[str]) -> Iterator[str]:
    """Yield the paths and globs that command lines name, each once."""
    words = (word.removeprefix("./") for line in lines for word in _WORD.findall(line))
    yield from dict.fromkeys(word for word in words if _PATH.fullmatch(word))


def _produced(lines: Sequence[str]) -> Sequence[str]:
    """Return the files of the build that cases need; all of them when that cannot be determined."""
    found: list[str] = []
    for line in lines:
        named = re.search(r"\s-o\s*(?:\./)?([\w.+/-]+)", line)
        if first_word(line) == "javac":
            found.append("*.class")
        elif named:
            found.append(named[1])
        else:
            return ["*"]
    return list(dict.fromkeys(found))


def start_keys(run: str, setup: str, program: Sequence[str]) -> dict[str, Node]:
    """Return the keys that run a command line, after another that has to succeed."""
    if not setup and not needs_shell(run):
        words = shlex.split(run)
        count = len(program)
        if words[:count] == list(program):
            return {"args": listing([quoted(escaped(word)) for word in words[count:]])} if words[count:] else {}
        return {"command": listing([text_or_word(escaped(word)) for word in words])}
    before = f"( {setup}\n) </dev/null >/dev/null 2>&1 || exit 99\n" if setup else ""
    if program == ("sh", "-c", run) and not setup:
        return {}
    return {"command": listing([plain("sh"), quoted("-c"), quoted(escaped(before + run))])}
