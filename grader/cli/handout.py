"""`grader handout`: what students may know of an assignment."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli import shared
from grader.errors import UsageError

if TYPE_CHECKING:
    from grader.pipeline import Course

_USUAL = ""


@click.command()
@click.argument("spec", metavar="SPEC")
@click.option(
    "--out", metavar="FILE", type=click.Path(path_type=Path), help="Write the page there; else it is printed."
)
@click.option(
    "--public",
    "copy",
    metavar="[FILE]",
    is_flag=False,
    flag_value=_USUAL,
    help="Write a copy of the spec that students run at home. [handout/<spec-id>/specs/<spec-id>.yaml]",
)
@click.option(
    "--share", metavar="FILE", multiple=True, help="Students may have this file, though the reference uses it."
)
@shared.jobs_option
@shared.sandbox_option
def handout(
    spec: str, out: Path | None, copy: str | None, share: tuple[str, ...], jobs: int | None, sandbox: str
) -> int:
    """Write what students may know of an assignment, as Markdown.

    The contract, a sample session of the reference, points, limits, and what is tolerated. Of hidden tests there are
    the points alone. A public copy has neither hidden tests nor the reference: what that says is written out.
    """
    from grader import pipeline
    from grader.author.handout import to_handout
    from grader.report import write_files

    path = shared.spec_file(spec)
    workers = jobs or shared.cores()
    with shared.stopping() as cancelled:
        course = pipeline.prepare(path, sandbox=sandbox, workers=workers, cancelled=cancelled)
        if out is not None or copy is None:
            page = to_handout(course)
            if out is None:
                click.echo(page, nl=False)
            else:
                write_files({out.name: page.encode()}, out.parent, "the handout")
                click.echo(f"{out}: what students may know")
        if copy is not None:
            _write_copy(course, copy, frozenset(share), workers)
    return shared.PASSED


def _write_copy(course: "Course", named: str, share: frozenset[str], jobs: int) -> None:
    from grader.author.public import make_public, place_of_copy, write_public

    name = course.spec.id
    target = place_of_copy(course.spec, Path(named) if named else Path("handout") / name / "specs" / f"{name}.yaml")
    for file in share:
        if not (course.spec.root / file).is_file():
            raise UsageError(f"--share {file}: there is no such file in {course.spec.root}; name it from there")
    found = make_public(course, shared=share, jobs=jobs)
    for path in write_public(found, target):
        click.echo(shared.from_here(path))
    # What is in the copy and what is not: the instructor has to know both.
    tests = len(course.spec.tests) - found.hidden - len(found.left_out)
    click.echo(f"{tests} of {len(course.spec.tests)} tests are in it.")
    if found.files:
        click.echo("Students can read all of these files: look through them for what they should not know.")
    if found.hidden:
        click.echo(f"Hidden, and not in it: {found.hidden}.")
    for test, why in found.left_out.items():
        click.echo(f"Left out: {test}: {why}", err=True)
