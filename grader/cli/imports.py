"""`grader import`: specs from the files of other graders, of one assignment or of many."""

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from grader.cli import shared
from grader.cli.shared import flag, option
from grader.core.errors import SpecError, UsageError
from grader.core.plugins import format_rows
from grader.core.text import count, inert, one_line
from grader.imports.registry import IMPORTERS, find_importer, kattis_options

if TYPE_CHECKING:
    from collections.abc import Callable

    from grader.cli.progress import ImportLine
    from grader.imports import Imported, Written
    from grader.imports.kattis_archives import ProblemSource
    from grader.imports.kattis_package import KattisOptions

_HELP = f"""Make a spec of what another grader has, and say what could not be carried over.

\b
{format_rows({"FORMAT": "PATH", **{name: one.about for name, one in IMPORTERS.items()}})}

An installed package may have others. Writes specs/ID.yaml and what belongs to it below --out; a file that
is there is never overwritten. Of several, a table at the end says what was imported or refused, and why.
"""
_ONE_NAME = "--id names one assignment: import one at a time with it"


class _Options(NamedTuple):
    """What is imported, and where it is written."""

    form: str = shared.argument("FORMAT", shell_complete=shared.completing(*IMPORTERS))
    paths: tuple[Path, ...] = shared.argument("PATH...", nargs=-1, required=True, type=shared.PATH)
    name: str | None = option("ID", "The name of the assignment. [that of the folder]", "--id")
    out: Path = option("DIR", "The course's folder. [here]", type=shared.PATH, default=".")
    max_size: str | None = option("SIZE", "kattis: the most that a package may have. [1 GiB]")
    measure: bool = flag("kattis: run the accepted programs, to derive a missing time limit.")
    link: bool = flag("kattis: hard links to large data, instead of copies.")
    output: str = shared.format_option


@shared.command(_Options, help=_HELP)
def import_spec(options: _Options) -> int:
    """Import one assignment, or several."""
    from grader.cli.progress import ImportLine

    line = ImportLine()
    kattis = kattis_options(options.form, options.max_size, measure=options.measure, link=options.link, tell=line.tell)
    target = _Target(options, find_importer(options.form, kattis), line)
    target.check_name(is_one=len(options.paths) == 1)
    with line:
        outcomes, is_one = _import_all(target, kattis)
    _echo_outcomes(outcomes, is_one=is_one, as_json=options.output == "json")
    return UsageError.exit_code if any(one.written is None for one in outcomes) else shared.PASSED


class _Target(NamedTuple):
    """How assignments are imported."""

    options: _Options
    importer: "Callable[[Path, str | None], Imported]"
    line: "ImportLine"

    def check_name(self, *, is_one: bool) -> None:
        """Raise UsageError when one name is meant for several assignments."""
        if self.options.name is not None and not is_one:
            raise UsageError(_ONE_NAME)


class _Outcome(NamedTuple):
    """What became of one assignment."""

    shown: str  # its path
    written: "Written | None" = None
    error: str = ""

    @property
    def line(self) -> str:
        """What the table says of it."""
        if self.written is None:
            return f"refused: {one_line(self.error.removeprefix(f'{self.shown}: '), 2000)}"
        specs = [name for name in self.written.files if name.startswith("specs/")]
        notes = f"; {count(len(self.written.notes), 'note')} above" if self.written.notes else ""
        return f"imported: {', '.join(specs)}{notes}"


def _import_all(target: _Target, kattis: "KattisOptions | None") -> tuple[list[_Outcome], bool]:
    """Write an assignment of each package; return what became of them, and whether a single one was named.

    A mistake in a single one is raised.
    """
    from grader.imports.kattis_archives import ProblemSource, find_sources, unpacked

    paths = target.options.paths
    sources = [
        source for path in paths for source in (find_sources(path) if kattis else [ProblemSource(path, str(path))])
    ]
    is_one = [source.path for source in sources] == [*paths] and len(paths) == 1
    outcomes: list[_Outcome] = []
    for source in sources:
        target.line.begin(source.path.name)
        try:
            with unpacked(source, kattis) if kattis else nullcontext([source]) as packages:
                is_one = is_one and len(packages) == 1
                target.check_name(is_one=is_one)
                outcomes += [_import_one(package, target, is_one=is_one) for package in packages]
        except UsageError as error:
            if is_one or target.options.name is not None:
                raise
            outcomes.append(_Outcome(source.shown, error=str(error)))
    return outcomes, is_one


def _import_one(package: "ProblemSource", target: _Target, *, is_one: bool) -> _Outcome:
    from grader.imports import write_assignment

    options, line = target.options, target.line
    line.begin(package.path.name)
    try:
        made = target.importer(package.path, options.name)
        written = write_assignment(made, options.out, link=options.link, tell=line.tell)
    except (UsageError, SpecError) as error:
        message = package.describe(error)
        if is_one:
            raise error if message == str(error) else UsageError(message) from error
        return _Outcome(package.shown, error=message)
    if options.output != "json":
        with line.hidden():
            _echo_written(written)
    return _Outcome(package.shown, written)


def _echo_outcomes(outcomes: Sequence[_Outcome], *, is_one: bool, as_json: bool) -> None:
    if as_json:
        import json

        made = [
            {"spec": str(one.written.spec), "files": one.written.files, "notes": one.written.notes}
            if one.written
            else {"path": one.shown, "error": one.error}
            for one in outcomes
        ]
        click.echo(json.dumps(made[0] if is_one else made))
    elif not is_one:
        for line in _table_of(outcomes):
            click.echo(inert(line, anywhere=True))


def _table_of(outcomes: Sequence[_Outcome]) -> Iterator[str]:
    """Yield a line for each assignment, and one with their numbers."""
    width = max((len(one_line(one.shown)) for one in outcomes), default=0)
    yield ""
    for one in outcomes:
        yield f"{one_line(one.shown).ljust(width)}  {one.line}"
    done = sum(one.written is not None for one in outcomes)
    yield f"{count(done, 'assignment')} imported, {len(outcomes) - done} refused"


def _echo_written(written: "Written") -> None:
    click.echo(f"Wrote {one_line(str(written.spec))} and {count(len(written.files) - 1, 'more file')}.")
    if written.notes:
        click.echo("\nNot carried over as it was:")
        for note in written.notes:
            click.echo(f"- {one_line(note, 2000)}")
    click.echo(f"\nNext: grader verify {one_line(str(written.spec))}")
