"""Options, exit codes, printing and interruption, shared by all commands."""

import os
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Event
from types import FrameType
from typing import TYPE_CHECKING, Any, get_args

import click

from grader.cli import lazy
from grader.core.errors import UsageError
from grader.core.text import inert, one_line, to_bytes

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_REQUEST_THAT_WAITS = 2  # the number of the request to stop (Ctrl-C) that only prints a message
_IGNORED_BY_PYTHON = {signal.SIGPIPE, signal.SIGXFSZ}  # which it resets in whatever it starts

STANDARD_OUTPUT = Path("-")  # what names it in place of a file
PASSED, LOST, UNGRADED = 0, 1, 3  # exit codes, in addition to 2 for wrong usage and 130 for an interruption


def cores() -> int:
    """Return the number of processor cores that this process may use."""
    return len(os.sched_getaffinity(0))


def argument(metavar: str, **settings: Any) -> Any:
    """Declare an argument of a command, as the default of a field; one in brackets may be missing."""
    given = {"metavar": metavar, "required": not metavar.startswith("["), **settings}
    return lambda field, kind: click.Argument([field], **_settings_of(kind, nargs=-1) | given)


def option(metavar: str | None, about: str, *names: str, **settings: Any) -> Any:
    """Declare an option, as the default of a field; without `names` it is called as the field is."""
    given = {"metavar": metavar, "help": about, **settings}
    own = names or ("",)
    return lambda field, kind: click.Option(
        [field, *(name or f"--{field.replace('_', '-')}" for name in own)], **_settings_of(kind, multiple=True) | given
    )


def _settings_of(kind: Any, **many: object) -> dict[str, Any]:
    """Return the settings of a parameter that the type of its field has; `many` are those for any number of values."""
    types = get_args(kind) or (kind,)
    own = {Path: click.Path(path_type=Path), int: click.INT, float: click.FLOAT}.get(types[0])
    return {"type": own, **(many if ... in types else {})}


flag = partial(option, None, is_flag=True)  # declares an option without a value
jobs = partial(option, "N", type=click.IntRange(1), default=cores)  # declares how many run at a time


def output_option(*forms: str, about: str = "Output.") -> Any:
    """Declare the option for the form of the output, of which the first is usual."""
    return option(None, about, "--format", type=click.Choice(forms), default=forms[0], show_default=True)


def completing(*words: str) -> "Callable[[click.Context, click.Parameter, str], list[str]]":
    """Return what offers a shell these words, for a value that may be another."""
    return lambda _context, _param, typed: [word for word in words if word.startswith(typed)]


class LazyChoice(click.ParamType):  # type: ignore[type-arg]  # in click before 8.4 it takes none
    """A choice of words that are looked up only when they are needed: that takes time."""

    def __init__(self, name: str, find: Callable[[], Mapping[str, str]]) -> None:
        """Know how the words are found: what may be typed -> what it means."""
        self.name, self._find = name, find

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return what the word means; fails for any other, with all of them."""
        words = self._find()
        return words[click.Choice(tuple(words), case_sensitive=False).convert(value, param, ctx)]

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> "list[CompletionItem]":
        """Return the words that begin with the typed text."""
        return click.Choice(tuple(self._find())).shell_complete(ctx, param, incomplete)


def _languages() -> dict[str, str]:
    from grader.core.model.spec import LANGUAGES
    from grader.core.reader.files import languages_of_course
    from grader.core.reader.locate import root_at

    return {name: name for name in (*LANGUAGES, *languages_of_course(root_at(Path.cwd())))}


LANGUAGE = LazyChoice("language", _languages)


spec_argument = argument("SPEC", type=click.Path())
spec_option = option("FILE", "The assignment: a spec's path or its id.", "--spec", type=click.Path())
out_option = option("DIR", "Where reports go. [reports/<spec-id>]", "--out")
jobs_option = jobs("How many run at a time. [the cores]", "--jobs")
_levels = completing("auto", "full", "container", "none")
sandbox_option = option(
    "LEVEL", "auto, full, container, or none.", default="auto", show_default=True, shell_complete=_levels
)
budget_option = option(
    "SECONDS",
    "How long all builds and runs of a submission may take together; the rest is ungraded. [by its limits]",
    type=click.FloatRange(min=1),
)
after_due_option = flag("Show tests that are hidden until the due date.", "--after-due")
format_option = output_option("text", "json")


def console() -> "lazy.Console":
    """Return a console for people: colours only on a terminal, and no markup, as students' text is printed too."""
    from rich.console import Console

    width = 80 if os.environ.get("COLUMNS") == "0" else None  # in 0 columns it would print nothing
    return Console(highlight=False, soft_wrap=False, markup=False, emoji=False, width=width)


