"""`grader import`: specs from the files of other graders, of one assignment or of many."""

from collections.abc import Callable, Iterator, Sequence
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

_Outcome = tuple[str, "lazy.imports.Written | str"]
"""the path of an assignment, and what was written of it, or why it was refused"""


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
            outcomes, is_one = self._import_all(line)
        if self.output == "json":
            import json

            rows = [_to_row(*outcome) for outcome in outcomes]
            click.echo(json.dumps(rows[0] if is_one else rows))
        elif not is_one:
            shared.echo(*_table_of(outcomes))
        return UsageError.exit_code if any(isinstance(result, str) for _, result in outcomes) else shared.PASSED

    def _import_all(self, line: "lazy.screen.TerminalLine") -> tuple[list[_Outcome], bool]:
        """Write an assignment of each package; return also whether it is a single one, whose mistake is raised."""

        def tell(what: str, octets: int) -> None:
            line.show("", f"{what}, {size(octets)}")

        packages, paths, outcomes = lazy.kattis_package, self.paths, list[_Outcome]()
        kattis = kattis_options(self.form, self.max_size, measure=self.measure, link=self.link, tell=tell)
        read = find_importer(self.form, kattis)
        found = [packages.find_sources(path) if kattis else [packages.ProblemSource(path, str(path))] for path in paths]
        sources = [source for group in found for source in group]
        is_one = len(paths) == 1 and [source.path for source in sources] == [*paths]
        for source in sources:
            line.show(source.path.name)
            try:
                with packages.unpacked(source, kattis) if kattis else nullcontext([source]) as problems:
                    is_one = is_one and len(problems) == 1
                    if self.name is not None and not is_one:
                        raise UsageError("--id names one assignment: import one at a time with it")  # noqa: TRY301
                    for problem in problems:
                        line.show(problem.path.name)
                        outcomes.append((problem.shown, self._import_one(problem, read, tell, is_one=is_one)))
                        with line.hidden():
                            self._describe(outcomes[-1][1])
            except UsageError as error:
                if is_one or self.name is not None:
                    raise
                outcomes.append((source.shown, str(error)))
        return outcomes, is_one

    def _import_one(
        self,
        package: "lazy.kattis_package.ProblemSource",
        read: Callable[..., "lazy.imports.Imported"],
        tell: "lazy.imports.Tell",
        *,
        is_one: bool,
    ) -> "lazy.imports.Written | str":
        """Write an assignment, or return why not."""
        try:
            draft = read(package.path, self.name)
            return lazy.imports.write_assignment(draft, self.out, link=self.link, tell=tell)
        except (UsageError, SpecError) as error:
            message = package.describe(error)
            if is_one:
                raise error if message == str(error) else UsageError(message) from error
            return message

    def _describe(self, result: "lazy.imports.Written | str") -> None:
        if isinstance(result, str) or self.output == "json":
            return
        click.echo(f"Wrote {one_line(str(result.spec))} and {count(len(result.files) - 1, 'more file')}.")
        if result.notes:
            click.echo("\nNot carried over as it was:")
        for note in result.notes:
            click.echo(f"- {one_line(note, 2000)}")
        click.echo(f"\nNext: grader verify {one_line(str(result.spec))}")


ImportCommand.__doc__ = f"""Make a spec of what another grader has, and say what could not be carried over.

\b
{format_rows({"FORMAT": "PATH", **{name: one.about for name, one in IMPORTERS.items()}})}

An installed package may have others. Writes specs/ID.yaml and what belongs to it below --out; a file that
is there is never overwritten. Of several, a table at the end says what was imported or refused, and why.
"""


def _to_row(shown: str, result: "lazy.imports.Written | str") -> dict[str, object]:
    if isinstance(result, str):
        return {"path": shown, "error": result}
    return {"spec": str(result.spec), "files": result.files, "notes": result.notes}


def _table_of(outcomes: Sequence[_Outcome]) -> Iterator[str]:
    """Yield a line for each assignment, and one with their numbers."""
    width = max((len(one_line(shown)) for shown, _ in outcomes), default=0)
    yield ""
    for shown, result in outcomes:
        if isinstance(result, str):
            line = f"refused: {one_line(result.removeprefix(f'{shown}: '), 2000)}"
        else:
            notes = f"; {count(len(result.notes), 'note')} above" if result.notes else ""
            line = f"imported: {', '.join(name for name in result.files if name.startswith('specs/'))}{notes}"
        yield f"{one_line(shown).ljust(width)}  {line}"
    refused = sum(isinstance(result, str) for _, result in outcomes)
    yield f"{count(len(outcomes) - refused, 'assignment')} imported, {refused} refused"
