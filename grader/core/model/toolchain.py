"""What a language needs to build, run and understand its programs, as data."""

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct, field

from grader.core.model.limits import LimitOverrides


class Hello(Struct, frozen=True, kw_only=True):
    """A small program that shows whether a toolchain works: built and run, it prints the word `hello`."""

    files: Mapping[str, str]
    run: tuple[str, ...]
    build: tuple[str, ...] = ()
    """none when there is nothing to build"""


LANGUAGES = (
    "java",
    "python",
    "c",
    "cpp",
    "prolog",
    "shell",
    "javascript",
    "typescript",
    "go",
    "rust",
    "csharp",
    "kotlin",
    "ruby",
    "haskell",
    "ocaml",
    "lua",
    "perl",
    "pascal",
    "r",
    "fortran",
    "bash",
    "sql",
    "notebook",
)
"""those of `build/toolchains.yaml`; a course can have others"""


Permission = Literal["shared-memory", "tracing"]
"""What a sandbox refuses, unless the language teaches it: System V shared memory; ptrace, also for what finds leaks"""


MemoryTool = Literal["valgrind"]


class Toolchain(Struct, frozen=True, kw_only=True):
    """A language as data: how its programs are started and recognised. Read from `build/toolchains.yaml`."""

    name: str
    title: str = ""
    """how people write it, where that is not the name with a capital letter: `C#`"""
    like: str = ""
    """another language, from which it inherits every key that it does not set"""
    version: tuple[str, ...] = ()
    """the command that prints the version; its first line of output is shown"""
    package: str = ""
    """the Debian package to install when it is missing"""
    show: tuple[str, ...] = ()
    """what a sandbox has to show of the machine besides /usr: absolute paths, or globs"""
    permits: tuple[Permission, ...] = ()
    """what its programs may do beyond what a sandbox allows to all"""
    memory_tool: MemoryTool | None = None
    """what can watch how its programs handle memory"""
    hello: Hello | None = None
    interpreter: str = ""
    """the program to which `start` and `start_short` belong"""
    starters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """how a file that is no program by itself is started: its suffix -> what stands before its name"""
    env: Mapping[str, str] = field(default_factory=dict)
    """what its programs have in their environment, unless a case says otherwise"""
    limits: LimitOverrides = field(default_factory=dict)
    build_limits: LimitOverrides = field(default_factory=dict)
    reserves: int = 0
    """bytes that its runtime reserves and does not use; with less than that it may not come up"""
    build_env: Mapping[str, str] = field(default_factory=dict)
    start: tuple[str, ...] = ()
    """options put behind the interpreter's name; `{heap}` and `{stack}` are their shares of the memory, in MiB"""
    start_short: tuple[str, ...] = ()
    """further options for a case with less than `short` seconds of CPU time; they make it faster, and never count"""
    short: float = 0.0
    crash: tuple[str, ...] = ()
    """regular expressions; one that matches standard error is an uncaught exception"""
    unreadable: tuple[str, ...] = ()
    """the same for a program that is not in the language; groups `error`, `file`, `line` and, if given, `source`"""
    crash_by_name: tuple[str, ...] = ()
    """the same as `crash`, with `{program}` for the name of the program that was started"""
    names_program: tuple[str, ...] = ()
    """regular expressions with `{program}`; a source that matches may write such a message itself, so that
    `crash_by_name` is not looked for"""
    uncaught: tuple[str, ...] = ()
    """the same for what shows that nobody caught an exception; none when `crash` is enough for that"""
    load_errors: tuple[str, ...] = ()
    """the same for a program of which only a part could be loaded, where that alone gives the status; groups `error`
    and, if given, `file` and `line`"""
    crash_status: tuple[int, ...] = ()
    """the statuses that an uncaught exception can give; none when it can give any"""
    cannot_start: tuple[str, ...] = ()
    """the same for a program that is not there as it has to be, so that nothing of it ever ran"""
    no_main: tuple[str, ...] = ()
    """the same for a program with nothing to start; group `name` is what lacks it, `flaw`, if given, what is wrong"""
    no_class: tuple[str, ...] = ()
    """the same for a program that is not there under its name; group `name` is that"""
    no_module: tuple[str, ...] = ()
    """the same for a module that a program asks for and that is not there; group `name` is that"""
    end_of_input: tuple[str, ...] = ()
    """the same for an exception that comes of reading more input than there is"""
    frames: tuple[str, ...] = ()
    """the same for the lines of the program that an exception names; groups `file`, without folders, and `line`"""
    frames_inwards: bool = False
    """whether the innermost of these comes last"""
    out_of_memory: tuple[str, ...] = ()
    """the same for memory that ran out"""
    out_of_stack: tuple[str, ...] = ()
    """the same for a stack that did; how deep that is may depend on `start_short`"""
    errors: tuple[str, ...] = ()
    """the same, of a build's log, for an error that its compiler found; groups `error`, `file` and `line`"""
    noise: tuple[str, ...] = ()
    """regular expressions of lines that the toolchain itself adds to a build's log"""
    template: Mapping[str, Any] = field(default_factory=dict)
    """what `grader new` starts from, of a language of the course's own; the others have files in `author/templates/`"""

    @property
    def called(self) -> str:
        """How people call it."""
        return self.title or self.name[:1].upper() + self.name[1:]
