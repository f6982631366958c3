"""`grader export`: grades as a platform or a gradebook takes them."""

import os
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from grader.cli import shared
from grader.core.errors import UsageError
from grader.core.text import count_points, one_line

if TYPE_CHECKING:
    from grader.core.model.gradebook import Gradebook
    from grader.exports.request import Exported, Request, Template
    from grader.results.store import Results

_KATTIS = "kattis"
OTHERS = ("gradescope-zip", _KATTIS)  # formats that are made from a spec and not from results

_GRADESCOPE, _CLASSROOM50, _PAGES = "gradescope", "classroom50", "pages"
_SECRET_NAME = "pages.secret"  # noqa: S105 - a file's name
_SECRET_BYTES = 32
_MIN_MINUTES = 2


def complete_formats(_context: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """Return the formats that begin with the typed text."""
    from grader.exports.registry import EXPORTS

    return [name for name in (*EXPORTS, *OTHERS) if name.startswith(incomplete)]


@click.command("export")
@click.argument("form", metavar="FORMAT", shell_complete=complete_formats)
@click.argument("source", metavar="RESULTS", required=False, type=click.Path(path_type=Path))
@click.option("--out", "-o", metavar="FILE", type=click.Path(), help="Where it goes; - is standard output. [-]")
@click.option("--student", metavar="NAME", help="Only this student: an id, a name, a login or a folder.")
@click.option("--template", metavar="FILE", type=click.Path(path_type=Path), help="The file to fill in.")
@click.option("--assignment", metavar="NAME", default="", help='Its column there, such as "Queens (12345)".')
@click.option("--id-column", metavar="HEADER", help="Moodle: the column with the participants.")
@click.option("--grade-column", metavar="HEADER", help="Moodle: the column with the grades.")
@click.option("--scale", is_flag=True, help="Convert grades to the points that the platform has.")
@click.option("--set", "fields", metavar="NAME=VALUE", multiple=True, help="A field that Classroom 50 wants.")
@click.option(
    "--secret",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="pages: what their names come of; made if it is not there. [RESULTS/pages.secret]",
)
@click.option("--pending", is_flag=True, help="Gradescope: the file that says 'not graded yet'.")
@shared.after_due_option
@shared.sandbox_option
@click.option("--minutes", metavar="N", type=int, help="gradescope-zip: the time that Gradescope allows.")
@click.option("--format", "output", type=click.Choice(["text", "json"]), help="kattis: what is printed. [text]")
def export(**options: Any) -> int:
    """Export the grades in RESULTS, a folder of `grader class` or `grader run`.

    \b
    Formats of a class:
      csv             a line for each student
      canvas          a gradebook that Canvas exported, filled in
      moodle          a grading worksheet or gradebook that Moodle exported, filled in
      moodle-feedback feedback for students, a zip of Moodle's feedback files
      canvas-feedback feedback for students, a zip to re-upload submissions in Canvas
      pages           a page for each student, under an unguessable name, a zip
      github-summary  Markdown, for the summary of a GitHub job
      github-annotations  findings at lines of the source, which a GitHub job prints
      gitlab-codequality  findings at lines of the source, GitLab's code quality report
      times           time, memory and limits of each case, as CSV
      jplag           the submissions, a zip of folders for JPlag, which looks for copies
      dolos           the submissions, a zip for Dolos, which looks for copies
    Formats of one student:
      gradescope      results.json
      prairielearn    results.json
      classroom50     result.json
      autolab         the line of scores
      exercism        results.json
      sarif           mistakes in the source, with their lines
    Of a spec, in place of RESULTS:
      gradescope-zip  an autograder to upload to Gradescope
      kattis          a problem package for Kattis, DOMjudge and others, a folder or a .zip
    An installed package may have others.

    Students who are left out are listed, and then the exit code is 3.
    """  # noqa: D301 - click takes the control character as "keep these lines"
    given = _Options(**options)
    if given.output and given.form != _KATTIS:
        raise UsageError(f"--format is for {_KATTIS}: leave it out, since {given.form} has one form")
    if given.form in OTHERS:
        return _export_spec(given)
    return _deliver(given.form, _export_results(given), given.out)


class _Options(NamedTuple):
    """The options of the command line."""

    form: str
    source: Path | None
    out: str | None
    student: str | None
    template: Path | None
    assignment: str
    id_column: str | None
    grade_column: str | None
    scale: bool
    fields: tuple[str, ...]
    secret: Path | None
    pending: bool
    after_due: bool
    sandbox: str
    minutes: int | None
    output: str | None


def _export_spec(options: _Options) -> int:
    """Export a spec, in one of the formats that are not made from results."""
    if options.source is None:
        raise UsageError(f"{options.form} is made from a spec: `grader export {options.form} SPEC`")
    out = None if options.out is None else Path(options.out)
    if options.form == _KATTIS:
        return _kattis(str(options.source), out, options.sandbox, options.output or "text")
    return _gradescope_zip(str(options.source), out, options.sandbox, options.minutes)


def _export_results(options: _Options) -> "Exported":
    """Export results. Raises UsageError for an unknown format or missing results."""
    from grader.core.report.files import write_files
    from grader.exports.gradescope import pending
    from grader.exports.registry import find_export, make_export
    from grader.exports.request import Exported
    from grader.results.store import open_results

    find_export(options.form, OTHERS)
    if options.pending:
        if options.form != _GRADESCOPE:
            raise UsageError(f"--pending is for {_GRADESCOPE}, which makes a zero of a file that is not there")
        return Exported(content=pending())
    if options.source is None:
        raise UsageError("name the results: a folder that `grader class` or `grader run` wrote")
    with open_results(options.source, after_due=options.after_due) as results:
        made = make_export(options.form, _make_request(options, results))
        if made.staff_files and not options.student:
            write_files(made.staff_files, results.path)
            for name in made.staff_files:
                click.echo(
                    f"grader: the owners of the pages are in {results.path / name}: keep it confidential", err=True
                )
    return made


def _make_request(options: _Options, results: "Results") -> "Request":
    from grader.exports.request import Request

    columns = {"id": options.id_column, "grade": options.grade_column}
    return Request(
        book=_of_one_student(results.book, options.student) if options.student else results.book,
        file=results.file,
        after_due=options.after_due,
        template=_template(options.template),
        assignment=options.assignment,
        scale=options.scale,
        columns={kind: header for kind, header in columns.items() if header},
        fields=_classroom50_fields(options.form, options.fields),
        secret=_read_secret(options.secret or results.path / _SECRET_NAME) if options.form == _PAGES else b"",
    )


def _read_secret(path: Path) -> bytes:
    """Return the content of a secret file, which is created if missing; only its owner may read it."""
    import secrets

    try:
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        except FileExistsError:
            pass
        else:
            with os.fdopen(descriptor, "w") as file:
                file.write(f"{secrets.token_hex(_SECRET_BYTES)}\n")
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
        with os.fdopen(descriptor, "rb") as file:
            is_private = not os.fstat(file.fileno()).st_mode & 0o077
            found = file.read().strip()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; name another file with --secret") from error
    if not is_private:
        raise UsageError(f"others can read {path}, and with it find every page: chmod 600, or name another --secret")
    if len(found) < _SECRET_BYTES:
        raise UsageError(f"{path} is too short to be a secret: remove it, and a new one is made")
    return found


def _of_one_student(book: "Gradebook", student: str) -> "Gradebook":
    """Return the gradebook of one student; raises UsageError when there is none, or several fit."""
    from grader.people.people import find_grades

    fits = find_grades(book, student)
    if len(fits) == 1:
        return replace(book, grades=tuple(fits))
    names = ", ".join(one_line(grade.entry.id) for grade in (fits or book.grades)[:5])
    raise UsageError(f"'{one_line(student)}' may be {names}" if fits else f"nobody is '{one_line(student)}': {names} …")


def _template(path: Path | None) -> "Template | None":
    from grader.exports.request import Template

    if path is None:
        return None
    try:
        return Template(name=path.name, content=path.read_bytes())
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error


def _classroom50_fields(form: str, given: tuple[str, ...]) -> dict[str, str]:
    from grader.exports.classroom50 import fields_from_environment

    if form != _CLASSROOM50:
        if given:
            raise UsageError(f"--set is for {_CLASSROOM50}")
        return {}
    if wrong := [one for one in given if "=" not in one]:
        raise UsageError(f"--set {wrong[0]}: write NAME=VALUE")
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")  # the runner puts the time of the commit there
    return {"datetime": now, **fields_from_environment(os.environ), **dict(one.split("=", 1) for one in given)}


def _deliver(form: str, made: "Exported", out: str | None) -> int:
    """Write the export to its destination, and print its messages."""
    from grader.core.report.files import write_files

    # GitHub shows the file that it names here as the summary of a job.
    summary = os.environ.get("GITHUB_STEP_SUMMARY") if form == "github-summary" and out is None else None
    if summary:
        with Path(summary).open("ab") as file:
            file.write(made.content)
    elif out is None and made.content.startswith(b"PK") and sys.stdout.isatty():
        raise UsageError(f"{form} is a zip: name a file with --out, or - for standard output")
    elif out in {None, "-"}:
        sys.stdout.buffer.write(made.content)
        sys.stdout.buffer.flush()
    else:
        path = Path(str(out))
        if path.is_symlink() or (path.exists() and not path.is_file()):  # devices and links are not replaced
            raise UsageError(f"{path} is no plain file: name one with --out, or - for standard output")
        write_files({path.name: made.content}, path.parent.resolve())
    for line in (*made.notes, *made.left_out):
        click.echo(f"grader: {line}", err=True)
    return shared.UNGRADED if made.left_out else shared.PASSED


def _gradescope_zip(spec_name: str, out: Path | None, sandbox: str, minutes: int | None) -> int:
    """Write the zip of the spec with that path or id to `out`, or to <spec-id>-gradescope.zip here.

    `sandbox` is the level in the container, `minutes` the time that Gradescope allows it; None for what is usual there.
    """
    from grader.core.reader.locate import find_spec
    from grader.core.reader.spec import load
    from grader.core.report.files import write_files
    from grader.exports.gradescope_zip import PLATFORM_MINUTES, to_gradescope_zip

    if minutes is not None and minutes < _MIN_MINUTES:
        raise UsageError(f"--minutes is the whole time that Gradescope allows, so at least {_MIN_MINUTES}")
    spec = load(find_spec(spec_name, (), Path.cwd()))
    target = out or Path(f"{spec.id}-gradescope.zip")
    data = to_gradescope_zip(spec, sandbox=sandbox, minutes=minutes or PLATFORM_MINUTES)
    if str(out) == "-":
        click.echo(data, nl=False)
        return shared.PASSED
    write_files({target.name: data}, target.parent)
    click.echo(f"{target}: upload it as the autograder; it holds the spec and the reference, so keep it confidential")
    if sandbox == "none":
        click.echo(
            "grader: without a sandbox a hostile program can read the hidden tests and change its own grade; "
            "docs/how-to/gradescope.md describes how far it gets",
            err=True,
        )
    return shared.PASSED


def _kattis(spec_name: str, out: Path | None, sandbox: str, output: str) -> int:
    """Write the problem package of a spec to `out`, or to a folder here that is named as Kattis names problems.

    `output` is `text` or `json`. What the package has not as the spec says it is printed, a line each.
    """
    from grader.check.samples import read_samples
    from grader.core.course import prepare
    from grader.core.reader.locate import find_spec
    from grader.exports.kattis import package_to_json, to_kattis, write_package
    from grader.exports.kattis_submissions import list_submissions

    if str(out) == "-":
        raise UsageError("a package is a folder or a zip: name it with --out")
    if out is not None and os.path.lexists(out):
        raise UsageError(f"{out} is there already: remove it, or name another with --out")
    course = prepare(find_spec(spec_name, (), Path.cwd()), sandbox=sandbox)
    package = to_kattis(course, [sample.submission for sample in read_samples(course.spec)])
    target = out or Path(package.name)
    write_package(package, target)
    if output == "json":
        click.echo(package_to_json(package, target), nl=False)
        return shared.PASSED
    worth = f", {count_points(package.points)}" if package.is_scoring else ""
    click.echo(
        f"{target}: {'scoring' if package.is_scoring else 'pass-fail'}{worth}; {package.validator} output validator"
    )
    click.echo(f"Submissions: {list_submissions(package.submissions) or 'none'}.")
    click.echo("It holds the hidden tests and the samples, so keep it confidential.")
    if package.notes:
        click.echo("\nNot as in the spec:")
        for note in package.notes:
            click.echo(f"- {note}")
    return shared.PASSED
