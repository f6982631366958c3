"""`grader import`: a spec from another grader's files."""

import json
from pathlib import Path

import click

from grader.cli import shared

FORMS = ("kattis", "io-tests")


@click.command("import")
@click.argument("source", metavar="FORMAT", type=click.Choice(FORMS))
@click.argument("path", metavar="PATH", type=click.Path(path_type=Path))
@click.option("--id", "name", metavar="ID", help="The name of the assignment. [that of the folder]")
@click.option("--out", metavar="DIR", type=click.Path(path_type=Path), default=".", help="The course's folder. [here]")
@shared.format_option
def imports(source: str, path: Path, name: str | None, out: Path, form: str) -> int:
    """Make a spec of what another grader has, and say what could not be carried over.

    \b
    FORMAT    PATH
    kattis    the folder of a problem package (Kattis, DOMjudge, ICPC)
    io-tests  a tests.json of Classroom 50

    Writes specs/ID.yaml and what belongs to it below --out; a file that is there is never overwritten.
    """  # noqa: D301 - click takes the control character as "keep these lines"
    from grader.imports import write_assignment
    from grader.imports.io_tests import import_io_tests
    from grader.imports.kattis import import_kattis
    from grader.text import one_line

    readers = {"kattis": import_kattis, "io-tests": import_io_tests}
    written = write_assignment(readers[source](path, name), out)
    if form == "json":
        click.echo(json.dumps({"spec": str(written.spec), "files": written.files, "notes": written.notes}))
    else:
        click.echo(f"Wrote {one_line(str(written.spec))} and {len(written.files) - 1} more files.")
        if written.notes:
            click.echo("\nNot carried over as it was:")
            for note in written.notes:
                click.echo(f"- {one_line(note, 2000)}")
        click.echo(f"\nNext: grader verify {one_line(str(written.spec))}")
    return shared.PASSED
