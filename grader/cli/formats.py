"""Other people's formats: `grader export` writes grades and specs in them, `grader import` makes specs of them."""

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, NamedTuple

import click

from grader.cli import lazy, shared
from grader.cli.shared import flag, option
from grader.core.errors import GraderError, SpecError, UsageError
from grader.core.plugins import format_rows
from grader.core.text import count, count_points, listed, one_line, size
from grader.exports.registry import EXPORTS, SPEC_FORMATS, find_export, formats_in_words, make_export
from grader.imports.registry import IMPORTERS, find_importer, kattis_options

_MIN_SECRET_BYTES = 32


class ExportCommand(NamedTuple):
    """Export the grades of results, or a spec."""

    form: str = shared.argument("FORMAT", shell_complete=shared.completing(*EXPORTS, *SPEC_FORMATS))
    source: Path | None = shared.argument("RESULTS", required=False)
    out: Path | None = option("FILE", "Where it goes; - is standard output. [-]", "--out", "-o")
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
    minutes: int = option("N", "gradescope-zip: the time that Gradescope allows.", type=click.IntRange(2), default=10)
    output: str | None = option(
        None, "kattis: what is printed. [text]", "--format", type=click.Choice(["text", "json"])
    )

    def _run(self) -> int:
        for given, name, form in (
            (self.output, "--format", "kattis"),
            (self.pending, "--pending", "gradescope"),
            (self.fields, "--set", "classroom50"),
        ):
            if given and self.form != form:
                raise UsageError(f"{name} is for {form}: leave it out")
        if self.form not in SPEC_FORMATS:
            return self._deliver(self._export_results(), self.out)
        if self.source is None:
            raise UsageError(f"{self.form} is made from a spec: `grader export {self.form} SPEC`")
        (self._write_package if self.form == "kattis" else self._write_autograder)(shared.find_spec(str(self.source)))
        return shared.PASSED

    def _export_results(self) -> "lazy.request.Exported":
        """Export results. Raises UsageError for an unknown format or missing results."""
        find_export(self.form)
        if self.pending:
            return lazy.request.Exported(content=lazy.single.pending())
        if self.source is None:
            raise UsageError("name the results: a folder that `grader class` or `grader run` wrote")
        with lazy.store.open_results(self.source, after_due=self.after_due) as results:
            exported = make_export(self.form, self._make_request(results))
            if exported.staff_files and not self.student:
                lazy.json.write_files(exported.staff_files, results.path)
                for path in (results.path / name for name in exported.staff_files):
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
        if wrong := [field for field in self.fields if "=" not in field]:
            raise UsageError(f"--set {wrong[0]}: write NAME=VALUE")
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")  # the runner puts the time of the commit there
        known = {"datetime": now, **lazy.single.fields_from_environment(os.environ)}
        return known | dict(field.split("=", 1) for field in self.fields)

    def _deliver(self, exported: "lazy.request.Exported", out: Path | None) -> int:
        """Write the export to its destination, which a job at GitHub names for its summary, and print its messages."""
        if out is None and self.form == "github-summary" and (summary := os.environ.get("GITHUB_STEP_SUMMARY")):
            with Path(summary).open("ab") as file:
                file.write(exported.content)
        elif out is None and exported.content.startswith(b"PK") and sys.stdout.isatty():
            raise UsageError(f"{self.form} is a zip: name a file with --out, or - for standard output")
        else:
            shared.deliver(exported.content, out)
        shared.echo(*(f"grader: {line}" for line in (*exported.notes, *exported.left_out)), err=True)
        return shared.UNGRADED if exported.left_out else shared.PASSED

    def _write_autograder(self, path: Path) -> None:
        """Write the zip for Gradescope to where it goes, or to <spec-id>-gradescope.zip here."""
        spec = lazy.spec.load(path)
        data = lazy.gradescope_zip.to_gradescope_zip(spec, sandbox=self.sandbox, minutes=self.minutes)
        target = self.out or Path(f"{spec.id}-gradescope.zip")
        harm = "without a sandbox a hostile program can read the hidden tests and change its own grade"
        notes = (f"{harm}; docs/how-to/gradescope.md describes how far it gets",) * (self.sandbox == "none")
        self._deliver(lazy.request.Exported(content=data, notes=notes), target)
        if target != shared.STANDARD_OUTPUT:
            advice = "upload it as the autograder; it holds the spec and the reference, so keep it confidential"
            click.echo(f"{target}: {advice}")

    def _write_package(self, path: Path) -> None:
        """Write the package for Kattis to where it goes, or to a folder here with the name that Kattis gives it.

        What the package has not as the spec says it is printed, a line each.
        """
        if self.out == shared.STANDARD_OUTPUT:
            raise UsageError("a package is a folder or a zip: name it with --out")
        if self.out is not None and os.path.lexists(self.out):
            raise UsageError(f"{self.out} is there already: remove it, or name another with --out")
        course, kattis = lazy.pipeline.prepare(path, sandbox=self.sandbox), lazy.kattis
        package = kattis.to_kattis(course, [sample.submission for sample in lazy.samples.read_samples(course.spec)])
        target = self.out or Path(package.name)
        kattis.write_package(package, target)
        facts = package.facts
        if self.output == "json":
            click.echo(lazy.json.to_json({"package": str(target), **facts}), nl=False)
            return
        worth = f", {count_points(facts['points'])}" if facts["type"] == "scoring" else ""
        click.echo(f"{target}: {facts['type']}{worth}; {facts['validator']} output validator")
        folders = Counter(program["path"].partition("/")[0].replace("_", " ") for program in facts["submissions"])
        submissions = listed([f"{number} {folder}" for folder, number in folders.items()])
        click.echo(f"Submissions: {submissions or 'none'}.")
        click.echo("It holds the hidden tests and the samples, so keep it confidential.")
        _print_notes("Not as in the spec:", facts["notes"])


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
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
            is_private = not os.fstat(file.fileno()).st_mode & 0o077
            secret = file.read().strip()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}; name another file with --secret") from error
    if not is_private:
        raise UsageError(f"others can read {path}, and with it find every page: chmod 600, or name another --secret")
    if len(secret) < _MIN_SECRET_BYTES:
        raise UsageError(f"{path} is too short to be a secret: remove it, and a new one is made")
    return secret


