"""`grader import`: specs from the files of other graders, of one assignment or of many."""

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from grader.cli import shared
from grader.core.errors import SpecError, UsageError
from grader.core.text import count, inert, one_line

if TYPE_CHECKING:
    from grader.cli.progress import ImportLine
    from grader.imports import Written
    from grader.imports.kattis_archives import ProblemSource
    from grader.imports.kattis_package import KattisOptions
    from grader.imports.registry import Importer


def _importers(_context: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """Return the formats that complete what is typed."""
    from grader.imports.registry import IMPORTERS

    return [name for name in IMPORTERS if name.startswith(incomplete)]


@click.command("import")
@click.argument("source", metavar="FORMAT", shell_complete=_importers)
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--id", "name", metavar="ID", help="The name of the assignment. [that of the folder]")
@click.option("--out", metavar="DIR", type=click.Path(path_type=Path), default=".", help="The course's folder. [here]")
@click.option("--max-size", metavar="SIZE", help="kattis: the most that a package may have. [1 GiB]")
@click.option("--measure", is_flag=True, help="kattis: run the accepted programs, to derive a missing time limit.")
@click.option("--link", is_flag=True, help="kattis: hard links to large data, instead of copies.")
@shared.format_option
def import_spec(
    source: str,
    paths: tuple[Path, ...],
    name: str | None,
    out: Path,
    max_size: str | None,
    measure: bool,
    link: bool,
    form: str,
) -> int:
    """Make a spec of what another grader has, and say what could not be carried over.

    \b
    FORMAT        PATH
    kattis        a problem package (Kattis, DOMjudge, ICPC), folder, zip or tar, or a folder or archive of several
    io-tests      a tests.json of Classroom 50
    check50       the folder of a problem of check50, with .cs50.yml
    submitty      the config folder of an assignment of Submitty, with config.json
    exercism      folders of exercises of Exercism, in C, Go, Java, JavaScript, Python or Rust
    prairielearn  the folder of a question of PrairieLearn that its Python autograder grades
    github-classroom  a repository, or its autograding.json or classroom.yml
    gradescope        the zip or folder of an autograder for Gradescope, with unittest or JUnit
    otter             the folder or notebook that otter assign made, or the zip of otter generate
    vpl               the folder or vpl_evaluate.cases of an activity of Moodle's Virtual Programming Lab

    An installed package may have others. Writes specs/ID.yaml and what belongs to it below --out; a file that
    is there is never overwritten. Of several, a table at the end says what was imported or refused, and why.
    """  # noqa: D301 - click takes the control character as "keep these lines"
    from grader.cli.progress import ImportLine
    from grader.imports.registry import find_importer, kattis_options

    line = ImportLine()
    options = kattis_options(source, max_size, measure=measure, link=link, tell=line.tell)
    importer = find_importer(source, options)
    target = _Target(importer, name, out, link, line, form != "json")
    target.check_name(is_one=len(paths) == 1)
    with line:
        outcomes, is_one = _import_all(paths, options, target)
    _echo_outcomes(outcomes, is_one=is_one, as_json=form == "json")
    return UsageError.exit_code if any(one.written is None for one in outcomes) else shared.PASSED


_ONE_NAME = "--id names one assignment: import one at a time with it"


class _Target(NamedTuple):
    """How assignments are imported, and where they are written."""

    importer: "Importer"
    name: str | None
    out: Path
    link: bool
    line: "ImportLine"
    is_shown: bool

    def check_name(self, *, is_one: bool) -> None:
        """Raise UsageError when one name is meant for several assignments."""
        if self.name is not None and not is_one:
            raise UsageError(_ONE_NAME)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Outcome:
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


def _import_all(paths: Sequence[Path], options: "KattisOptions | None", target: _Target) -> tuple[list[_Outcome], bool]:
    """Write an assignment of each package; return what became of them, and whether a single one was named.

    A mistake in a single one is raised.
    """
    from grader.imports.kattis_archives import ProblemSource, find_sources, unpacked

    sources = [
        source for path in paths for source in (find_sources(path) if options else [ProblemSource(path, str(path))])
    ]
    is_one = [source.path for source in sources] == [*paths] and len(paths) == 1
    outcomes: list[_Outcome] = []
    for source in sources:
        target.line.begin(source.path.name)
        try:
            with unpacked(source, options) if options else nullcontext([source]) as packages:
                is_one = is_one and len(packages) == 1
                target.check_name(is_one=is_one)
                outcomes += [_import_one(package, target, is_one=is_one) for package in packages]
        except UsageError as error:
            if is_one or target.name is not None:
                raise
            outcomes.append(_Outcome(shown=source.shown, error=str(error)))
    return outcomes, is_one


def _import_one(package: "ProblemSource", target: _Target, *, is_one: bool) -> _Outcome:
    from grader.imports import write_assignment

    target.line.begin(package.path.name)
    try:
        made = target.importer(package.path, target.name)
        written = write_assignment(made, target.out, link=target.link, tell=target.line.tell)
    except (UsageError, SpecError) as error:
        message = package.describe(error)
        if is_one and message == str(error):
            raise
        if is_one:
            raise UsageError(message) from error
        return _Outcome(shown=package.shown, error=message)
    if target.is_shown:
        with target.line.hidden():
            _echo_written(written)
    return _Outcome(shown=package.shown, written=written)


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
