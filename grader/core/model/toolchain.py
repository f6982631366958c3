"""What a language needs to build, run and understand its programs, as data."""

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct, field

from grader.core.model.limits import LimitOverrides

_LANGUAGES = """java python c cpp prolog shell javascript typescript go rust csharp kotlin ruby haskell ocaml lua perl
pascal r fortran bash sql
notebook"""
LANGUAGES = tuple(_LANGUAGES.split())  # those of `build/toolchains.yaml`; a course can have others
Permission = Literal["shared-memory", "tracing"]  # System V shared memory; ptrace, also for what finds leaks


class Hello(Struct, frozen=True, kw_only=True):
    """A small program that shows whether a toolchain works: built and run, it prints the word `hello`."""

    files: Mapping[str, str]
    run: tuple[str, ...]
    build: tuple[str, ...] = ()  # none when there is nothing to build


class Toolchain(Struct, frozen=True, kw_only=True):
    """A language of `build/toolchains.yaml`; `OWN_LANGUAGE` in `reader/files.py` says what each key means."""

    name: str
    title: str = ""  # how people call it
    like: str = ""
    version: tuple[str, ...] = ()
    package: str = ""
    show: tuple[str, ...] = ()
    permits: tuple[Permission, ...] = ()
    memory_tool: Literal["valgrind"] | None = None
    hello: Hello | None = None
    interpreter: str = ""
    starters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    env: Mapping[str, str] = field(default_factory=dict)
    limits: LimitOverrides = field(default_factory=dict)
    build_limits: LimitOverrides = field(default_factory=dict)
    reserves: int = 0
    build_env: Mapping[str, str] = field(default_factory=dict)
    start: tuple[str, ...] = ()
    start_short: tuple[str, ...] = ()
    short: float = 0.0
    crash: tuple[str, ...] = ()
    unreadable: tuple[str, ...] = ()
    crash_by_name: tuple[str, ...] = ()
    names_program: tuple[str, ...] = ()
    uncaught: tuple[str, ...] = ()
    load_errors: tuple[str, ...] = ()
    crash_status: tuple[int, ...] = ()
    cannot_start: tuple[str, ...] = ()
    no_main: tuple[str, ...] = ()
    no_class: tuple[str, ...] = ()
    no_module: tuple[str, ...] = ()
    end_of_input: tuple[str, ...] = ()
    frames: tuple[str, ...] = ()
    frames_inwards: bool = False
    out_of_memory: tuple[str, ...] = ()
    out_of_stack: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    noise: tuple[str, ...] = ()
    template: Mapping[str, Any] = field(default_factory=dict)


class Requirement(Struct, frozen=True, kw_only=True):
    """A requirement of grading: `broken` prevents all grading, `missing` only the grading that needs it."""

    name: str
    state: Literal["ok", "missing", "broken"]
    found: str  # what was found, or what is wrong with it
    remedy: str = ""  # what to do about it; empty when nothing is, or when `found` says so
