"""`grader watch`: a submission that is graded again on every save."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli import shared

if TYPE_CHECKING:
    from rich.console import Console

    from grader.author.watch import Round
    from grader.model import Report, ReportedTest

_SAVED_NAMES = 6
"""names of files that are written out before "and 2 more\""""


@click.command()
@click.argument("submission", metavar="SUBMISSION")
@shared.spec_option
@shared.sandbox_option
@shared.after_due_option
def watch(submission: str, spec_name: str | None, sandbox: str, after_due: bool) -> int:
    """Grade a submission again whenever it is saved, the tests that failed first.

    SUBMISSION is a folder, or a zip or tar.gz archive. It tells what passes and what fails since the last time, then
    what is wrong. The spec, and the files that it names, are watched as well. Writes no report; Ctrl-C ends it, with
    exit code 0.
    """
    from grader.author.watch import grade_on_save
    from grader.load import find_spec
    from grader.model import Job, Submission

    path = shared.named(submission)
    shared.check_submission(path)
    spec = find_spec(spec_name, path, Path.cwd())
    job = Job(spec=spec, submission=Submission(id=shared.student(path), path=path), sandbox=sandbox)
    screen = _Screen(shared.console(), after_due=after_due)
    with shared.stopping():
        try:
            for found in grade_on_save(job, begin=screen.begin, tell=screen.tell, workers=shared.cores()):
                screen.show(found)
        except KeyboardInterrupt:
            return shared.PASSED  # there is no other way to end it
    return shared.PASSED


class _Screen:
    """What is shown: each grading from a clear screen when it is a terminal, else one after the other."""

    def __init__(self, console: "Console", *, after_due: bool) -> None:
        self.console = console
        self.after_due = after_due
        self.before: Report | None = None

    def begin(self, saved: Sequence[str]) -> None:
        """Say what was saved."""
        from grader.text import listed

        if self.console.is_terminal:
            self.console.clear()
        if saved:
            names = list(dict.fromkeys(Path(name).name for name in saved))
            self._print(f"Saved: {listed(names, most=_SAVED_NAMES)}", "dim")

    def tell(self, result: "ReportedTest") -> None:
        """Show a test that failed the last time, or fails now, as soon as it is done; the former are the first."""
        from grader.author.watch import failed_tests
        from grader.model import Verdict
        from grader.report.terminal import line_of_test

        fails_now = self.before is not None and result.verdict != Verdict.PASSED
        if fails_now or result.name in failed_tests(self.before):
            self.console.print(line_of_test(result, after_due=self.after_due))

    def show(self, found: "Round") -> None:
        """Show what changed and what is wrong, or why nobody knows."""
        from grader.report.terminal import to_renderable_changes

        if found.report is None:
            self._print(found.problem, "red")
        else:
            self.console.print(to_renderable_changes(found.report, self.before, after_due=self.after_due))
            self.before = found.report
        self._print(f"{found.seconds:.1f} s. Watching; Ctrl-C ends it.", "dim")

    def _print(self, text: str, style: str) -> None:
        from grader.text import inert, show

        for line in show(text).splitlines():
            self.console.print(inert(line, anywhere=True), style=style, soft_wrap=True)
