"""Commands that write specs: from nothing or a program (`new`), from runs (`record`).

`grader handout` writes the part of a spec that students may know.
"""

import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from os.path import relpath
from pathlib import Path
from typing import NamedTuple

import click

from grader.cli import lazy, shared
from grader.cli.shared import flag, option
from grader.core.errors import CannotBeWrittenError, UsageError
from grader.core.text import count, one_line, show

LIKE = ("dialogue", "filter", "class", "pointers", "interactive", "several", "student-tests")
"""kinds of assignment that can be started from, each with a template"""
_args = option("'A B'", "The arguments of a run, as in a shell (may be repeated).", "--args")
_stdin = option(
    "FILE", "Standard input of these runs; several, or a pattern such as 'tests/*.in', make a run of each.", "--stdin"
)
_files = option("NAME=PATH", "A file that these runs find (may be repeated).", "--file")
_literal = flag("Write the text itself, and not the word reference.", "--literal")


class NewCommand(NamedTuple):
    """Write a new assignment: a spec, a reference, two samples and what they must get.

    The result passes lint and verify as it is, and no file is overwritten. --like starts from a whole assignment of a
    kind: a dialogue, a filter of text, a class, an object in C behind a pointer, a program that interacts. With --from,
    cases are recorded from runs of that program: one for each --args, and one without arguments; for each --stdin,
    where there are several.
    """

    spec_id: str = shared.argument("ID")
    language: str | None = option(
        None, "The language of the submissions, such as java; `grader doctor` lists them.", type=shared.LANGUAGE
    )
    like: str | None = option(
        None, "The kind of assignment to start from, instead of one in a language.", type=click.Choice(LIKE)
    )
    program: str | None = option(
        "PROGRAM", "Your own program, in any language: it becomes the reference.", "--from", type=click.Path()
    )
    args: tuple[str, ...] = _args
    stdin: tuple[str, ...] = _stdin
    files: tuple[str, ...] = _files
    literal: bool = _literal
    sandbox: str = shared.sandbox_option

    def _run(self) -> None:
        new, root = lazy.new, lazy.locate.root_at(Path.cwd())
        if self.language is None and self.like is None:
            raise UsageError("name the language of submissions with --language, or a kind of assignment with --like")
        if self.like and self.program is not None:
            raise UsageError("--like and --from both say what to start from: leave one out")
        if self.program is not None:
            lines = ("", *(line for line in self.args if line.strip()))
            alike = lazy.record.Run(files=lazy.record.read_files(self.files, root))
            runs = lazy.record.make_runs(alike, lines, self.stdin, root)
            given = (self.spec_id, self.language or "", self.program, runs, root)
            started = new.adopt(*given, sandbox=self.sandbox, as_text=self.literal)
        elif self.args or self.stdin or self.files or self.literal:
            raise UsageError("--args, --stdin, --file and --literal are for recording: name your program with --from")
        elif self.like:
            started = new.Adopted(new.start_alike(self.spec_id, self.like, self.language), (), ())
        else:
            languages = lazy.files.languages_of_course(root)
            started = new.Adopted(new.start_assignment(self.spec_id, self.language or "", languages), (), ())
        self._describe(root, new.create(root, started.files), started)

    def _describe(self, root: Path, created: list[Path], started: "lazy.new.Adopted") -> None:
        """Print what was recorded of a program, the files that were written, and the next commands."""
        for run, execution in started.recorded:
            click.echo(f"$ {_format_command(run)}")
            _show_output(execution)
        skipped = (f"not recorded: {_format_command(run)}: {one_line(why)}" for run, why in started.left_out)
        shared.echo(*skipped, err=True)
        sample = root / "sample_submissions" / self.spec_id / "right"
        shared.echo(*map(relpath, created))
        spec = relpath(root / "specs" / f"{self.spec_id}.yaml")
        last = f"grader run {relpath(sample)}" if sample.is_dir() else f"grader handout {spec}"
        click.echo(f"\nNext:\n  grader lint {spec}\n  grader verify {spec}\n  {last}")


def _format_command(run: "lazy.record.Run") -> str:
    """Format the command of a run whose program has no name yet."""
    return one_line(shlex.join(("program", *run.args)) + (f" < {shlex.quote(run.stdin.file)}" * bool(run.stdin.file)))


# ---------------------------------------------------------------- record


