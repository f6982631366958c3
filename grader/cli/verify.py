"""`grader verify`: whether a spec is right, before students see it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli import shared

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console
    from rich.table import Table

    from grader.verify.trial import Trial
    from grader.verify.verification import Verification

_ALL = "all"


class _Count(click.ParamType[str]):
    """A number, or `all`."""

    name = "N|all"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value != _ALL and not (value.isascii() and value.isdecimal()):
            self.fail(f"{value!r} is neither a number nor {_ALL!r}", param, ctx)
        return value


@click.command()
@click.argument("spec", metavar="SPEC")
@click.option("--mutants", type=_Count(), default="60", show_default=True, help="Source mutants to run.")
@click.option("--samples/--no-samples", default=True, help="Whether to grade all samples. [yes]")
@shared.jobs_option
@shared.sandbox_option
@shared.format_option
def verify(spec: str, mutants: str, samples: bool, jobs: int | None, sandbox: str, form: str) -> int:
    """Verify a spec: its reference, its samples, its mutants, its limits.

    A mutant is a program that is wrong in one way. What changes nothing is left out, what the spec tolerates is
    counted apart, and so is what it marks as equivalent. Exit code 1 when something is not as it should be.
    """
    from grader import pipeline
    from grader.load import find_named
    from grader.verify import telling
    from grader.verify.verification import verify as look

    path = Path(spec) if Path(spec).exists() else find_named(spec, Path.cwd())
    workers = jobs or shared.cores()
    most = None if mutants == _ALL else int(mutants)
    with shared.stopping() as cancelled, _progress() as tell:
        course = pipeline.prepare(path, sandbox=sandbox, workers=workers, cancelled=cancelled)
        found = look(path, course, jobs=workers, most=most, samples=samples, tell=tell)
    if form == "json":
        click.echo(telling.to_json(found))
    else:
        _show(shared.console(), found)
    if found.is_ungraded:
        return shared.UNGRADED
    return shared.PASSED if found.is_right else shared.LOST


@contextmanager
def _progress() -> "Iterator[Callable[[str], None]]":
    """Say on a terminal what is being done."""
    console = shared.console(err=True)
    if not console.is_terminal:
        yield lambda _: None
        return
    with console.status("preparing") as status:
        yield status.update


def _show(console: "Console", found: "Verification") -> None:
    from grader.text import one_line
    from grader.verify.telling import faults, summary

    for held in found.samples:
        if held.differences:
            console.print(f"sample {one_line(held.sample.submission.id)}", style="bold")
            for line in held.differences:
                console.print(f"  {line}", soft_wrap=True)
    if found.trials:
        console.print(_mutants(found))
    console.print(_limits(found))
    for line in [*faults(found), *_notes(found)]:
        console.print(one_line(line, 2000), soft_wrap=True)
    console.print(summary(found), style="bold" if found.is_right else "bold red", soft_wrap=True)


def _notes(found: "Verification") -> Iterator[str]:
    """Say what is no fault, and good to know."""
    if found.untried:
        yield f"{found.untried} further mutants of the source were not run; --mutants all runs them."
    if all(test.visibility == "visible" for test in found.spec.tests):
        yield "Every test is visible: a program with their answers written into it has full marks."


def _mutants(found: "Verification") -> "Table":
    """Return the table of mutants: those that nothing notices first, then the cheapest."""
    from rich.table import Table

    from grader.verify.trial import Outcome

    order = list(Outcome)
    order.remove(Outcome.SURVIVED)
    order.insert(0, Outcome.SURVIVED)
    shown = [trial for trial in found.trials if trial.outcome != Outcome.SAME]
    table = Table("mutant", "outcome", "noticed by", "cost", "named", box=None, pad_edge=False, header_style="bold")
    table.columns[0].overflow = "fold"
    table.columns[3].justify = "right"
    for trial in sorted(shown, key=lambda trial: (order.index(trial.outcome), trial.cost)):
        table.add_row(*_row(trial), style="red" if trial.outcome == Outcome.SURVIVED else "")
    return table


def _row(trial: "Trial") -> tuple[str, str, str, str, str]:
    from grader.text import one_line, points
    from grader.verify.trial import Outcome

    cost = f"{'≥ ' if trial.is_least else ''}{points(trial.cost)}" if trial.cost else ""
    noticed = trial.noticed
    if trial.outcome == Outcome.EQUIVALENT:
        noticed = trial.reason
    elif trial.outcome == Outcome.SURVIVED:
        noticed = trial.mutant.about
    wrong = trial.is_named is False
    named = f"{', '.join(trial.deviations) or trial.verdict}{' (not rightly)' if wrong else ''}"
    return one_line(trial.mutant.name), str(trial.outcome), one_line(noticed), cost, named


def _limits(found: "Verification") -> "Table":
    from rich.table import Table

    table = Table("test", "reference", "sample", "limit", "times", box=None, pad_edge=False, header_style="bold")
    for column in table.columns[1:]:
        column.justify = "right"
    for timing in found.timings:
        taken = ("" if time is None else f"{time:.2f} s" for time in (timing.reference, timing.sample))
        times = "" if timing.ratio is None else f"{timing.ratio:.0f}"
        table.add_row(timing.test, *taken, f"{timing.limit:g} s", times, style="red" if timing.is_tight else "")
    return table
