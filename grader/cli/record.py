"""`grader record`: cases from runs of the reference, and what it says otherwise than the spec."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli import shared
from grader.errors import UsageError

if TYPE_CHECKING:
    from grader.author.record import Run
    from grader.model import Case, Execution, Spec
    from grader.pipeline import Course

_MOST_TEXT = 4096
"""bytes of an input that is written into the spec; a longer one stays a file"""

args_option = click.option(
    "--args", "lines", metavar="'A B'", multiple=True, help="The arguments of a run, as in a shell (may be repeated)."
)
stdin_option = click.option(
    "--stdin", "stdin", metavar="FILE", type=click.Path(path_type=Path), help="Standard input of these runs."
)
literal_option = click.option("--literal", is_flag=True, help="Write the text itself, and not the word reference.")


@click.command()
@click.argument("spec", metavar="SPEC")
@click.option("--test", "test", metavar="NAME", help="The test that is meant.")
@args_option
@stdin_option
@literal_option
@click.option("--points", "worth", metavar="N", help="Make a new test of that name, with so many points.")
@click.option("--accept", "accepting", is_flag=True, help="Write what the reference says now into the spec.")
@shared.jobs_option
@shared.sandbox_option
def record(
    spec: str,
    test: str | None,
    lines: tuple[str, ...],
    stdin: Path | None,
    literal: bool,
    worth: str | None,
    accepting: bool,
    jobs: int | None,
    sandbox: str,
) -> int:
    """Add cases to a spec from runs of its reference: one for each --args, which may be ''.

    Without --args and --stdin, and for a case that is there already, the texts in the spec are held against what the
    reference says now. The differences are shown, with exit code 1; --accept writes them into the spec. Comments and
    layout stay as they are.
    """
    from grader import pipeline

    path = shared.from_here(shared.spec_file(spec))
    workers = jobs or shared.cores()
    with shared.stopping() as cancelled:
        course = pipeline.prepare(path, sandbox=sandbox, workers=workers, cancelled=cancelled)
        if course.spec.reference is None:
            raise UsageError(f"{path} has no reference: name its command there, under the key reference")
        wanted = runs(lines, stdin, course.spec.root)
        if not wanted:
            return _hold_against(
                course, path, [case.id for case in _cases_of(course.spec, test)], workers, accepting=accepting
            )
        known = [_case_of(course.spec, test, run) for run in wanted]
        code = shared.PASSED
        if there := [case.id for case in known if case]:
            code = _hold_against(course, path, there, workers, accepting=accepting)
        new = [run for run, case in zip(wanted, known, strict=True) if case is None]
        for run in new:
            course = _add_run(course, path, test, worth, run, literal=literal)
            worth = None
        return code


def runs(lines: Sequence[str], stdin: Path | None, root: Path) -> "list[Run]":
    """Return the runs that are asked for: one for each line of arguments, and one without any for an input alone."""
    from grader.author.record import Run

    if not lines and stdin is None:
        return []
    data, file = _read_stdin(stdin, root)
    found = []
    for line in lines or ("",):
        try:
            args = tuple(shlex.split(line))
        except ValueError as error:
            raise UsageError(f"--args {line!r} cannot be split into words: {str(error).lower()}") from error
        found.append(Run(args=args, stdin=data, stdin_file=file))
    return found


def _read_stdin(path: Path | None, root: Path) -> tuple[bytes, str]:
    """Read an input: a short text is written into the spec, anything else has to be a file of the course."""
    if path is None:
        return b"", ""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"--stdin {path} cannot be read: {error.strerror}") from error
    try:
        if len(data.decode()) <= _MOST_TEXT:
            return data, ""
    except UnicodeDecodeError:
        pass
    if not path.resolve().is_relative_to(root):
        raise UsageError(f"--stdin {path} is long, or no text: put it somewhere below {root}, so that it can be named")
    return data, path.resolve().relative_to(root).as_posix()


def _cases_of(spec: "Spec", test: str | None) -> "list[Case]":
    names = [each.name for each in spec.tests]
    if test is not None and test not in names:
        raise UsageError(f"there is no test {test!r} in {spec.id}; its tests are: {', '.join(names)}")
    return [case for each in spec.tests for case in each.cases if test in (None, each.name)]


def _case_of(spec: "Spec", test: str | None, run: "Run") -> "Case | None":
    """Return the case that a run is already, in that test or in any."""
    for each in spec.tests:
        for case in each.cases:
            plain = case.command is None and case.functions is None and not case.dialogue
            if plain and test in (None, each.name) and (case.args, case.stdin) == (run.args, run.stdin):
                return case
    return None


# ---------------------------------------------------------------- a new case


def _add_run(
    course: "Course", path: Path, test: str | None, worth: str | None, run: "Run", *, literal: bool
) -> "Course":
    """Add a case and write the spec; return the course with it."""
    from dataclasses import replace

    from grader.author.record import add_case, add_test, find_open_test
    from grader.author.written import CannotBeWrittenError
    from grader.load import read
    from grader.report import write_files
    from grader.text import one_line

    try:
        if worth is not None:
            if test is None:
                raise UsageError("--points makes a new test: name it with --test")
            recorded = add_test(course, test, worth, run, as_text=literal)
        else:
            recorded = add_case(course, find_open_test(course.spec, test), run, as_text=literal)
    except CannotBeWrittenError as error:
        raise UsageError(f"nothing was recorded: {error}") from error
    write_files({path.name: recorded.data}, path.parent, "the spec")
    click.echo(f"$ {one_line(recorded.command)}")
    show_output(recorded.execution)
    click.echo(f"{path}: {one_line(recorded.case.id)} is new:")
    click.echo("".join(f"  {line}\n" for line in recorded.written.splitlines()), nl=False)
    return replace(course, spec=read(recorded.data, str(path), course.spec.root))


def show_output(execution: "Execution") -> None:
    """Print what a program wrote, stream by stream, and a status that is not 0."""
    from grader.text import show

    for name, output in (("", execution.stdout), ("[standard error]\n", execution.stderr)):
        if output:
            click.echo(name + show(output.removesuffix(b"\n")))
    if execution.status:
        click.echo(f"[exit status {execution.status}]")


# ---------------------------------------------------------------- what is there


def _hold_against(course: "Course", path: Path, ids: Sequence[str], jobs: int, *, accepting: bool) -> int:
    """Hold cases against the reference, and show where it says something else; change the spec if told to."""
    from grader.author.record import accept, find_disagreements
    from grader.report import write_files
    from grader.report.view import diff_lines
    from grader.text import count, one_line
    from grader.verify.right import ask_all

    answered = [one for one in ask_all(course, jobs) if one.case.id in ids]
    failed = [one for one in answered if one.is_wrong and one.error]
    for unknown in failed:
        click.echo(f"{unknown.case.id}: {unknown.error}", err=True)
    found = find_disagreements(answered)
    for one in found:
        case = one_line(one.case.id)
        if one.message:
            click.echo(f"{case}: {one.message}")
        else:
            click.echo(f"{case}, {one.what} (- the spec, + the reference):")
            for line in diff_lines(one.before, one.after):
                click.echo(f"  {line}")
    if failed:
        return shared.UNGRADED
    if not found:
        click.echo(f"{path}: the reference does what the spec says in {count(len(ids), 'case')}")
        return shared.PASSED
    if not accepting:
        click.echo(f"{path}: nothing was changed; --accept writes what the reference says")
        return shared.LOST
    data, left = accept(course.spec, found)
    if data != course.spec.source_text:
        write_files({path.name: data}, path.parent, "the spec")
    for one, why in left:
        click.echo(f"{one.case.id}, {one.what}: not changed: {why}", err=True)
    click.echo(f"{path}: {len(found) - len(left)} of {len(found)} changed")
    return shared.LOST if left else shared.PASSED
