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

    from grader.verify.verification import Verification

_ALL_MUTANTS = "all"


class _Count(click.ParamType[str]):
    """A number, or `all`."""

    name = "N|all"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value != _ALL_MUTANTS and not (value.isascii() and value.isdecimal()):
            self.fail(f"{value!r} is neither a number nor {_ALL_MUTANTS!r}", param, ctx)
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
    from grader.verify.verification import verification_to_json, verify_spec

    path = Path(spec) if Path(spec).exists() else find_named(spec, Path.cwd())
    workers = jobs or shared.cores()
    most = None if mutants == _ALL_MUTANTS else int(mutants)
    with shared.stopping() as cancelled, _progress() as tell:
        course = pipeline.prepare(path, sandbox=sandbox, workers=workers, cancelled=cancelled)
        found = verify_spec(path, course, jobs=workers, most=most, samples=samples, tell=tell)
    if form == "json":
        click.echo(verification_to_json(found))
    else:
        _print_verification(shared.console(), found)
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


def _print_verification(console: "Console", found: "Verification") -> None:
    from grader.text import one_line
    from grader.verify.verification import verification_faults, verification_summary

    for held in found.samples:
        if held.differences:
            console.print(f"sample {one_line(held.sample.submission.id)}", style="bold")
            for line in held.differences:
                console.print(f"  {line}", soft_wrap=True)
    if found.trials:
        console.print(_mutant_table(found))
    console.print(_limit_table(found))
    lines = list(verification_faults(found))
    if found.untried:  # no faults, and good to know
        lines.append(f"{found.untried} further mutants of the source were not run; --mutants all runs them.")
    if all(test.visibility == "visible" for test in found.spec.tests):
        lines.append("Every test is visible: a program with their answers written into it has full marks.")
    for line in lines:
        console.print(one_line(line, 2000), soft_wrap=True)
    console.print(verification_summary(found), style="bold" if found.is_right else "bold red", soft_wrap=True)


def _mutant_table(found: "Verification") -> "Table":
    """Return the table of mutants: those that nothing notices first, then the cheapest."""
    from rich.table import Table

    from grader.text import one_line, points
    from grader.verify.mutants import Fate

    order = list(Fate)
    order.remove(Fate.SURVIVED)
    order.insert(0, Fate.SURVIVED)
    shown = [trial for trial in found.trials if trial.outcome != Fate.SAME]
    table = Table("mutant", "outcome", "noticed by", "cost", "named", box=None, pad_edge=False, header_style="bold")
    table.columns[0].overflow = "fold"
    table.columns[3].justify = "right"
    for trial in sorted(shown, key=lambda trial: (order.index(trial.outcome), trial.cost)):
        instead = {Fate.EQUIVALENT: trial.reason, Fate.SURVIVED: trial.mutant.about}
        table.add_row(
            one_line(trial.mutant.name),
            str(trial.outcome),
            one_line(instead.get(trial.outcome, trial.noticed)),
            f"{'≥ ' if trial.is_least else ''}{points(trial.cost)}" if trial.cost else "",
            f"{', '.join(trial.deviations) or trial.verdict}{' (not rightly)' if trial.is_named is False else ''}",
            style="red" if trial.outcome == Fate.SURVIVED else "",
        )
    return table


def _limit_table(found: "Verification") -> "Table":
    from rich.table import Table

    table = Table("test", "reference", "sample", "limit", "times", box=None, pad_edge=False, header_style="bold")
    for column in table.columns[1:]:
        column.justify = "right"
    for timing in found.timings:
        taken = ("" if time is None else f"{time:.2f} s" for time in (timing.reference, timing.sample))
        times = "" if timing.ratio is None else f"{timing.ratio:.0f}"
        table.add_row(timing.test, *taken, f"{timing.limit:g} s", times, style="red" if timing.is_tight else "")
    return table
