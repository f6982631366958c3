"""`grader lint`: mistakes in specs, before anybody is graded."""

from pathlib import Path

import click

from grader.errors import SpecError


@click.command()
@click.argument("specs", nargs=-1, required=True, metavar="SPEC...", type=click.Path(path_type=Path))
def lint(specs: tuple[Path, ...]) -> int:
    """Check specs: every mistake at once, with its line and column."""
    from grader.load import find_named, load
    from grader.report.text import points

    wrong = False
    for name in specs:
        path = name if name.exists() else find_named(str(name), Path.cwd())
        try:
            spec = load(path)
        except SpecError as error:
            wrong = True
            click.echo(str(error), err=True)
        else:
            cases = sum(len(test.cases) for test in spec.tests)
            click.echo(f"{path}: {len(spec.tests)} tests, {cases} cases, {points(spec.max_score)} points: no mistakes")
    return SpecError.exit_code if wrong else 0
