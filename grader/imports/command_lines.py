"""Command lines of other graders: which are the program of the assignment, which compile, and which need a shell."""

import re
import shlex
from collections.abc import Sequence

COMPILERS = {
    **dict.fromkeys(("gcc", "clang", "cc"), "c"),
    **dict.fromkeys(("g++", "clang++", "c++"), "cpp"),
    "javac": "java",
    "make": "",
    "cmake": "",
}
"""program -> the language, where it tells that"""
INTERPRETERS = {
    "java": "java",
    "python": "python",
    "python3": "python",
    "swipl": "prolog",
    "node": "javascript",
    "sh": "shell",
}
SOURCE_ENDINGS = (".py", ".java", ".c", ".cpp", ".cc", ".pl", ".js", ".sh")
_PYTHON = re.compile(
    r"""(?m)(?<![\w./-])python(?=\s+(?:-|[<$"']|[\w./*-]+\.py\b))|(?:^\s*[@-]*|[|&;(`]\s*)python(?=[\s;&|)`]|$)"""
)
"""what starts a program: with a file or an option, also within quotes as in `sh -c "python a.py"`, or as a command"""
_SHELL = re.compile(r"[|&;<>()$`\\*?\[\]#~%{}!\n]|^\s*\w+=|^\s*(?:cd|test|export|ulimit|source)\b")
"""what a shell does more with than pass it on"""


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
