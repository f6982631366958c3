"""`grader export gradescope-zip`: an assignment for Gradescope, to be uploaded as its autograder."""

from pathlib import Path

import click

from grader.errors import UsageError

_LEAST_MINUTES = 2


def gradescope_zip(spec_name: str, out: Path | None, sandbox: str, minutes: int | None) -> int:
    """Write the zip of the spec with that path or id to `out`, or to <spec-id>-gradescope.zip here.

    `sandbox` is the level in the container, `minutes` the time that Gradescope allows it; None for what is usual there.
    """
    from grader.exports.gradescope_zip import PLATFORM_MINUTES, to_gradescope_zip
    from grader.load import find_named, load
    from grader.report import write_files

    if minutes is not None and minutes < _LEAST_MINUTES:
        raise UsageError(f"--minutes is the whole time that Gradescope allows, so at least {_LEAST_MINUTES}")
    spec = load(find_named(spec_name, Path.cwd()))
    target = out or Path(f"{spec.id}-gradescope.zip")
    data = to_gradescope_zip(spec, sandbox=sandbox, minutes=minutes or PLATFORM_MINUTES)
    if str(out) == "-":
        click.echo(data, nl=False)
        return 0
    write_files({target.name: data}, target.parent)
    click.echo(f"{target}: upload it as the autograder; it holds the spec and the reference, so nobody else may see it")
    if sandbox == "none":
        click.echo(
            "grader: without a sandbox a hostile program can read the hidden tests and change its own grade; "
            "docs/how-to/gradescope.md tells how far it gets",
            err=True,
        )
    return 0
