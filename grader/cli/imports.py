"""`grader import`: specs from the files of other graders, of one assignment or of many."""

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import NamedTuple

import click

from grader.cli import lazy, shared
from grader.cli.shared import flag, option
from grader.core.errors import SpecError, UsageError
from grader.core.plugins import format_rows
from grader.core.text import count, one_line, size
from grader.imports.registry import IMPORTERS, find_importer, kattis_options


class ImportCommand(NamedTuple):
    """Make specs of what other graders have."""

    form: str = shared.argument("FORMAT", shell_complete=shared.completing(*IMPORTERS))
    paths: tuple[Path, ...] = shared.argument("PATH...")
    name: str | None = option("ID", "The name of the assignment. [that of the folder]", "--id")
    out: Path = option("DIR", "The course's folder. [here]", default=".")
    max_size: str | None = option("SIZE", "kattis: the most that a package may have. [1 GiB]")
    measure: bool = flag("kattis: run the accepted programs, to derive a missing time limit.")
    link: bool = flag("kattis: hard links to large data, instead of copies.")
    output: str = shared.format_option

    def _run(self) -> int:
        with lazy.screen.TerminalLine() as line:
            work = _Import(self, line)
            outcomes = work.import_all()
        if self.output == "json":
            import json

            rows = [outcome.as_json for outcome in outcomes]
            click.echo(json.dumps(rows[0] if work.is_one else rows))
        elif not work.is_one:
            shared.echo(*_table_of(outcomes))
        return UsageError.exit_code if any(outcome.written is None for outcome in outcomes) else shared.PASSED


ImportCommand.__doc__ = f"""Make a spec of what another grader has, and say what could not be carried over.

\b
{format_rows({"FORMAT": "PATH", **{name: one.about for name, one in IMPORTERS.items()}})}

An installed package may have others. Writes specs/ID.yaml and what belongs to it below --out; a file that
is there is never overwritten. Of several, a table at the end says what was imported or refused, and why.
"""


class _Outcome(NamedTuple):
    """What became of one assignment."""

    shown: str  # its path
    written: "lazy.imports.Written | None" = None
    error: str = ""

    @property
    def line(self) -> str:
        """What the table says of it."""
        if self.written is None:
            return f"refused: {one_line(self.error.removeprefix(f'{self.shown}: '), 2000)}"
        specs = [name for name in self.written.files if name.startswith("specs/")]
        notes = f"; {count(len(self.written.notes), 'note')} above" if self.written.notes else ""
        return f"imported: {', '.join(specs)}{notes}"

    @property
    def as_json(self) -> dict[str, object]:
        """The same for programs."""
        if self.written is None:
            return {"path": self.shown, "error": self.error}
        return {"spec": str(self.written.spec), "files": self.written.files, "notes": self.written.notes}


class _Import:
    """How assignments are imported, and whether a single one was named."""

    def __init__(self, options: ImportCommand, line: "lazy.screen.TerminalLine") -> None:
        self.options, self.line, self.is_one = options, line, len(options.paths) == 1
        self.kattis = kattis_options(
            options.form, options.max_size, measure=options.measure, link=options.link, tell=self._show
        )
        self.importer = find_importer(options.form, self.kattis)
        self._check_name()

    def _show(self, what: str, octets: int) -> None:
        self.line.show("", f"{what}, {size(octets)}")

    def _check_name(self) -> None:
        if self.options.name is not None and not self.is_one:
            raise UsageError("--id names one assignment: import one at a time with it")

    def import_all(self) -> list[_Outcome]:
        """Write an assignment of each package. A mistake in a single one is raised."""
        packages, paths, kattis = lazy.kattis_package, self.options.paths, self.kattis
        lists = (packages.find_sources(path) if kattis else [packages.ProblemSource(path, str(path))] for path in paths)
        sources = [source for group in lists for source in group]
        self.is_one = [source.path for source in sources] == [*paths] and len(paths) == 1
        outcomes: list[_Outcome] = []
        for source in sources:
            self.line.show(source.path.name)
            try:
                with packages.unpacked(source, kattis) if kattis else nullcontext([source]) as problems:
                    self.is_one = self.is_one and len(problems) == 1
                    self._check_name()
                    outcomes += map(self._import_one, problems)
            except UsageError as error:
                if self.is_one or self.options.name is not None:
                    raise
                outcomes.append(_Outcome(source.shown, error=str(error)))
        return outcomes

    def _import_one(self, package: "lazy.kattis_package.ProblemSource") -> _Outcome:
        self.line.show(package.path.name)
        try:
            draft = self.importer(package.path, self.options.name)
            written = lazy.imports.write_assignment(draft, self.options.out, link=self.options.link, tell=self._show)
        except (UsageError, SpecError) as error:
            message = package.describe(error)
            if self.is_one:
                raise error if message == str(error) else UsageError(message) from error
            return _Outcome(package.shown, error=message)
        if self.options.output != "json":
            with self.line.hidden():
                _echo_written(written)
        return _Outcome(package.shown, written)


def _table_of(outcomes: Sequence[_Outcome]) -> Iterator[str]:
    """Yield a line for each assignment, and one with their numbers."""
    width = max((len(one_line(outcome.shown)) for outcome in outcomes), default=0)
    yield ""
    yield from (f"{one_line(outcome.shown).ljust(width)}  {outcome.line}" for outcome in outcomes)
    done = sum(outcome.written is not None for outcome in outcomes)
    yield f"{count(done, 'assignment')} imported, {len(outcomes) - done} refused"


def _echo_written(written: "lazy.imports.Written") -> None:
    click.echo(f"Wrote {one_line(str(written.spec))} and {count(len(written.files) - 1, 'more file')}.")
    if written.notes:
        click.echo("\nNot carried over as it was:")
    for note in written.notes:
        click.echo(f"- {one_line(note, 2000)}")
    click.echo(f"\nNext: grader verify {one_line(str(written.spec))}")
