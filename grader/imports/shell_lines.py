"""Command lines of other graders in a draft: the build, the program, and the command of a case."""

import re
import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

from grader.imports.draft import Data

_WORD = re.compile(r"[^\s'\"|&;<>()$`]+")
_PATH = re.compile(r"(?![-/])(?!.*\.\.)(?:[\w.+-]+/)*[\w.+*?-]+\.\w{1,5}")
_FOLDER = re.compile(r"(?:\bcd|\s-C)\s+(?:\./)?([\w+-][\w.+/-]*)|\s-m\s+(\w+)\.\w")


def joined_commands(line: str) -> Sequence[str]:
    """Return the commands of a line, where nothing but `&&`, `;` and line breaks joins them; else the whole line."""
    if re.search(r"['\"$`()|<]", line):
        return [line] if line else []
    return [part for part in re.split(r"\s*(?:&&|;|\n)\s*", line.strip()) if part]


def is_compilation(line: str) -> bool:
    """Whether a line compiles and does nothing else but to make folders for it and to enter them."""
    return bool(line) and compilation_within(line) == " && ".join(joined_commands(line))


def compilation_within(line: str) -> str:
    """Return the commands with which a line begins that compile; empty where none does."""
    begun = list(takewhile(lambda one: _compiles(one) or first_word(one) in {"mkdir", "cd"}, joined_commands(line)))
    return " && ".join(begun) if any(map(_compiles, begun)) else ""


def _compiles(command: str) -> bool:
    return first_word(command) in COMPILERS and not re.match(r"c?make\s+.*\b(?:test|check|run)", command)


def to_words(line: str, setup: str = "") -> Sequence[str]:
    """Return the words of a command line, which a shell runs where it is more than words, or after a `setup`."""
    if not setup and not needs_shell(line):
        return shlex.split(line)
    before = f"( {setup}\n) </dev/null >/dev/null 2>&1 || exit 99\n" if setup else ""
    return ("sh", "-c", before + line)


def draft_start(
    build: Sequence[str],
    program: Sequence[str],
    seconds: float,
    runs: Sequence[str] = (),
    course_files: Collection[str] = (),
) -> dict[str, Any]:
    """Return the fields of a draft that lines say: those that build, the program, and all `runs` that start it.

    `course_files` are those that the lines name and nobody hands in.
    """
    keys: dict[str, Data] = {"files": _file_rules(build, program, runs, course_files), "limits": {"time": seconds}}
    if build:
        keys["build"] = {"run": list(map(to_words, build)), "produces": _products(build)}
    return {"language": find_language(build, program[:1]), "program": program, "keys": keys}


def _file_rules(
    build: Sequence[str], program: Sequence[str], runs: Sequence[str], course_files: Collection[str]
) -> Mapping[str, Sequence[str]]:
    """Return which files are required, since every test needs them, and which only some tests name.

    The second are there for their folders: work is taken out of a folder around it unless a rule names that folder.
    """
    every = [*build, *runs, shlex.join(program)]
    paths = [word for word in find_paths(every) if word not in course_files and not word.startswith(".github/")]
    starts_alike = all(not needs_shell(run) and shlex.split(run)[: len(program)] == [*program] for run in runs)
    needed = set(find_paths([*build, shlex.join(program)] if starts_alike else build))
    required = [path for path in paths if path in needed and path.endswith(SOURCE_ENDINGS)]
    optional = [path for path in paths if path not in required and (path.endswith(SOURCE_ENDINGS) or "/" in path)]
    folders = [f"{(one or module).strip('/')}/*" for line in every for one, module in _FOLDER.findall(line)]
    return {"required": required, "optional": list(dict.fromkeys([*optional, *folders]))}


def _products(build: Sequence[str]) -> Sequence[str]:
    """Return the files of the build that cases need; all of them when that cannot be determined."""
    found: list[str] = []
    for line in build:
        named = re.search(r"\s-o\s*(?:\./)?([\w.+/-]+)", line)
        if first_word(line) == "javac":
            found.append("*.class")
        elif named:
            found.append(named[1])
        else:
            return ["*"]
    return list(dict.fromkeys(found))


