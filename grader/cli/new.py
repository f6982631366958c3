"""`grader new`: an assignment to start from."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli import record, shared
from grader.errors import UsageError
from grader.model import LANGUAGES

if TYPE_CHECKING:
    from grader.author.new import Adopted


@click.command()
@click.argument("spec_id", metavar="ID")
@click.option("--language", type=click.Choice(LANGUAGES), required=True, help="The language of the submissions.")
@click.option(
    "--from", "program", metavar="PROGRAM", help="Your own program, in any language: it becomes the reference."
)
@record.args_option
@record.stdin_option
@record.literal_option
@shared.sandbox_option
def new(
    spec_id: str,
    language: str,
    program: str | None,
    lines: tuple[str, ...],
    stdin: Path | None,
    literal: bool,
    sandbox: str,
) -> int:
    """Write a new assignment: a spec, a reference, two samples and what they must get.

    It lints and verifies at once, and nothing that is there is overwritten. With --from, cases are recorded from runs
    of that program: one for each --args, and one without arguments.
    """
    from grader.author.new import adopt, course_root, create, start_assignment

    root = course_root(Path.cwd())
    if program is None:
        if lines or stdin or literal:
            raise UsageError("--args, --stdin and --literal are for recording: name your program with --from")
        _tell_what_is_next(spec_id, root, create(root, start_assignment(spec_id, language)), "right")
        return shared.PASSED
    runs = record.runs(("", *(line for line in lines if line.strip())), stdin, root)
    adopted = adopt(spec_id, language, program, runs, root, sandbox=sandbox, as_text=literal)
    made = create(root, adopted.files)
    _show_recorded(adopted)
    _tell_what_is_next(spec_id, root, made, "right" if any("/right/" in name for name in adopted.files) else "")
    return shared.PASSED


def _show_recorded(adopted: "Adopted") -> None:
    from shlex import join

    from grader.text import one_line

    for run, execution in adopted.recorded:
        click.echo(f"$ {one_line(join(('program', *run.args)))}")
        record.show_output(execution)
    for run, why in adopted.left_out:
        click.echo(f"not recorded: {one_line(join(('program', *run.args)))}: {one_line(why)}", err=True)


def _tell_what_is_next(spec_id: str, root: Path, made: "list[Path]", sample: str) -> None:
    """Say what was written, and what comes next."""
    for path in made:
        click.echo(shared.from_here(path))
    spec = shared.from_here(root / "specs" / f"{spec_id}.yaml")
    last = f"grader run {shared.from_here(root / 'sample_submissions' / spec_id / sample)}" if sample else ""
    click.echo("\nNext:")
    for command in (f"grader lint {spec}", f"grader verify {spec}", last or f"grader handout {spec}"):
        click.echo(f"  {command}")
