"""`grader lint`: mistakes in specs, before anybody is graded."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli import shared
from grader.errors import SpecError

if TYPE_CHECKING:
    from grader.lint.examination import Examination, Remark


@click.command()
@click.argument("specs", nargs=-1, required=True, metavar="SPEC...", type=click.Path(path_type=Path))
@click.option("--strict", is_flag=True, help="Warnings count as errors do.")
@click.option("--no-run", is_flag=True, help="Run nothing of the course: leave out what needs the reference.")
@click.option("--ignore", metavar="RULE", multiple=True, help="A rule to leave out (may be repeated).")
@shared.sandbox_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "sarif"]),
    default="text",
    show_default=True,
    help="Output; sarif is for code scanning.",
)
def lint(specs: tuple[Path, ...], strict: bool, no_run: bool, ignore: tuple[str, ...], sandbox: str, form: str) -> int:
    """Check specs: every mistake at once, with its line and column, and what is probably not meant.

    The reference is run in the sandbox to see whether it does what the spec expects. Exit code 2 is for errors, and
    with --strict for warnings as well.
    """
    from grader.lint.examination import asking, examine
    from grader.lint.formats import remarks_to_json, remarks_to_sarif

    _check_rules(ignore)
    paths = [shared.spec_file(str(name)) for name in specs]
    ask = None if no_run else asking(sandbox, shared.cores())
    examinations: list[Examination] = []
    for path in paths:
        examinations.append(_without_rules(examine(path, ask), ignore))
        if form == "text":
            _print_remarks(examinations[-1], is_asked=no_run)
    if form == "json":
        click.echo(remarks_to_json(examinations))
    elif form == "sarif":
        click.echo(remarks_to_sarif(examinations, Path.cwd()))
    elif len(examinations) > 1:
        remarks = [remark for examination in examinations for remark in examination.remarks]
        click.echo(f"{len(paths)} specs: {_counted(remarks)}")
    counts = {"error", "warning"} if strict else {"error"}
    wrong = any(remark.level in counts for examination in examinations for remark in examination.remarks)
    return SpecError.exit_code if wrong else shared.PASSED


def _check_rules(names: Sequence[str]) -> None:
    from grader.errors import UsageError
    from grader.lint.examination import RULES

    for name in names:
        if name not in RULES:
            raise UsageError(f"there is no rule {name!r} that could be left out; there are: {', '.join(RULES)}")


def _without_rules(examination: "Examination", ignored: Sequence[str]) -> "Examination":
    from dataclasses import replace

    kept = tuple(remark for remark in examination.remarks if remark.rule not in ignored)
    unchecked = {name: why for name, why in examination.unchecked.items() if name not in ignored}
    return replace(examination, remarks=kept, unchecked=unchecked)


def _print_remarks(examination: "Examination", *, is_asked: bool) -> None:
    """Print remarks as compilers do, and below them what was looked at."""
    from grader.text import points

    for remark in examination.remarks:
        click.echo(str(remark), err=True)
    reasons = {} if is_asked else examination.unchecked
    for why in dict.fromkeys(reasons.values()):
        names = ", ".join(name for name, reason in reasons.items() if reason == why)
        click.echo(f"{examination.file}: not checked: {names} ({why})", err=True)
    spec = examination.spec
    if spec is not None:
        cases = sum(len(test.cases) for test in spec.tests)
        about = f"{len(spec.tests)} tests, {cases} cases, {points(spec.max_score)} points"
        click.echo(f"{examination.file}: {about}: {_counted(examination.remarks)}")


def _counted(remarks: "Sequence[Remark]") -> str:
    from grader.text import count

    levels = [remark.level for remark in remarks]
    numbers = {"error": levels.count("error"), "warning": levels.count("warning")}
    told = [count(number, level) for level, number in numbers.items() if number]
    return ", ".join(told) or "no mistakes"
