"""`grader review`: a class in the browser of this machine, until Ctrl-C."""

import os
import tempfile
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from html import escape
from pathlib import Path
from typing import NamedTuple

import click

from grader.cli import shared
from grader.cli.shared import flag, option
from grader.core.text import count, one_line

_LAST_CHANGE_SECONDS = 30


class ReviewCommand(NamedTuple):
    """Look through a class in a browser, and decide by hand.

    RESULTS is a folder that `grader class` wrote; without it, the only one in reports/. Each student's source is shown
    with what was found on its lines. Points, comments on lines and rubric items go into adjustments.yaml at once, as
    `grader adjust` writes them, and onto the students' pages. Nothing is run.

    The pages are for you alone, on this machine: at 127.0.0.1, with a secret in the address. Ctrl-C ends it.
    """

    results: Path | None = shared.argument("[RESULTS]", required=False, type=shared.PATH)
    spec_name: str | None = option("ID", "The assignment, where reports/ has several.", "--spec")
    port: int = option("N", "The port. [any free one]", type=click.IntRange(0, 65535), default=0)
    no_browser: bool = flag("Open no browser: only print the address.")

    def _run(self) -> int:
        from grader.cli.adjust import only_results
        from grader.review.pages import application_of
        from grader.review.reviewed import open_reviewed, read_class
        from grader.review.server import start_server

        name = self.spec_name
        reviewed = open_reviewed(self.results or only_results(name, "grader review RESULTS"), name, Path.cwd())
        number = len(read_class(reviewed).book.grades)
        with (
            shared.stopping(),
            suppress(KeyboardInterrupt),
            start_server(self.port, application_of(reviewed)) as server,
        ):
            address, here = server.guard.address, server.server_port
            click.echo(f"Review of {one_line(reviewed.spec.id)}, {count(number, 'submission')}, for you alone:")
            click.echo(f"  {address}")
            if os.environ.get("SSH_CONNECTION"):
                click.echo(
                    f"On your own machine: ssh -L {here}:127.0.0.1:{here} THIS-MACHINE, and open the address there."
                )
            click.echo("What you decide is written at once. Ctrl-C ends it.")
            with _opened(address, is_wanted=not self.no_browser):
                try:
                    server.serve_forever()
                finally:
                    server.changing.acquire(timeout=_LAST_CHANGE_SECONDS)  # what is being written is written whole
        return shared.PASSED


@contextmanager
def _opened(address: str, *, is_wanted: bool) -> Iterator[None]:
    """Open the address in a browser, if there is a screen.

    Other users see the arguments of a browser, so it gets the name of a file that they cannot read.
    """
    has_screen = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if not is_wanted or not has_screen or os.environ.get("SSH_CONNECTION"):
        yield
        return
    with tempfile.TemporaryDirectory(prefix="grader-review-") as folder:
        page = Path(folder) / "review.html"
        page.touch(mode=0o600)
        page.write_text(f'<!doctype html><meta http-equiv="refresh" content="0; url={escape(address)}">\n')
        with suppress(webbrowser.Error, OSError):
            webbrowser.open(page.as_uri())
        yield