def find_paths(lines: Iterable[str]) -> Iterator[str]:
    """Yield the paths and globs that command lines name, each once."""
    words = (word.removeprefix("./") for line in lines for word in _WORD.findall(line))
    yield from dict.fromkeys(word for word in words if _PATH.fullmatch(word))


# ---------------------------------------------------------------- what a line is

COMPILERS = {  # program -> the language, where it tells that
    **dict.fromkeys(("gcc", "clang", "cc"), "c"),
    **dict.fromkeys(("g++", "clang++", "c++"), "cpp"),
    "javac": "java",
    "make": "",
    "cmake": "",
}
INTERPRETERS = {
    "java": "java",
    "python": "python",
    "python3": "python",
    "swipl": "prolog",
    "node": "javascript",
    "sh": "shell",
}
SOURCE_ENDINGS = (".py", ".java", ".c", ".cpp", ".cc", ".pl", ".js", ".sh")
# what starts a program: with a file or an option, also within quotes as in `sh -c "python a.py"`, or as a command
_PYTHON = re.compile(
    r"""(?m)(?<![\w./-])python(?=\s+(?:-|[<$"']|[\w./*-]+\.py\b))|(?:^\s*[@-]*|[|&;(`]\s*)python(?=[\s;&|)`]|$)"""
)
# what a shell does more with than pass it on
_SHELL = re.compile(r"[|&;<>()$`\\*?\[\]#~%{}!\n]|^\s*\w+=|^\s*(?:cd|test|export|ulimit|source)\b")


def find_language(build: Iterable[str], words: Iterable[str], *others: str | None) -> str:
    """Return the language that the lines of a build tell, else words that start a program, else one of the others."""
    known = (*(COMPILERS.get(first_word(line)) for line in build), *map(INTERPRETERS.get, words), *others)
    return next(filter(None, known), "shell")


def first_word(line: str) -> str:
    """Return the first word of a command line; empty when there is none."""
    return line.split(maxsplit=1)[0] if line.split() else ""


def needs_shell(line: str) -> bool:
    """Whether a command line is more than plain words."""
    try:
        return bool(_SHELL.search(line)) or not shlex.split(line)
    except ValueError:  # a quote that is not closed
        return True


def with_python3(line: str) -> str:
    """Return command lines that start `python3` wherever they start `python`, which Debian does not have."""
    return _PYTHON.sub(r"\g<0>3", line)


def with_python3_in_file(name: str, content: bytes) -> bytes:
    """Return a script, a Makefile or a program in Python that starts `python3` wherever it started `python`."""
    base = name.rpartition("/")[2]
    is_shell = base.endswith((".sh", ".bash", ".bats")) or content.startswith((b"#!/bin/sh", b"#!/bin/bash"))
    if not is_shell and base not in {"Makefile", "makefile", "GNUmakefile"} and not base.endswith((".py", ".mk")):
        return content
    text = content.decode(errors="surrogateescape")
    text = re.sub(r"\A(#!.*\bpython)(?=\s)", r"\g<1>3", text)
    if base.endswith(".py"):  # such as subprocess.run(["python", "add.py"])
        text = re.sub(r"""(?<=\[)(\s*["'])python(?=["']\s*,)""", r"\g<1>python3", text)
    else:
        text = with_python3(re.sub(r"(?m)^(\s*(?:export\s+)?\w+\s*[:?]?=\s*)python(?=\s*$)", r"\g<1>python3", text))
    return text.encode(errors="surrogateescape")


def common_program(lines: Sequence[str]) -> Sequence[str]:
    """Return the first words that the command lines of an assignment share; `sh -c LINE` when all need a shell."""
    split = [shlex.split(line) for line in lines if not needs_shell(line)]
    if not split:
        return ("sh", "-c", lines[0])
    same = [words for words in split if words[0] == split[0][0]]
    common = [column[0] for column in zip(*same, strict=False) if len(set(column)) == 1]
    count = next((place for place, word in enumerate(common) if word != same[0][place]), len(common))
    least = 2 if common[0] in INTERPRETERS else 1
    return common[:count] if count >= least else split[0]
