"""Command lines of other graders: which are the program of the assignment, which compile, and which need a shell."""

import re
import shlex
from collections.abc import Sequence

COMPILERS = {
    **dict.fromkeys(("gcc", "clang", "cc"), "c"),
    **dict.fromkeys(("g++", "clang++", "c++"), "cpp"),
    "javac": "java",
    "make": "",
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
