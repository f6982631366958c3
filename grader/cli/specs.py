"""Whether a spec is right, before students see it: `grader lint`, `grader verify`, and `grader schema` for editors."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli import shared
from grader.errors import HostError, SpecError, UsageError
from grader.text import count, one_line, points

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console
    from rich.table import Table

    from grader.lint.examination import Examination, Remark
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
    from grader.lint.examination import RULES, asking, examine
    from grader.lint.formats import remarks_to_json, remarks_to_sarif

    for name in ignore:
        if name not in RULES:
            raise UsageError(f"there is no rule {name!r} that could be left out; there are: {', '.join(RULES)}")
    paths = [shared.spec_file(str(name)) for name in specs]
    ask = None if no_run else asking(sandbox, shared.cores())
    examinations: list[Examination] = []
    for path in paths:
        found = examine(path, ask)
        kept = tuple(remark for remark in found.remarks if remark.rule not in ignore)
        unchecked = {name: why for name, why in found.unchecked.items() if name not in ignore}
        examinations.append(replace(found, remarks=kept, unchecked=unchecked))
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


def _print_remarks(examination: "Examination", *, is_asked: bool) -> None:
    """Print remarks as compilers do, and below them what was looked at."""
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
    levels = [remark.level for remark in remarks]
    numbers = {"error": levels.count("error"), "warning": levels.count("warning")}
    told = [count(number, level) for level, number in numbers.items() if number]
    return ", ".join(told) or "no mistakes"


# ---------------------------------------------------------------- verify


@click.command()
@click.argument("spec", metavar="SPEC", type=click.Path())
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
    from grader.verify.verification import verification_to_json, verify_spec

    path = shared.spec_file(spec)
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


# ---------------------------------------------------------------- schema


@click.command("schema")
@click.option("--out", metavar="FILE", type=click.Path(path_type=Path), help="Write it there instead of printing it.")
@click.option("--path", "where", is_flag=True, help="Print where the schema is that came with this grader.")
def print_schema(out: Path | None, where: bool) -> None:
    """Print the JSON Schema of specs, for completion, hover texts and checks in an editor.

    Editors with the YAML language server take it from the first line of a spec:

    \b
      # yaml-language-server: $schema=spec.schema.json
    """  # noqa: D301 - click takes the control character as "keep these lines"
    from grader.load.json_schema import FILE, schema_text

    if where:
        click.echo(FILE)
    elif out is None:
        click.echo(schema_text(), nl=False)
    else:
        try:
            out.write_text(schema_text(), encoding="utf-8")
        except OSError as error:
            raise HostError(f"cannot write {out}: {error.strerror}") from error
