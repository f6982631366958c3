"""Command lines of other graders as keys of a spec: the build, the program and how a case starts it."""

import re
import shlex
from collections.abc import Sequence

from grader.core.yaml.nodes import Node
from grader.core.yaml.value import escaped
from grader.core.yaml.writing import listing, plain, quoted, table
from grader.imports import first_keys, text_or_word
from grader.imports.command_lines import COMPILERS, INTERPRETERS, SOURCE_ENDINGS, first_word, needs_shell


def keys_before_tests(name: str, build: Sequence[str], program: Sequence[str], seconds: str) -> dict[str, Node]:
    """Return the keys of the spec that apply to all tests."""
    languages = [COMPILERS.get(first_word(line), "") for line in build]
    languages += [INTERPRETERS.get(program[0], ""), "shell"]
    keys = first_keys(name, next(filter(None, languages)))
    words = [word for line in [*build, shlex.join(program)] for word in line.split()]
    sources = [w for w in dict.fromkeys(words) if w.endswith(SOURCE_ENDINGS) and re.fullmatch(r"[\w.+-]+", w)]
    if sources:
        keys["files"] = table({"required": listing(map(text_or_word, sources))})
    if build:
        commands = [
            listing([plain("sh"), quoted("-c"), quoted(line)]) if needs_shell(line) else text_or_word(line)
            for line in build
        ]
        keys["build"] = table({"run": listing(commands), "produces": listing(map(text_or_word, _produced(build)))})
    keys["program"] = listing(map(text_or_word, program))
    keys["limits"] = table({"time": plain(f"{seconds} s")})
    return keys


def _produced(lines: Sequence[str]) -> Sequence[str]:
    """Return the files of the build that cases need; all of them when that cannot be determined."""
    found: list[str] = []
    for line in lines:
        named = re.search(r"\s-o\s*([\w.+-]+)", line)
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
