"""`grader watch` grades a submission again on every save."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from grader.cli import shared

if TYPE_CHECKING:
    from grader.author.watch import Round
    from grader.core.model.report import Report, ReportedTest


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

    def _run(self) -> int:
        from grader.author.watch import grade_on_save
        from grader.cli.submissions import submission_at
        from grader.core.model.report import Job
        from grader.core.reader.locate import find_spec

        handed_in = submission_at(self.submission)
        spec = find_spec(self.spec, [handed_in.path], Path.cwd())
        job = Job(spec=spec, submission=handed_in, sandbox=self.sandbox)
        screen = _Screen(spec, self)
        with shared.stopping(), suppress(KeyboardInterrupt):  # the normal way to end it
            for found in grade_on_save(job, begin=screen.begin, tell=screen.report, workers=shared.cores()):
                screen.show(found)
        return shared.PASSED


class _Screen:
    """Shows each grading: on a cleared screen if it is a terminal, else one after the other."""

    def __init__(self, spec: Path, options: WatchCommand) -> None:
        self.console, self.spec, self.options = shared.console(), spec, options
        self.before: Report | None = None
        self.saved: Sequence[str] = ()

    def begin(self, saved: Sequence[str]) -> None:
        """Print the names of the saved files."""
        self.saved = saved
        self._print_heading()

    def _print_heading(self) -> None:
        from grader.core.text import listed

        if self.console.is_terminal:
            self.console.clear()
        if self.console.is_terminal or not self.saved:
            shared.describe_spec(self.spec, self.options.spec)
        if self.saved:
            names = list(dict.fromkeys(Path(name).name for name in self.saved))
            self._print(f"Saved: {listed(names, most=6)}", "dim")

    def report(self, result: "ReportedTest") -> None:
        """Show a test that failed the last time, or fails now, as soon as it ends; the former run first.

        Where nothing is cleared, `show` prints those that fail: they are left to it.
        """
        from grader.author.watch import failed_tests
        from grader.core.model.report import Verdict
        from grader.core.report.plain import line_of_test

        fails_now = self.before is not None and result.verdict != Verdict.PASSED
        if (self.console.is_terminal and fails_now) or (not fails_now and result.name in failed_tests(self.before)):
            self.console.print(line_of_test(result, after_due=self.options.after_due))

    def show(self, found: "Round") -> None:
        """Show what changed and what is wrong, or why the grading failed."""
        from grader.core.report.plain import to_renderable_changes

        if self.console.is_terminal:  # what was shown while it ran is in what follows
            self._print_heading()
        if found.report is None:
            self._print(found.problem, "red")
        else:
            after_due = self.options.after_due
            self.console.print(*to_renderable_changes(found.report, self.before, after_due=after_due))
            self.before = found.report
        self._print(f"{found.seconds:.1f} s. Watching; Ctrl-C ends it.", "dim")

    def _print(self, text: str, style: str) -> None:
        from grader.core.text import inert, show

        for line in show(text).splitlines():
            self.console.print(inert(line, anywhere=True), style=style, soft_wrap=True)