def echo(*lines: str, err: bool = False) -> None:
    """Print lines in which nothing may command a terminal or a CI system."""
    for line in lines:
        click.echo(inert(line, anywhere=True), err=err)


def find_spec(named: str | None, *submissions: Path, among: Path | None = None) -> Path:
    """Return the spec of submissions, or with this path or id; raises UsageError where that is none or not clear."""
    path = lazy.locate.find_spec(named, submissions, Path.cwd(), among=among)
    is_found_here = str(path) != named and path.is_relative_to(Path.cwd())
    return path.relative_to(Path.cwd()) if is_found_here else path  # a link in it stays


def deliver(data: bytes | str, out: Path | None, what: str = "the report", mode: int = 0o600) -> None:
    """Write to a file, or to standard output for `-` and None. UsageError for no plain file, HostError with `what`."""
    if out in {None, STANDARD_OUTPUT}:
        click.echo(data, nl=False)
        return
    if out.is_symlink() or (out.exists() and not out.is_file()):  # devices and links are not replaced
        kind = "a link" if out.is_symlink() else "a folder" if out.is_dir() else "no plain file"
        raise UsageError(f"{one_line(str(out))} is {kind}: name a file with --out, or - for standard output")
    lazy.json.write_files({out.name: to_bytes(data)}, out.parent.resolve(), what, mode)


def check_tests(spec: "lazy.Spec", names: Iterable[str]) -> None:
    """Raise UsageError unless the spec has tests of these names."""
    known = [test.name for test in spec.tests]
    for name in names:
        if name not in known:
            raise UsageError(f"there is no test {name!r} in {spec.id}; its tests are: {', '.join(known)}")


def describe_spec(spec: Path, named: str | None) -> None:
    """Print which spec was found, unless this very path was given."""
    if str(spec) != named:
        click.echo(inert(f"Spec: {one_line(os.path.relpath(spec))}"))


def reset_signals() -> None:
    """Block no signal and ignore none, whatever the process that started us did: a student's program takes that over.

    What was ignored still does nothing here. The kernel reports no end of a process whose parent ignores SIGCHLD.
    """
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    for number in signal.valid_signals() - _IGNORED_BY_PYTHON:
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL if number == signal.SIGCHLD else _do_nothing)


def _do_nothing(number: int, frame: FrameType | None) -> None:
    """Handle a signal that this process ignores; what it starts has the default again (execve(2))."""


@contextmanager
def prepared(spec: Path, sandbox: str, workers: int) -> "Iterator[lazy.pipeline.Course]":
    """Prepare a spec, which is stopped by signals."""
    with stopping() as cancelled:
        yield lazy.pipeline.prepare(spec, sandbox=sandbox, workers=workers, cancelled=cancelled)


def report_interruption() -> None:
    """Say that the command was interrupted; one more Ctrl-C then ends it without a traceback of what it interrupts."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    click.echo("grader: interrupted; what was finished is kept", err=True)
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def stopping() -> Iterator[Event]:
    """Handle signals to terminate like Ctrl-C: stop the work and kill the running programs.

    A hang-up that `nohup` has this process ignore stops nothing. Results are still written then, so the second request
    only prints a message; the third ends the process at once.
    """
    cancelled = Event()
    requests = 0

    def stop(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - what a handler is called with
        nonlocal requests
        requests += 1
        cancelled.set()
        if requests == _REQUEST_THAT_WAITS:
            os.write(2, b"grader: stopping already; once more ends it at once, and files may be missing then\n")
            return
        raise KeyboardInterrupt

    is_immune = signal.getsignal(signal.SIGHUP) is _do_nothing
    requesting = (signal.SIGINT, signal.SIGTERM, *(() if is_immune else (signal.SIGHUP,)))
    before = {number: signal.signal(number, stop) for number in requesting}
    try:
        yield cancelled
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_IGN if requests else handler)  # until `report_interruption`
