"""`grader export`: grades as a platform or a gradebook takes them."""

import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, NamedTuple

import click

from grader.cli import lazy, shared
from grader.cli.shared import flag, option
from grader.core.errors import UsageError
from grader.core.text import count_points
from grader.exports.registry import EXPORTS, SPEC_FORMATS, find_export, formats_in_words, make_export

_MIN_SECRET_BYTES = 32
_MIN_MINUTES = 2


class ExportCommand(NamedTuple):
    """Export the grades of results, or a spec."""

    form: str = shared.argument("FORMAT", shell_complete=shared.completing(*EXPORTS, *SPEC_FORMATS))
    source: Path | None = shared.argument("RESULTS", required=False)
    out: str | None = option("FILE", "Where it goes; - is standard output. [-]", "--out", "-o", type=click.Path())
    student: str | None = option("NAME", "Only this student: an id, a name, a login or a folder.")
    template: BinaryIO | None = option("FILE", "The file to fill in.", type=click.File("rb"))
    assignment: str = option("NAME", 'Its column there, such as "Queens (12345)".', default="")
    id_column: str | None = option("HEADER", "Moodle: the column with the participants.")
    grade_column: str | None = option("HEADER", "Moodle: the column with the grades.")
    scale: bool = flag("Convert grades to the points that the platform has.")
    fields: tuple[str, ...] = option("NAME=VALUE", "A field that Classroom 50 wants.", "--set")
    secret: Path | None = option(
        "FILE", "pages: what their names come of; made if it is not there. [RESULTS/pages.secret]"
    )
    pending: bool = flag("Gradescope: the file that says 'not graded yet'.")
    after_due: bool = shared.after_due_option
    sandbox: str = shared.sandbox_option
    minutes: int | None = option("N", "gradescope-zip: the time that Gradescope allows.")
    output: str | None = option(
        None, "kattis: what is printed. [text]", "--format", type=click.Choice(["text", "json"])
    )

    def _run(self) -> int:
        if self.output and self.form != "kattis":
            raise UsageError(f"--format is for kattis: leave it out, since {self.form} has one form")
        if self.form not in SPEC_FORMATS:
            return self._deliver(self._export_results())
        if self.source is None:
            raise UsageError(f"{self.form} is made from a spec: `grader export {self.form} SPEC`")
        (self._write_package if self.form == "kattis" else self._write_autograder)(shared.find_spec(str(self.source)))
        return shared.PASSED

    def _export_results(self) -> "lazy.request.Exported":
        """Export results. Raises UsageError for an unknown format or missing results."""
        find_export(self.form)
        if self.pending:
            if self.form != "gradescope":
                raise UsageError("--pending is for gradescope, which makes a zero of a file that is not there")
            return lazy.request.Exported(content=lazy.single.pending())
        if self.source is None:
            raise UsageError("name the results: a folder that `grader class` or `grader run` wrote")
        with lazy.store.open_results(self.source, after_due=self.after_due) as results:
            exported = make_export(self.form, self._make_request(results))
            if exported.staff_files and not self.student:
                lazy.json.write_files(exported.staff_files, results.path)
                for name in exported.staff_files:
                    path = results.path / name
                    click.echo(f"grader: the owners of the pages are in {path}: keep it confidential", err=True)
        return exported

    def _make_request(self, results: "lazy.store.Results") -> "lazy.request.Request":
        from dataclasses import replace

        book, columns, file = results.book, {"id": self.id_column, "grade": self.grade_column}, self.template
        if self.student:
            book = replace(book, grades=(lazy.people.find_grade(book, self.student),))
        return lazy.request.Request(
            book=book,
            file=results.file,
            after_due=self.after_due,
            template=lazy.request.Template(name=Path(file.name).name, content=file.read()) if file else None,
            assignment=self.assignment,
            scale=self.scale,
            columns={kind: header for kind, header in columns.items() if header},
            fields=self._classroom50_fields(),
            secret=_read_secret(self.secret or results.path / "pages.secret") if self.form == "pages" else b"",
        )

    def _classroom50_fields(self) -> dict[str, str]:
        if self.fields and self.form != "classroom50":
            raise UsageError("--set is for classroom50")
        if wrong := [field for field in self.fields if "=" not in field]:
            raise UsageError(f"--set {wrong[0]}: write NAME=VALUE")
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")  # the runner puts the time of the commit there
        known = {"datetime": now, **lazy.single.fields_from_environment(os.environ)}
        return known | dict(field.split("=", 1) for field in self.fields)

    def _deliver(self, exported: "lazy.request.Exported") -> int:
        """Write the export to its destination, and print its messages."""
        summary = os.environ.get("GITHUB_STEP_SUMMARY")  # GitHub shows the file of this name as the summary of a job
        if summary and self.form == "github-summary" and self.out is None:
            with Path(summary).open("ab") as file:
                file.write(exported.content)
        elif self.out is None and exported.content.startswith(b"PK") and sys.stdout.isatty():
            raise UsageError(f"{self.form} is a zip: name a file with --out, or - for standard output")
        elif self.out in {None, "-"}:
            sys.stdout.buffer.write(exported.content)
            sys.stdout.buffer.flush()
        else:
            path = Path(str(self.out))
            if path.is_symlink() or (path.exists() and not path.is_file()):  # devices and links are not replaced
                raise UsageError(f"{path} is no plain file: name one with --out, or - for standard output")
            shared.write_file(path.parent.resolve() / path.name, exported.content)
        for line in (*exported.notes, *exported.left_out):
            click.echo(f"grader: {line}", err=True)
        return shared.UNGRADED if exported.left_out else shared.PASSED

    def _write_autograder(self, path: Path) -> None:
        """Write the zip for Gradescope to where it goes, or to <spec-id>-gradescope.zip here."""
        minutes = lazy.gradescope_zip.PLATFORM_MINUTES if self.minutes is None else self.minutes
        if minutes < _MIN_MINUTES:
            raise UsageError(f"--minutes is the whole time that Gradescope allows, so at least {_MIN_MINUTES}")
        spec = lazy.spec.load(path)
        data = lazy.gradescope_zip.to_gradescope_zip(spec, sandbox=self.sandbox, minutes=minutes)
        if self.out == "-":
            click.echo(data, nl=False)
            return
        target = Path(self.out or f"{spec.id}-gradescope.zip")
        shared.write_file(target, data)
        click.echo(
            f"{target}: upload it as the autograder; it holds the spec and the reference, so keep it confidential"
        )
        if self.sandbox == "none":
            harm = "without a sandbox a hostile program can read the hidden tests and change its own grade"
            click.echo(f"grader: {harm}; docs/how-to/gradescope.md describes how far it gets", err=True)

    def _write_package(self, path: Path) -> None:
        """Write the package for Kattis to where it goes, or to a folder here with the name that Kattis gives it.

        What the package has not as the spec says it is printed, a line each.
        """
        if self.out == "-":
            raise UsageError("a package is a folder or a zip: name it with --out")
        if self.out is not None and os.path.lexists(self.out):
            raise UsageError(f"{self.out} is there already: remove it, or name another with --out")
        course, kattis = lazy.pipeline.prepare(path, sandbox=self.sandbox), lazy.kattis
        package = kattis.to_kattis(course, [sample.submission for sample in lazy.samples.read_samples(course.spec)])
        target = Path(self.out or package.name)
        kattis.write_package(package, target)
        if self.output == "json":
            click.echo(kattis.package_to_json(package, target), nl=False)
            return
        kind = f"scoring, {count_points(package.points)}" if package.is_scoring else "pass-fail"
        click.echo(f"{target}: {kind}; {package.validator} output validator")
        click.echo(f"Submissions: {kattis.list_submissions(package.submissions) or 'none'}.")
        click.echo("It holds the hidden tests and the samples, so keep it confidential.")
        if package.notes:
            click.echo("\nNot as in the spec:")
        for note in package.notes:
            click.echo(f"- {note}")


ExportCommand.__doc__ = f"""Export the grades in RESULTS, a folder of `grader class` or `grader run`.

\b
{formats_in_words()}
An installed package may have others.

Students who are left out are listed, and then the exit code is 3.
"""


def _read_secret(path: Path) -> bytes:
    """Return the content of a secret file, which is created if missing; only its owner may read it."""
    import secrets

    try:
        if not os.path.lexists(path):
            path.touch(mode=0o600, exist_ok=False)
            path.write_text(f"{secrets.token_hex(_MIN_SECRET_BYTES)}\n")
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW), "rb") as file:
            is_private = not os.fstat(file.fileno()).st_mode & 0o077
            secret = file.read().strip()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; name another file with --secret") from error
    if not is_private:
        raise UsageError(f"others can read {path}, and with it find every page: chmod 600, or name another --secret")
    if len(secret) < _MIN_SECRET_BYTES:
        raise UsageError(f"{path} is too short to be a secret: remove it, and a new one is made")
    return secret