class RecordCommand(NamedTuple):
    """Add cases to a spec from runs of its reference: one for each --args, which may be ''.

    With several --stdin or --dialogue, one for each of these as well. Without any run, and for a case that is there
    already, the texts in the spec are compared with what the reference writes now. The differences are shown, with exit
    code 1; --accept writes them into the spec. Comments and layout stay as they are.
    """

    spec: str = shared.spec_argument
    test: str | None = option("NAME", "The test that is meant.")
    args: tuple[str, ...] = _args
    stdin: tuple[str, ...] = _stdin
    files: tuple[str, ...] = _files
    expect_file: tuple[str, ...] = option(
        "NAME", "A file that these runs leave, and that is expected (may be repeated)."
    )
    dialogue: tuple[str, ...] = option(
        "FILE", "What is typed at a terminal, line by line, instead of --stdin; - for your own keyboard."
    )
    literal: bool = _literal
    points: str | None = option("N", "Make a new test of that name, with so many points.")
    accept: bool = flag("Write what the reference does now into the spec.")
    jobs: int = shared.jobs_option
    sandbox: str = shared.sandbox_option

    def _run(self) -> int:
        path, record = shared.find_spec(self.spec), lazy.record
        with shared.prepared(path, self.sandbox, self.jobs) as ready:
            course, spec, code = ready, ready.spec, shared.PASSED
            if not spec.has_references:
                raise UsageError(f"{path} has no reference: name its command there, under the key reference")
            if self.dialogue and self.stdin:
                raise UsageError("--stdin and --dialogue both say what is typed: leave one out")
            has_run = self.stdin or self.files or self.expect_file or self.dialogue
            alike = record.Run(files=record.read_files(self.files, spec.root), written_files=self.expect_file)
            args, typed = self.args or (("",) if has_run else ()), [_typist(name) for name in self.dialogue]
            wanted = record.make_runs(alike, args, self.stdin, spec.root, typed)
            existing = [record.find_case(spec, self.test, run) for run in wanted]
            ids = [case.id for case in existing if case]
            if not wanted:
                shared.check_tests(spec, () if self.test is None else (self.test,))
                ids = [case.id for test in spec.tests for case in test.cases if self.test in (None, test.name)]
            if ids or not wanted:
                code = self._compare_with_reference(course, path, ids)
                course = _read_again(course, path)
            worth = self.points
            for run in (run for run, case in zip(wanted, existing, strict=True) if case is None):
                self._add_run(course, path, run, worth)
                course, worth = _read_again(course, path), None
            return code

    def _add_run(self, course: "lazy.pipeline.Course", path: Path, run: "lazy.record.Run", worth: str | None) -> None:
        """Add a case and write the spec."""
        record = lazy.record
        try:
            if worth is None:
                test = record.find_open_test(course.spec, self.test)
                recorded = record.add_case(course, test, run, as_text=self.literal)
            elif self.test is None:
                raise UsageError("--points makes a new test: name it with --test")
            else:
                recorded = record.add_test(course, self.test, worth, run, as_text=self.literal)
        except CannotBeWrittenError as error:
            raise UsageError(f"nothing was recorded: {error}") from error
        lazy.late_days.write_in_place(path.resolve(), recorded.data)
        click.echo(f"$ {one_line(recorded.command)}")
        _show_output(recorded.execution)
        click.echo(f"{path}: {one_line(recorded.case.id)} is new:")
        click.echo("".join(f"  {line}\n" for line in recorded.written.splitlines()), nl=False)

    def _compare_with_reference(self, course: "lazy.pipeline.Course", path: Path, ids: Sequence[str]) -> int:
        """Compare cases with the reference, and show the differences; with --accept, write them into the spec."""
        from grader.core.report.view import diff_lines

        answered = [answer for answer in lazy.expected_results.ask_all(course, self.jobs) if answer.case.id in ids]
        failed = [answer for answer in answered if answer.is_wrong and answer.error]
        for unknown in failed:
            click.echo(f"{unknown.case.id}: {unknown.error}", err=True)
        disagreements = lazy.record.find_disagreements(answered)
        for disagreement in disagreements:
            headline = disagreement.message or f"{disagreement.what} (- the spec, + the reference):"
            click.echo(f"{one_line(disagreement.case.id)}{':' if disagreement.message else ','} {headline}")
            for line in () if disagreement.message else diff_lines(show(disagreement.before), show(disagreement.after)):
                click.echo(f"  {line}")
        if failed:
            return shared.UNGRADED
        if not disagreements:
            click.echo(f"{path}: the reference does what the spec says in {count(len(ids), 'case')}")
            return shared.PASSED
        if not self.accept:
            click.echo(f"{path}: nothing was changed; --accept writes what the reference says")
            return shared.LOST
        data, unchanged = lazy.record.accept(course.spec, disagreements)
        if data != course.spec.source_text:
            lazy.late_days.write_in_place(path.resolve(), data)
        for disagreement, why in unchanged:
            click.echo(f"{disagreement.case.id}, {disagreement.what}: not changed: {why}", err=True)
        click.echo(f"{path}: {len(disagreements) - len(unchanged)} of {len(disagreements)} changed")
        return shared.LOST if unchanged else shared.PASSED


