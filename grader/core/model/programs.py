"""Programs of the course's own: how one is made and started, by the ending of its file."""

from collections.abc import Collection, Mapping
from pathlib import PurePosixPath

from msgspec import Struct, field


class ProgramKind(Struct, frozen=True, kw_only=True):
    """What is done with a file that is a program."""

    language: str
    start: tuple[str, ...]  # the command; `{file}` stands for the file and `{name}` for that without its ending
    build: tuple[str, ...] = ()


MADE_PROGRAM = ".course-program"  # what a compiler of machine code makes of a program of the course's
_C = ProgramKind(language="c", build=("gcc", "-O2", "-o", MADE_PROGRAM, "{file}", "-lm"), start=(f"./{MADE_PROGRAM}",))
_CPP = ProgramKind(language="cpp", build=("g++", "-O2", "-o", MADE_PROGRAM, "{file}"), start=(f"./{MADE_PROGRAM}",))
PROGRAM_KINDS: Mapping[str, ProgramKind] = {  # by the endings of files
    ".c": _C,
    ".cpp": _CPP,
    ".cc": _CPP,
    ".java": ProgramKind(language="java", build=("javac", "-d", ".", "{file}"), start=("java", "{name}")),
    ".py": ProgramKind(language="python", start=("python3", "{file}")),
    ".sh": ProgramKind(language="shell", start=("sh", "{file}")),
    ".pl": ProgramKind(language="prolog", start=("swipl", "{file}")),
}
INTERACTOR_STARTS: Mapping[str, tuple[str, ...]] = {  # by endings; without buffers where that can be had
    ".py": ("python3", "-u"),
    ".sh": ("sh",),
    ".java": ("java", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"),
}
INTERACTOR_COMPILED = (".c", ".cpp", ".cc")  # the endings of interactors of which a program is made


class ReferenceWork(Struct, frozen=True, kw_only=True):
    """A reference that lies in its folder as a submission does in its own, and may have to be built there."""

    language: str
    folder: str
    files: tuple[str, ...] = ()
    build: tuple[tuple[str, ...], ...] = ()
    beside: Mapping[str, bytes] = field(default_factory=dict)
    is_like_submissions: bool = False  # whether a case's own `command` starts it as it does a submission


def match_program(command: tuple[str, ...], names: Collection[str]) -> str | None:
    """Return which of the `names` of programs a command starts: `unique` for `python3 unique.py`; None for no one."""
    for word in (part for one in command for part in one.split()):  # one may be a command itself, as that of `sh -c`
        path = PurePosixPath(word)
        if found := next((name for name in (word, path.name, path.stem) if name in names), None):
            return found
    return None


def own_words(command: tuple[str, ...]) -> set[str]:
    """Return the words that may name a program, the same with other options: `sum.py` of `python3 -O sum.py`."""
    words = [word for place, word in enumerate(command) if not word.startswith("-") and (place or "/" in word)]
    return {name for word in words if (name := PurePosixPath(word).name)}
