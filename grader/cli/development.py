"""Grade while a program is being written: `grader watch` on every save, `grader pytest` as tests of pytest."""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib.util import find_spec as find_module
from pathlib import Path
from typing import NamedTuple

import click

from grader.cli import lazy, shared
from grader.cli.shared import option
from grader.core.errors import HostError
from grader.core.text import inert, listed, show


class WatchCommand(NamedTuple):
    """Grade a submission again whenever it is saved, the tests that failed first.

    SUBMISSION is a folder, or a zip or tar.gz archive. It shows which tests pass and fail since the last time, then
    what is wrong. The spec, and the files that it names, are watched as well. Writes no report; Ctrl-C ends it, with
    exit code 0.
    """

    submission: str = shared.argument("SUBMISSION", type=click.Path())
    spec: str | None = shared.spec_option
    sandbox: str = shared.sandbox_option
    after_due: bool = shared.after_due_option

    def _run(self) -> None:
        from grader.cli.submissions import submission_at

        handed_in = submission_at(self.submission)
        spec = shared.find_spec(self.spec, handed_in.path)
        job, screen = lazy.report.Job(spec=spec, submission=handed_in, sandbox=self.sandbox), _Screen(spec, self)
        with shared.stopping(), suppress(KeyboardInterrupt):  # the normal way to end it
            for latest in lazy.watch.grade_on_save(job, screen.begin, screen.report, workers=shared.cores()):
                screen.show(latest)


class _Screen:
    """Shows each grading: on a cleared screen if it is a terminal, else one after the other."""

    def __init__(self, spec: Path, options: WatchCommand) -> None:
        self.console, self.spec, self.options = shared.console(), spec, options
        self.before: lazy.report.Report | None = None
        self.saved: Sequence[str] = ()

    def begin(self, saved: Sequence[str]) -> None:
        """Print the names of the saved files."""
        self.saved = saved
        if self.console.is_terminal:
            self.console.clear()
        if self.console.is_terminal or not saved:
            shared.describe_spec(self.spec, self.options.spec)
        if saved:
            self._print(f"Saved: {listed([*dict.fromkeys(Path(name).name for name in saved)], most=6)}", "dim")

    def report(self, result: "lazy.report.ReportedTest") -> None:
        """Show a test that failed the last time, or fails now, as soon as it ends; the former run first.

        Where nothing is cleared, `show` prints those that fail: they are left to it.
        """
        fails_now = self.before is not None and result.verdict != lazy.report.Verdict.PASSED
        is_mended = not fails_now and result.name in lazy.watch.failed_tests(self.before)
        if is_mended or (fails_now and self.console.is_terminal):
            self.console.print(lazy.plain.line_of_test(result, after_due=self.options.after_due))

    def show(self, latest: "lazy.watch.Round") -> None:
        """Show what changed and what is wrong, or why the grading failed."""
        if self.console.is_terminal:  # what was shown while it ran is in what follows
            self.begin(self.saved)
        if latest.report is None:
            self._print(latest.problem, "red")
        else:
            after_due = self.options.after_due
            self.console.print(*lazy.plain.to_renderable_changes(latest.report, self.before, after_due=after_due))
            self.before = latest.report
        self._print(f"{latest.seconds:.1f} s. Watching; Ctrl-C ends it.", "dim")

    def _print(self, text: str, style: str) -> None:
        for line in show(text).splitlines():
            self.console.print(inert(line, anywhere=True), style=style, soft_wrap=True)


class PytestCommand(NamedTuple):
    """Run a spec as tests of pytest: each case of a submission an item.

    pytest gets its options from this command line alone: it reads no configuration file, no conftest.py, and nothing
    of the submission. Options that are not listed here are pytest's, as -k, -n or --junitxml=FILE.
    """

    spec: str = shared.spec_argument
    submission: str = option("PATH", "Grade this folder, zip or tar.gz.", required=True)
    sandbox: str = shared.sandbox_option
    after_due: bool = shared.after_due_option
    others: tuple[str, ...] = shared.argument("[-- PYTEST OPTIONS]", type=click.UNPROCESSED)

    def _run(self) -> int:
        if find_module("pytest") is None:
            raise HostError(f"pytest is missing; install it beside grader: {sys.executable} -m pip install pytest")
        path = Path(self.submission)
        lazy.staging.check_path(path)
        name, separator, item = self.spec.partition("::")
        spec = shared.find_spec(name, path)
        root = lazy.value.root_of_spec(spec)
        command = [
            *(sys.executable, "-P", "-m", "pytest", "-c", os.devnull, f"--rootdir={root}", f"--confcutdir={root}"),
            *("--noconftest", "-p", "grader", "-p", "no:cacheprovider"),
            *(f"--submission={path}", f"--grader-sandbox={self.sandbox}"),
            *(["--grader-after-due"] if self.after_due else []),
            *(*self.others, "--", f"{spec}{separator}{item}"),
        ]
        sys.stdout.flush()
        # Nothing is left to do here, and workers of pytest then have the same clean search path for modules.
        os.execve(sys.executable, command, {**os.environ, "PYTHONSAFEPATH": "1"})  # noqa: S606 - that is the point