def _read_again(course: "lazy.pipeline.Course", path: Path) -> "lazy.pipeline.Course":
    """Return the course with its spec as it is now: a case may be new, or a text changed."""
    from msgspec.structs import replace

    return replace(course, spec=lazy.spec.read(path.read_bytes(), str(path), course.spec.root))


def _typist(name: str) -> "Callable[[], lazy.record.Typist]":
    """Return what makes somebody who types the lines of a file, or of our own input; a person, where that is one."""
    stream = sys.stdin
    if name == "-" and stream.isatty():
        return lambda: _read_from_person(stream)
    try:
        text = stream.read() if name == "-" else Path(name).read_text()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no UTF-8"
        raise UsageError(f"--dialogue {name} cannot be read: {why}") from error
    return lambda: lazy.record.lines_of(text.removesuffix("\n").split("\n") if text else ())


def _read_from_person(lines: Iterator[str]) -> "lazy.record.Typist":
    """Return a typist who shows the program's output to a person, and types their lines until Ctrl-D."""

    def typed(output: str, is_waiting: bool) -> str | None:
        click.echo(output, nl=False)
        line = next(lines, None) if is_waiting else None
        return None if line is None else line.removesuffix("\n")

    return typed


def _show_output(execution: "lazy.Execution") -> None:
    """Print a program's output, stream by stream, its expected files, and an exit status other than 0."""
    execution = execution.truncated_to_script_end
    files = [(f"[file {one_line(name)}]\n", content) for name, content in execution.files.items()]
    for name, output in (("", execution.stdout), ("[standard error]\n", execution.stderr), *files):
        if output:
            click.echo(name + show(output.removesuffix(b"\n")))
    if execution.status:
        click.echo(f"[exit status {execution.status}]")


# ---------------------------------------------------------------- handout


class HandoutCommand(NamedTuple):
    """Write what students may know of an assignment, as Markdown.

    The contract, a sample session of the reference, points, limits, and what is tolerated. Of hidden tests there are
    the points alone. A public copy has neither hidden tests nor the reference: what that says is written out.
    """

    spec: str = shared.spec_argument
    out: Path | None = option("FILE", "Write the page there; else it is printed.")
    public: str | None = option(
        "[FILE]",
        "Write a copy of the spec that students run at home. [handout/<spec-id>/specs/<spec-id>.yaml]",
        is_flag=False,
        flag_value="",  # to the usual place
    )
    share: tuple[str, ...] = option(
        "FILE", "Students may have this file, though the reference uses it.", type=click.Path()
    )
    jobs: int = shared.jobs_option
    sandbox: str = shared.sandbox_option

    def _run(self) -> None:
        path, out = shared.find_spec(self.spec), self.out
        with shared.prepared(path, self.sandbox, self.jobs) as course:
            if out is not None or self.public is None:
                rules = lazy.post_grading.find_rules(course.spec, path, [], Path.cwd())
                when = lazy.lateness.describe_rule(rules.due, rules.late) if rules.due else ""
                shared.deliver(lazy.handout.to_handout(course, when), out, "the handout", mode=0o666)
                if out not in {None, shared.STANDARD_OUTPUT}:
                    click.echo(f"{out}: what students may know")
            if self.public is not None:
                self._write_copy(course, self.public)

    def _write_copy(self, course: "lazy.pipeline.Course", named: str) -> None:
        spec, name, public = course.spec, course.spec.id, lazy.public
        target = public.place_of_copy(spec, Path(named) if named else Path("handout") / name / "specs" / f"{name}.yaml")
        for file in self.share:
            if not (spec.root / file).is_file():
                raise UsageError(f"--share {file}: there is no such file in {spec.root}; name it from there")
        copy = public.make_public(course, shared=frozenset(self.share), jobs=self.jobs)
        for path in public.write_public(copy, target):
            click.echo(relpath(path))
        # The instructor has to know both what is in the copy and what is not.
        tests = len(spec.tests) - copy.hidden - len(copy.left_out)
        click.echo(f"{tests} of {count(len(spec.tests), 'test')} {'is' if tests == 1 else 'are'} in it.")
        if copy.files:
            click.echo("Students can read all of these files: look through them for what they should not know.")
        if copy.hidden:
            click.echo(f"Hidden, and not in it: {copy.hidden}.")
        for test, why in copy.left_out.items():
            click.echo(f"Left out: {test}: {why}", err=True)
