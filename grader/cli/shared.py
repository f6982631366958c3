"""What the commands share: their options, exit codes, the way to print, and the way to stop."""

import os
import signal
from collections.abc import Iterable, Iterator, Sequence
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

    from grader.core.model import Spec

_WAITS = 2
"""which Ctrl-C is told to wait"""

PASSED, LOST, UNGRADED = 0, 1, 3
"""exit codes, beside the 2 of a wrong usage and the 130 of an interruption"""

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
    shell_complete=lambda _context, _param, begun: [
        level for level in ("auto", "full", "container", "none") if level.startswith(begun)
    ],
)
after_due_option = click.option("--after-due", is_flag=True, help="Show tests that are hidden until the due date.")
format_option = click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True, help="Output."
)


class Language(click.ParamType[str]):
    """A choice of the languages, which are looked up when it is asked for: the help of all commands does not.

    Those of the course at hand are among them.
    """

    name = "language"

    @cached_property
    def _choice(self) -> click.Choice[str]:
        from grader.core.model import LANGUAGES
        from grader.core.reader import languages_of_course, root_at

        return click.Choice(tuple(dict.fromkeys([*LANGUAGES, *languages_of_course(root_at(Path.cwd()))])))

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the language; fails for any other word."""
        return self._choice.convert(value, param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> "list[CompletionItem]":
        """Return those that begin so."""
        return self._choice.shell_complete(ctx, param, incomplete)


def cores() -> int:
    """Return how many programs this machine runs at a time, and this process may."""
    return len(os.sched_getaffinity(0))


def console(*, err: bool = False) -> "Console":
    """Return what prints text for people: colours only on a terminal, no markup of its own in what students wrote."""
    from rich.console import Console

    return Console(highlight=False, soft_wrap=False, markup=False, emoji=False, stderr=err)


def spec_file(name: str) -> Path:
    """Return the spec with this path or this id; UsageError when there is none."""
    from grader.core.reader import find_named

    return Path(name) if Path(name).exists() else find_named(name, Path.cwd())


def check_tests(spec: "Spec", names: Iterable[str]) -> None:
    """Raise UsageError unless the spec has tests of these names."""
    known = [test.name for test in spec.tests]
    for name in names:
        if name not in known:
            raise UsageError(f"there is no test {name!r} in {spec.id}; its tests are: {', '.join(known)}")


def describe_spec(spec: Path, named: str | None) -> None:
    """Say which spec was found, unless this very path was named."""
    from grader.core.text import inert, one_line

    if str(spec) != named:
        click.echo(inert(f"Spec: {one_line(os.path.relpath(spec))}"))


def report_folder(named: Path | None, spec_id: str, handed_in: Sequence[Path]) -> Path:
    """Return where reports go; UsageError for a place in what was handed in, where links could lead them astray."""
    folder = named or Path("reports") / spec_id
    for path in handed_in:
        real = Path(os.path.realpath(path))
        if Path(os.path.realpath(folder)).is_relative_to(real):
            better = Path(os.path.relpath(real.parent)) / "reports" / spec_id
            raise UsageError(f"reports may not lie in what was handed in ({folder}); choose another, --out {better}")
    return folder


@contextmanager
def stopping() -> Iterator[Event]:
    """Let a request to terminate end the work as Ctrl-C does: the running programs with it.

    What has to be written then is written, so that the second such request waits; the third ends all at once.
    """
    cancelled = Event()
    requests = 0

    def stop(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - what a handler is called with
        nonlocal requests
        requests += 1
        cancelled.set()
        if requests == _WAITS:
            os.write(2, b"grader: stopping already; once more ends it at once, and files may be missing then\n")
            return
        raise KeyboardInterrupt

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        yield cancelled
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