# ---------------------------------------------------------------- import


_Outcome = tuple[str, "lazy.imports.Written | UsageError | SpecError"]
"""the path of an assignment, and what was written of it, or why it was refused"""


class ImportCommand(NamedTuple):
    """Make specs of what other graders have."""

    form: str = shared.argument("FORMAT", shell_complete=shared.completing(*IMPORTERS))
    paths: tuple[Path, ...] = shared.argument("PATH...")
    name: str | None = option("ID", "The name of the assignment. [that of the folder]", "--id")
    out: Path = option("DIR", "The course's folder. [here]", default=".")
    max_size: str | None = option("SIZE", "kattis: the most that a package may have. [1 GiB]")
    measure: bool = flag("kattis: run the accepted programs, to derive a missing time limit.")
    link: bool = flag("kattis: hard links to large data, instead of copies.")
    output: str = shared.format_option

    def _run(self) -> int:
        with lazy.screen.TerminalLine() as line:
            outcomes, is_one = self._import_all(line)
        if self.output == "json":
            import json

            rows = [
                {"path": shown, "error": str(result)}
                if isinstance(result, GraderError)
                else {"spec": str(result.spec), "files": result.files, "notes": result.notes}
                for shown, result in outcomes
            ]
            click.echo(json.dumps(rows[0] if is_one else rows))
        elif not is_one:
            shared.echo(*_table_of(outcomes))
        return UsageError.exit_code if any(isinstance(result, GraderError) for _, result in outcomes) else shared.PASSED

    def _import_all(self, line: "lazy.screen.TerminalLine") -> tuple[list[_Outcome], bool]:
        """Write an assignment of each package; return also whether it is a single one, whose mistake is raised."""

        def tell(what: str, octets: int) -> None:
            line.show("", f"{what}, {size(octets)}")

        packages, paths, outcomes = lazy.kattis_package, self.paths, list[_Outcome]()
        kattis = kattis_options(self.form, self.max_size, measure=self.measure, link=self.link, tell=tell)
        read = find_importer(self.form, kattis)
        found = [packages.find_sources(path) if kattis else [packages.ProblemSource(path, str(path))] for path in paths]
        sources = [source for group in found for source in group]
        is_one = len(paths) == 1 and [source.path for source in sources] == [*paths]
        for source in sources:
            line.show(source.path.name)
            try:
                with packages.unpacked(source, kattis) if kattis else nullcontext([source]) as problems:
                    is_one = is_one and len(problems) == 1
                    if self.name is not None and not is_one:
                        raise UsageError("--id names one assignment: import one at a time with it")  # noqa: TRY301
                    for problem in problems:
                        line.show(problem.path.name)
                        outcomes.append((problem.shown, self._import_one(problem, read, tell)))
                        with line.hidden():
                            self._describe(outcomes[-1][1])
            except UsageError as error:
                if self.name is not None:
                    raise
                outcomes.append((source.shown, error))
        if is_one and isinstance(refused := outcomes[0][1], GraderError):
            raise refused
        return outcomes, is_one

    def _import_one(
        self,
        package: "lazy.kattis_package.ProblemSource",
        read: Callable[..., "lazy.imports.Imported"],
        tell: "lazy.imports.Tell",
    ) -> "lazy.imports.Written | UsageError | SpecError":
        """Write an assignment, or return why not."""
        try:
            draft = read(package.path, self.name)
            return lazy.imports.write_assignment(draft, self.out, link=self.link, tell=tell)
        except (UsageError, SpecError) as error:
            message = package.describe(error)
            return error if message == str(error) else UsageError(message)

    def _describe(self, result: "lazy.imports.Written | UsageError | SpecError") -> None:
        if isinstance(result, GraderError) or self.output == "json":
            return
        click.echo(f"Wrote {one_line(str(result.spec))} and {count(len(result.files) - 1, 'more file')}.")
        _print_notes("Not carried over as it was:", result.notes)
        click.echo(f"\nNext: grader verify {one_line(str(result.spec))}")


