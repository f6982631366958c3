"""The commands of a test case of Submitty: what compiles, what runs, and what is given on standard input."""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from grader.core.yaml.nodes import Node
from grader.core.yaml.value import escaped
from grader.core.yaml.writing import listing, plain, quoted
from grader.imports import text_or_word
from grader.imports.command_lines import first_word, needs_shell, with_python3
from grader.imports.submitty_config import NoCounterpartError, words_of

JUNIT_CORE = "org.junit.runner.JUnitCore"
TEST_RUNNER = re.compile(r"(?:^|\s)TestRunner(?:\s|$)")
_COMPILER_NAMES = {"clang++": "g++", "clang": "gcc", "g++": "g++", "gcc": "gcc", "javac": "javac"}
_SUBMITTY_JARS = re.compile(r"(?:-cp|-classpath)\s+\S*submitty\S*\s*")
_MAX_BEFORE = 8
"""test cases of which each copies from the one before"""


def is_compilation_case(case: Mapping[str, Any]) -> bool:
    """Whether a test case compiles what is handed in."""
    return case.get("type") == "Compilation"


def case_commands(case: Mapping[str, Any]) -> list[str]:
    """Return the commands of a test case, also those of its only container."""
    containers = case.get("containers")
    if isinstance(containers, list) and len(containers) == 1 and isinstance(containers[0], dict):
        return words_of(containers[0].get("commands"))
    return words_of(case.get("command"))


def plain_command(line: str) -> str:
    """Return a command line without the path of an interpreter or a compiler, and for the programs that are here."""
    line = re.sub(r"^(?:drmemory\s.*?--\s+|valgrind(?:\s+-\S+)*\s+)", "", line.strip())
    word, _, rest = line.partition(" ")
    base = word.rpartition("/")[2] if word.startswith("/usr/") else word
    if re.fullmatch(r"python(?:3(?:\.\d+)?)?", base):
        base = "python3"
    return with_python3(f"{base} {rest}".strip())


def build_lines(case: Mapping[str, Any]) -> Iterator[str]:
    """Yield the commands of a compilation, for the compilers that are here."""
    for line in case_commands(case):
        plain_line = _SUBMITTY_JARS.sub("", plain_command(line))
        word = first_word(plain_line)
        rest = plain_line[len(word) :].replace(" -- ", " ").replace(" *cpp", " *.cpp").replace(" -m32 ", " ")
        yield f"{_COMPILER_NAMES.get(word, word)}{rest}"


def as_command(line: str) -> Node:
    """Write a command line, with a shell only where it needs one."""
    if needs_shell(line):
        return as_script([line])
    return listing([text_or_word(escaped(word)) for word in shlex.split(line)])


def as_script(lines: Sequence[str]) -> Node:
    """Write commands that a shell runs one after the other."""
    return listing([plain("sh"), quoted("-c"), quoted(escaped("\n".join(lines)))])


def sent_input(case: Mapping[str, Any]) -> str | None:
    """Return what `dispatcher_actions` send to the only program, one after the other; None without any.

    Raises NoCounterpartError for those that stop or start a container.
    """
    actions = case.get("dispatcher_actions")
    if not actions:
        return None
    sent = ""
    for one in actions if isinstance(actions, list) else [actions]:
        kind = one.get("action") if isinstance(one, dict) else None
        if kind not in ("stdin", "delay"):
            raise NoCounterpartError("dispatcher_actions that stop or start a container have no counterpart")
        sent += str(one.get("string", "")) if kind == "stdin" else ""
    return sent


def lines_before(case: Mapping[str, Any], cases: Sequence[Mapping[str, Any]], depth: int = 0) -> list[str]:
    """Return the commands of test cases before this one that leave the files which `pre_commands` copy."""
    before: list[str] = []
    stated = case.get("pre_commands") or ()
    for one in stated if isinstance(stated, list | tuple) else [stated]:
        number = re.fullmatch(r"test0*(\d+)/?", str(one.get("testcase"))) if isinstance(one, dict) else None
        place = int(number[1]) - 1 if number else -1
        if not (0 <= place < len(cases)) or one.get("command") != "cp" or depth > _MAX_BEFORE:
            raise NoCounterpartError("pre_commands other than cp from a test case before have no counterpart")
        if one.get("pattern"):
            raise NoCounterpartError("pre_commands with a pattern have no counterpart")
        earlier = cases[place]
        source, target = (str(one.get(key, "./")) for key in ("source", "destination"))
        before += lines_before(earlier, cases, depth + 1)
        if not is_compilation_case(earlier):
            before += [f"( {plain_command(line)} ) >/dev/null 2>&1" for line in case_commands(earlier)]
        if target.rstrip("/") not in ("", "."):
            before += [f"cp -r {source} {shlex.quote(target)}"]
    return list(dict.fromkeys(before))
