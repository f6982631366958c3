"""Options, exit codes, printing and interruption, shared by all commands."""

import os
import signal
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from threading import Event
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from grader.core.errors import UsageError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem
    from rich.console import Console

    from grader.core.model.spec import Spec

_REQUEST_THAT_WAITS = 2  # the number of the request to stop (Ctrl-C) that only prints a message

_IGNORED_BY_PYTHON = {signal.SIGPIPE, signal.SIGXFSZ}  # which it resets in whatever it starts

PASSED, LOST, UNGRADED = 0, 1, 3  # exit codes, in addition to 2 for wrong usage and 130 for an interruption

spec_option = click.option(
    "--spec", "spec_name", metavar="FILE", type=click.Path(), help="The assignment: a spec's path or its id."
)
out_option = click.option(
    "--out", metavar="DIR", type=click.Path(path_type=Path), help="Where reports go. [reports/<spec-id>]"
)
jobs_option = click.option("--jobs", metavar="N", type=click.IntRange(1), help="Submissions at a time. [the cores]")
sandbox_option = click.option(
    "--sandbox",
    metavar="LEVEL",
    default="auto",
    show_default=True,
    help="auto, full, container, or none.",
    shell_complete=lambda _context, _param, incomplete: [
        level for level in ("auto", "full", "container", "none") if level.startswith(incomplete)
    ],
)
budget_option = click.option(
    "--budget",
    "work_seconds",
    metavar="SECONDS",
    type=click.FloatRange(min=1),
    help="How long all builds and runs of a submission may take together; the rest is ungraded. [by its limits]",
)
after_due_option = click.option("--after-due", is_flag=True, help="Show tests that are hidden until the due date.")
format_option = click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True, help="Output."
)


class Language(click.ParamType[str]):
    """A choice of the languages, including the course's own; looked up only when needed, as reading them takes time."""

    name = "language"

    @cached_property
    def _choice(self) -> click.Choice[str]:
        from grader.core.model.toolchain import LANGUAGES
        from grader.core.reader.locate import root_at
        from grader.core.reader.toolchains import languages_of_course

        return click.Choice(tuple(dict.fromkeys([*LANGUAGES, *languages_of_course(root_at(Path.cwd()))])))

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the language; fails for any other word."""
        return self._choice.convert(value, param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> "list[CompletionItem]":
        """Return the languages that begin with the typed text."""
        return self._choice.shell_complete(ctx, param, incomplete)


class Platform(click.ParamType[str]):
    """A choice of the platforms from which classes are downloaded; looked up only when needed."""

    name = "platform"

    @cached_property
    def _choice(self) -> click.Choice[str]:
        from grader.people.names import PLATFORMS

        return click.Choice(tuple(PLATFORMS), case_sensitive=False)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the platform; fails for any other word, with all of them."""
        from grader.people.names import PLATFORMS

        return PLATFORMS[self._choice.convert(value, param, ctx)]

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> "list[CompletionItem]":
        """Return the platforms that begin with the typed text."""
        return self._choice.shell_complete(ctx, param, incomplete)


def cores() -> int:
    """Return the number of processor cores that this process may use."""
    return len(os.sched_getaffinity(0))


def console(*, err: bool = False) -> "Console":
    """Return a console for people: colours only on a terminal, and no markup, as students' text is printed too."""
    from rich.console import Console

    return Console(highlight=False, soft_wrap=False, markup=False, emoji=False, stderr=err)


def spec_file(name: str) -> Path:
    """Return the spec with this path or this id; raises UsageError when there is none."""
    from grader.core.reader.locate import find_spec

    return find_spec(name, (), Path.cwd())


def check_tests(spec: "Spec", names: Iterable[str]) -> None:
    """Raise UsageError unless the spec has tests of these names."""
    known = [test.name for test in spec.tests]
    for name in names:
        if name not in known:
            raise UsageError(f"there is no test {name!r} in {spec.id}; its tests are: {', '.join(known)}")


def describe_spec(spec: Path, named: str | None) -> None:
    """Print which spec was found, unless this very path was given."""
    from grader.core.text import inert, one_line

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
