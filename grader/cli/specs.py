"""Check a spec before students see it: `grader lint`, `grader verify`, and `grader schema` for editors."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli import shared
from grader.core.errors import HostError, SpecError, UsageError
from grader.core.text import count, count_points, one_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console
    from rich.table import Table

    from grader.check.runner import Examination, Remark
    from grader.check.verification import VerificationSummary

MAX_COLUMNS = 10_000  # width of a table that is not shown on a terminal
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
    from grader.check.formats import remarks_to_json, remarks_to_sarif
    from grader.check.runner import RULES, asking, examine

    for name in ignore:
        if name not in RULES:
            raise UsageError(f"there is no rule {name!r} that could be left out; there are: {', '.join(RULES)}")
    paths = [shared.spec_file(str(name)) for name in specs]
    ask = None if no_run else asking(sandbox, shared.cores())
    examinations: list[Examination] = []
    for path in paths:
        found = examine(path, ask)
        remarks = tuple(remark for remark in found.remarks if remark.rule not in ignore)
        unchecked = {name: why for name, why in found.unchecked.items() if name not in ignore}
        examinations.append(replace(found, remarks=remarks, unchecked=unchecked))
        if form == "text":
            _print_remarks(examinations[-1], is_asked=no_run)
    if form == "json":
        click.echo(remarks_to_json(examinations))
    elif form == "sarif":
        click.echo(remarks_to_sarif(examinations, Path.cwd()))
    elif len(examinations) > 1:
        every = [remark for examination in examinations for remark in examination.remarks]
        click.echo(f"{count(len(paths), 'spec')}: {_count_remarks(every)}")
    counts = {"error", "warning"} if strict else {"error"}
    wrong = any(remark.level in counts for examination in examinations for remark in examination.remarks)
    return SpecError.exit_code if wrong else shared.PASSED


def _print_remarks(examination: "Examination", *, is_asked: bool) -> None:
    """Print remarks as compilers do, and below them a summary of the spec."""
    for remark in examination.remarks:
        click.echo(str(remark), err=True)
    reasons = {} if is_asked else examination.unchecked
    for why in dict.fromkeys(reasons.values()):
        names = ", ".join(name for name, reason in reasons.items() if reason == why)
        click.echo(f"{examination.file}: not checked: {names} ({why})", err=True)
    spec = examination.spec
    if spec is not None:
        cases = sum(len(test.cases) for test in spec.tests)
        about = f"{count(len(spec.tests), 'test')}, {count(cases, 'case')}, {count_points(spec.max_score)}"
        click.echo(f"{examination.file}: {about}: {_count_remarks(examination.remarks)}")


def _count_remarks(remarks: "Sequence[Remark]") -> str:
    levels = [remark.level for remark in remarks]
    numbers = {"error": levels.count("error"), "warning": levels.count("warning")}
    counts = [count(number, level) for level, number in numbers.items() if number]
    return ", ".join(counts) or "no mistakes"


# ---------------------------------------------------------------- verify


@click.command()
@click.argument("spec", metavar="SPEC", type=click.Path())
@click.option("--mutants", type=_Count(), default="60", show_default=True, help="Source mutants to run.")
@click.option("--samples/--no-samples", default=True, help="Whether to grade all samples. [yes]")
@click.option(
    "--all", "everything", is_flag=True, help="Run all mutants, and all samples in all tests: nothing is left out."
)
@click.option("--fresh", is_flag=True, help="Ignore cached results, and run everything again.")
@shared.jobs_option
@shared.sandbox_option
@shared.format_option
def verify(
    spec: str, mutants: str, samples: bool, everything: bool, fresh: bool, jobs: int | None, sandbox: str, form: str
) -> int:
    """Verify a spec: its reference, its samples, its mutants, its limits.

    A mutant is a program that is wrong in one way. Mutants without effect are left out; those that the spec tolerates
    or marks as equivalent are counted separately. Of many samples of which the same is stated, one is graded, and of
    much that is stated as much as there is time for. The output says what was not run; --all runs everything. Exit
    code 1 when a check fails, 0 when all that was run is right. Results that are right are cached, and not run again
    as long as spec, reference, samples, checks and tools are the same; after a change, only the parts that may have
    changed are run. Unless --jobs is 1, two more samples than that are graded at a time, and up to four that are
    stated to time out, or not to be built.
    """
    from dataclasses import asdict

    from grader.check.verification import VerificationSummary, describe_verification, verification_key, verify_spec
    from grader.core import pipeline
    from grader.grading_class.grading import report_key

    if everything and not samples:
        raise UsageError("--all and --no-samples contradict each other: leave one of them out")
    path, workers = shared.spec_file(spec), jobs or shared.cores()
    most = None if everything or mutants == _ALL_MUTANTS else int(mutants)
    is_run = False
    with shared.stopping() as cancelled, _progress() as say:
        course = pipeline.prepare(path, sandbox=sandbox, workers=workers, cancelled=cancelled)

        def find() -> "VerificationSummary":
            nonlocal is_run
            is_run = True
            found = verify_spec(
                path, course, jobs=workers, most=most, samples=samples, everything=everything, fresh=fresh, tell=say
            )
            return describe_verification(found)

        key = verification_key(course, asdict(report_key(course)), most, samples=samples, everything=everything)
        outcome = course.cache.get_or_make(
            key, VerificationSummary, find, fresh=fresh, is_storable=lambda found: found.right
        )
    return _show_verification(outcome, form, is_cached=not is_run)


def _show_verification(outcome: "VerificationSummary", form: str, *, is_cached: bool) -> int:
    """Print a verification, and return the exit code that it is worth."""
    if form == "json":
        click.echo(outcome.json)
    else:
        _print_verification(shared.console(), outcome, is_cached=is_cached)
    if outcome.ungraded:
        return shared.UNGRADED
    return shared.PASSED if outcome.right else shared.LOST


@contextmanager
def _progress() -> "Iterator[Callable[[str], None]]":
    """Show the current step on a terminal."""
    console = shared.console(err=True)
    if not console.is_terminal:
        yield lambda _: None
        return
    with console.status("preparing") as status:
        yield status.update


def _print_verification(console: "Console", outcome: "VerificationSummary", *, is_cached: bool) -> None:
    for name, differences in outcome.samples:
        console.print(f"sample {one_line(name)}", style="bold")
        for line in differences:
            console.print(f"  {line}", soft_wrap=True)
    if outcome.mutants:
        mutants = _table("mutant", "outcome", "noticed by", "cost", "named", right=(3,))
        mutants.columns[0].overflow = "fold"
        for row in outcome.mutants:
            mutants.add_row(*row, style="red" if row[1] == "survived" else "")
        _print_whole(console, mutants)
    limits = _table("test", "reference", "sample", "limit", "times", right=(1, 2, 3, 4))
    for row, is_tight in outcome.limits:
        limits.add_row(*row, style="red" if is_tight else "")
    _print_whole(console, limits)
    for line in outcome.lines:
        console.print(one_line(line, 2000), soft_wrap=True)
    if outcome.recalled and not is_cached:
        runs = count(outcome.recalled, "run")
        console.print(
            f"{runs} were taken from the cache, as nothing they depend on has changed; --fresh repeats them all."
        )
    if is_cached:
        console.print("This result is from the cache: nothing has changed since; --fresh verifies again.")
    console.print(outcome.summary, style="bold" if outcome.right else "bold red", soft_wrap=True)


def _print_whole(console: "Console", table: "Table") -> None:
    """Print a table: on a terminal at its width, else as wide as its content."""
    if not console.is_terminal:
        wide = console.options.update_width(MAX_COLUMNS)
        console.width = max(console.width, console.measure(table, options=wide).maximum)
    console.print(table)


def _table(*columns: str, right: "Sequence[int]") -> "Table":
    """Return an empty table, with numbers in some of its columns."""
    from rich.table import Table

    table = Table(*columns, box=None, pad_edge=False, header_style="bold")
    for place in right:
        table.columns[place].justify = "right"
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
    from grader.core.reader.json_schema import FILE, schema_text

    if where:
        click.echo(FILE)
    elif out is None:
        click.echo(schema_text(), nl=False)
    else:
        try:
            out.write_text(schema_text(), encoding="utf-8")
        except OSError as error:
            raise HostError(f"cannot write {out}: {error.strerror}") from error