ImportCommand.__doc__ = f"""Make a spec of what another grader has, and say what could not be carried over.

\b
{format_rows({"FORMAT": "PATH", **{name: one.about for name, one in IMPORTERS.items()}})}

An installed package may have others. Writes specs/ID.yaml and what belongs to it below --out; a file that
is there is never overwritten. Of several, a table at the end says what was imported or refused, and why.
"""


def _print_notes(heading: str, notes: Sequence[str]) -> None:
    if notes:
        click.echo(f"\n{heading}")
    for note in notes:
        click.echo(f"- {one_line(note, 2000)}")


def _table_of(outcomes: Sequence[_Outcome]) -> Iterator[str]:
    """Yield a line for each assignment, and one with their numbers."""
    width = max((len(one_line(shown)) for shown, _ in outcomes), default=0)
    yield ""
    for shown, result in outcomes:
        if isinstance(result, GraderError):
            line = f"refused: {one_line(str(result).removeprefix(f'{shown}: '), 2000)}"
        else:
            notes = f"; {count(len(result.notes), 'note')} above" if result.notes else ""
            line = f"imported: {', '.join(name for name in result.files if name.startswith('specs/'))}{notes}"
        yield f"{one_line(shown).ljust(width)}  {line}"
    refused = sum(isinstance(result, GraderError) for _, result in outcomes)
    yield f"{count(len(outcomes) - refused, 'assignment')} imported, {refused} refused"
