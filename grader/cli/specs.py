"""Check specs before students see them (`lint`, `verify`, `schema`), and the machine (`packages`, `doctor`)."""

from collections.abc import Sequence
from itertools import starmap
from pathlib import Path
from typing import NamedTuple

import click

from grader.cli import lazy, shared
from grader.cli.shared import flag, option
from grader.core.errors import SpecError, UsageError
from grader.core.text import count, count_points, one_line

_MAX_COLUMNS = 10_000  # width of a table that is not shown on a terminal


def _read_count(context: click.Context, param: click.Parameter, text: str) -> int | None:
    """Read a number, or `all`, which is None."""
    if text != "all" and not (text.isascii() and text.isdecimal()):
        raise click.BadParameter(f"{text!r} is neither a number nor 'all'", context, param)
    return None if text == "all" else int(text)


class LintCommand(NamedTuple):
    """Check specs: every mistake at once, with its line and column, and what is probably not meant.

    The reference is run in the sandbox to see whether it does what the spec expects. Exit code 2 is for errors, and
    with --strict for warnings as well.
    """

    specs: tuple[Path, ...] = shared.argument("SPEC...")
    strict: bool = flag("Warnings count as errors do.")
    no_run: bool = flag("Run nothing of the course: leave out what needs the reference.")
    ignore: tuple[str, ...] = option("RULE", "A rule to leave out (may be repeated).")
    sandbox: str = shared.sandbox_option
    form: str = shared.output_option("text", "json", "sarif", about="Output; sarif is for code scanning.")

    def _run(self) -> int:
        runner = lazy.runner
        if wrong := [name for name in self.ignore if name not in runner.RULES]:
            raise UsageError(f"there is no rule {wrong[0]!r} to leave out; there are: {', '.join(runner.RULES)}")
        paths = [shared.find_spec(str(name)) for name in self.specs]
        ask = None if self.no_run else runner.asking(self.sandbox, shared.cores())
        examinations: list[lazy.runner.Examination] = []
        for path in paths:
            examinations.append(runner.examine(path, ask, self.ignore))
            if self.form == "text":
                _print_remarks(examinations[-1], is_asked=self.no_run)
        all_remarks = [remark for examination in examinations for remark in examination.remarks]
        if self.form == "json":
            click.echo(runner.remarks_to_json(all_remarks))
        elif self.form == "sarif":
            found = starmap(lazy.view.PlacedFinding, runner.finding_rows(examinations, Path.cwd()))
            click.echo(lazy.findings.write_sarif(runner.RULE_DESCRIPTIONS, found), nl=False)
        elif len(examinations) > 1:
            click.echo(f"{count(len(paths), 'spec')}: {_count_remarks(all_remarks)}")
        counts = {"error", "warning"} if self.strict else {"error"}
        return SpecError.exit_code if any(remark.level in counts for remark in all_remarks) else shared.PASSED


def _print_remarks(examination: "lazy.runner.Examination", *, is_asked: bool) -> None:
    """Print remarks as compilers do, and below them a summary of the spec."""
    for remark in examination.remarks:
        click.echo(str(remark), err=True)
    reasons = {} if is_asked else examination.unchecked
    for why in dict.fromkeys(reasons.values()):
        names = ", ".join(name for name, reason in reasons.items() if reason == why)
        click.echo(f"{examination.file}: not checked: {names} ({why})", err=True)
    if spec := examination.spec:
        cases = sum(len(test.cases) for test in spec.tests)
        about = f"{count(len(spec.tests), 'test')}, {count(cases, 'case')}, {count_points(spec.max_score)}"
        click.echo(f"{examination.file}: {about}: {_count_remarks(examination.remarks)}")


def _count_remarks(remarks: "Sequence[lazy.Remark]") -> str:
    levels = [remark.level for remark in remarks]
    counts = [count(levels.count(level), level) for level in ("error", "warning") if level in levels]
    return ", ".join(counts) or "no mistakes"


# ---------------------------------------------------------------- verify


class VerifyCommand(NamedTuple):
    """Verify a spec: its reference, its samples, its mutants, its limits.

    A mutant is a program that is wrong in one way. Mutants without effect are left out; those that the spec tolerates
    or marks as equivalent are counted separately. Of many samples with the same expected results, one is graded.
    The output says what was not run; --all runs everything. Exit code 1 when a check fails, 0 when all that was run
    is right. Results that are right are cached, and not run again as long as spec, reference, samples, checks and
    tools are the same; after a change, only the parts that may have changed are run. Unless --jobs is 1, two more
    samples than that are graded at a time, and up to four that are stated to time out, or not to be built.
    """

    spec: str = shared.spec_argument
    mutants: int | None = option(
        "N|ALL", "Source mutants to run.", type=click.STRING, callback=_read_count, default="60", show_default=True
    )
    samples: bool = option(None, "Whether to grade all samples. [yes]", "--samples/--no-samples", default=True)
    everything: bool = flag("Run all mutants, and all samples in all tests: nothing is left out.", "--all")
    fresh: bool = flag("Ignore cached results, and run everything again.")
    jobs: int = shared.jobs_option
    sandbox: str = shared.sandbox_option
    form: str = shared.format_option

    def _run(self) -> int:
        from dataclasses import asdict

        verification = lazy.verification
        if self.everything and not self.samples:
            raise UsageError("--all and --no-samples contradict each other: leave one of them out")
        path, most = shared.find_spec(self.spec), None if self.everything else self.mutants
        wanted = {"samples": self.samples, "everything": self.everything}
        is_run = False
        with lazy.screen.TerminalLine() as line, shared.prepared(path, self.sandbox, self.jobs) as course:

            def find() -> "lazy.verification.VerificationSummary":
                nonlocal is_run
                is_run = True
                verified = verification.verify_spec(
                    path, course, jobs=self.jobs, most=most, fresh=self.fresh, on_progress=line.show, **wanted
                )
                return verification.describe_verification(verified)

            made_from = [str(path), asdict(lazy.grading.report_key(course))]
            key = verification.verification_key(course, made_from, most, **wanted)
            outcome = course.cache.get_or_make(
                key, verification.VerificationSummary, find, fresh=self.fresh, is_storable=lambda summary: summary.right
            )
        if self.form == "json":
            click.echo(outcome.json)
        else:
            _print_verification(shared.console(), outcome, is_cached=not is_run)
        return shared.UNGRADED if outcome.ungraded else shared.PASSED if outcome.right else shared.LOST


def _print_verification(
    console: "lazy.Console", outcome: "lazy.verification.VerificationSummary", *, is_cached: bool
) -> None:
    for name, differences in outcome.samples:
        console.print(f"sample {one_line(name)}", style="bold")
        for line in differences:
            console.print(f"  {line}", soft_wrap=True)
    if outcome.mutants:
        rows = [(row, row[1] == "survived") for row in outcome.mutants]
        _print_table(console, ("mutant", "outcome", "noticed by", "cost", "named"), rows, right=(3,))
    _print_table(console, ("test", "reference", "sample", "limit", "times"), outcome.limits, right=(1, 2, 3, 4))
    for line in outcome.lines:
        console.print(one_line(line, 2000), soft_wrap=True)
    if outcome.recalled and not is_cached:
        reason = "were taken from the cache, as nothing they depend on has changed; --fresh repeats them all."
        console.print(f"{count(outcome.recalled, 'run')} {reason}")
    if is_cached:
        console.print("This result is from the cache: nothing has changed since; --fresh verifies again.")
    console.print(outcome.summary, style="bold" if outcome.right else "bold red", soft_wrap=True)


def _print_table(
    console: "lazy.Console", columns: Sequence[str], rows: Sequence[tuple[Sequence[str], bool]], right: Sequence[int]
) -> None:
    """Print a table: on a terminal at its width, else as wide as its content; what is amiss in red."""
    from rich.table import Table

    table = Table(*columns, box=None, pad_edge=False, header_style="bold")
    for place, column in enumerate(table.columns):
        column.overflow = "fold"
        column.justify = "right" if place in right else "left"
    for row, is_amiss in rows:
        table.add_row(*row, style="red" if is_amiss else "")
    if not console.is_terminal:
        wide = console.options.update_width(_MAX_COLUMNS)
        console.width = max(console.width, console.measure(table, options=wide).maximum)
    console.print(table)


# ---------------------------------------------------------------- schema


class SchemaCommand(NamedTuple):
    """Print the JSON Schema of specs, for completion, hover texts and checks in an editor.

    Editors with the YAML language server take it from the first line of a spec:

    \b
      # yaml-language-server: $schema=spec.schema.json
    """  # noqa: D301 - click takes the control character as "keep these lines"

    out: Path | None = option("FILE", "Write it there instead of printing it.")
    where: bool = flag("Print where the schema is that came with this grader.", "--path")

    def _run(self) -> None:
        if self.where:
            click.echo(lazy.language.FILE)
        else:
            shared.deliver(lazy.language.schema_text(), self.out, "the schema", mode=0o666)


class PackagesCommand(NamedTuple):
    """Install the packages that specs require, once on a machine, for all submissions.

    They lie below the user's cache folder; root keeps them in /var/cache/grader, where every user finds them. Grading
    only reads them, and never installs any.
    """

    specs: tuple[str, ...] = shared.argument("SPEC...", type=click.Path())
    wheels: Path | None = option(
        "FOLDER",
        "Take all packages from the wheels in this folder, without a network.",
        type=click.Path(path_type=Path, exists=True, file_okay=False),
    )
    builds: bool = flag("Also build packages that come as source: their code runs on this machine.", "--build")
    fresh: bool = flag("Install anew what is installed, for newer versions.")
    form: str = shared.format_option

    def _run(self) -> None:
        packages = lazy.packages
        source = packages.PackageSource(wheels=self.wheels, builds=self.builds, fresh=self.fresh)
        describe = packages.installed_to_json if self.form == "json" else packages.installed_to_text
        for path in [*map(shared.find_spec, self.specs)]:
            click.echo(describe(*packages.install_packages(path, source)))


class DoctorCommand(NamedTuple):
    """Show what this machine has for grading, what is missing, and how to install it.

    Every language is tried, or each LANGUAGE alone.

    Exit code 3 when nothing can be graded here, for instance without a sandbox. A missing language is listed, and
    is no failure.
    """

    languages: tuple[str, ...] = shared.argument("[LANGUAGE]...", type=shared.LANGUAGE)
    form: str = shared.format_option

    def _run(self) -> int:
        doctor = lazy.doctor
        requirements = doctor.diagnose(self.languages)
        click.echo((doctor.requirements_to_json if self.form == "json" else doctor.requirements_to_text)(requirements))
        return shared.PASSED if doctor.is_fit(requirements) else shared.UNGRADED
