"""Commands on results: `merge` joins shards, `diff` compares, `explain` explains a grade, `adjust` changes it."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli import shared
from grader.core.errors import UsageError
from grader.core.text import inert, one_line, points

if TYPE_CHECKING:
    from grader.core.model import Report

hidden_option = click.option("--hidden", is_flag=True, help="Show also what students may not see of hidden tests.")


@click.command()
@click.argument("results", nargs=-1, required=True, metavar="RESULTS...", type=click.Path(path_type=Path))
@click.option(
    "--out", required=True, metavar="DIR", type=click.Path(path_type=Path), help="Where the whole class goes."
)
@shared.after_due_option
def merge(results: tuple[Path, ...], out: Path, after_due: bool) -> int:
    """Put the shards of a class into one, as `grader class` would have written it.

    RESULTS are folders that `grader class --shard K/N` wrote, in any order. They must have been made with the same
    spec, reference, tools and version of grader. Exits with 3 when a shard is missing or something is ungraded; the
    rest is written all the same.
    """
    from grader.classroom.merging import merge_shards
    from grader.cli.results_folder import report_folder
    from grader.core.model import Verdict
    from grader.gradebook.class_files import write_class
    from grader.gradebook.statistics import DOUBTFUL, WAITING, count_outcomes, outcome_of

    out = report_folder(out, "", _handed_in(results))
    with merge_shards(results, out, after_due=after_due) as merged:
        write_class(merged.results.book, merged.results.file, out)
    grades = merged.results.book.grades
    click.echo(f"{len(grades)} submissions: {count_outcomes(grades)}.")
    click.echo(f"Reports: {one_line(str(out))}")
    still = [grade for grade in grades if outcome_of(grade) in {Verdict.UNGRADED, WAITING, DOUBTFUL}]
    for grade in still:
        click.echo(f"  {inert(one_line(grade.entry.id), anywhere=True)}: {outcome_of(grade)}; grade its part again")
    if merged.missing:
        click.echo(f"Missing: the parts {', '.join(merged.missing)}; nobody in them has a line")
    return shared.UNGRADED if still or merged.missing else shared.PASSED


def _handed_in(results: tuple[Path, ...]) -> list[Path]:
    """Return the paths of the submissions in these results; what is no results, the merging reports."""
    from grader.classroom.store import STORE_NAME, read_store

    found: list[Path] = []
    for path in results:
        database = path / STORE_NAME if path.is_dir() else path
        if database.is_file() and database.name == STORE_NAME:
            with read_store(database) as store:
                found += [entry.path for entry in store.entries() if entry.path]
    return found


@click.command("diff")
@click.argument("old", metavar="OLD", type=click.Path(path_type=Path))
@click.argument("new", metavar="NEW", type=click.Path(path_type=Path))
@click.option("--allow-lower", is_flag=True, help="Exit with 0 even if grades fall.")
@hidden_option
@shared.format_option
def diff_runs(old: Path, new: Path, allow_lower: bool, hidden: bool, form: str) -> int:
    """Compare two runs: whose grade changes, by how much, and on account of what.

    OLD and NEW are folders that `grader class` or `grader run` wrote, or a grades.db.

    \b
    Exit codes:
      0    nobody's grade falls
      1    a grade falls, or is there no more (not with --allow-lower)
      2    there are no results
      3    somebody is ungraded in NEW, and nobody knows whether that grade falls
    """  # noqa: D301 - click takes the control character as "keep these lines"
    from grader.classroom.store import open_results, read_keys
    from grader.gradebook.diff import compare_gradebooks, comparison_to_json

    with open_results(old) as before:
        book, keys = before.book, read_keys(before.path)
    with open_results(new) as after:
        comparison = compare_gradebooks(book, after.book, keys=(keys, read_keys(after.path)), hidden=hidden)
    if form == "json":
        click.echo(comparison_to_json(comparison), nl=False)
    else:
        from grader.gradebook.terminal import lay_out_comparison

        shared.console().print(lay_out_comparison(comparison))
    open_now = comparison.still_open + sum(
        change.new is not None and change.new.is_open for change in comparison.changes
    )
    if open_now:
        return shared.UNGRADED
    falls = any(change.is_lower for change in comparison.changes)
    return shared.LOST if falls and not allow_lower else shared.PASSED


@click.command()
@click.argument("results", metavar="RESULTS", type=click.Path(path_type=Path))
@click.argument("name", metavar="NAME")
@hidden_option
@shared.format_option
def explain(results: Path, name: str, hidden: bool, form: str) -> int:
    """Explain one grade: its points with their arithmetic, what it was made from, and the commands to repeat it.

    RESULTS is a folder that `grader class` or `grader run` wrote, or a grades.db. NAME is a student's id, name, login
    or e-mail address, a team, or the name of a submission.
    """
    from grader.classroom.people import find_grade
    from grader.classroom.store import STORE_NAME, open_results, read_keys
    from grader.gradebook.explain import explain_grade, explanation_to_json

    with open_results(results) as opened:
        book, folder = opened.book, opened.path
    grade = find_grade(book, name)
    key = read_keys(folder).get(grade.entry.id)
    explanation = explain_grade(
        grade,
        book,
        folder,
        reference=key.reference if key else "",
        handed_in=(folder / STORE_NAME).is_file(),
        hidden=hidden,
    )
    if form == "json":
        click.echo(explanation_to_json(explanation), nl=False)
        return shared.PASSED
    from grader.gradebook.terminal import command_lines, lay_out_explanation

    console = shared.console()
    console.print(lay_out_explanation(explanation))
    for line in command_lines(explanation):
        console.print(line, soft_wrap=True)
    return shared.PASSED


@click.command("adjust")
@click.argument("name", metavar="NAME")
@click.option("--points", "change", metavar="N", help="What is added to the score, +2, or taken off it, -0.5.")
@click.option("--test", metavar="TEST", default="", help="The test that it is about. [the whole]")
@click.option("--due", metavar="TIME", default="", help="Another due date, such as '2026-11-25 23:59 Europe/Zurich'.")
@click.option("--why", required=True, metavar="TEXT", help="The reason, which the student reads.")
@click.option("--spec", "spec_name", metavar="ID", help="The assignment, where reports/ has several.")
@click.option("--results", metavar="DIR", type=click.Path(path_type=Path), help="The results. [reports/<spec-id>]")
def adjust_grade(
    name: str, change: str | None, test: str, due: str, why: str, spec_name: str | None, results: Path | None
) -> int:
    """Change a grade by hand, or comment on it, on top of what was graded.

    NAME is a student's id, name, login or e-mail address, a team, or the name of a submission. It is written into
    adjustments.yaml at the course's root, where it survives when the class is graded again. Nothing is run. Without
    --points and --due it is a comment.
    """
    from functools import partial

    from grader.classroom.people import find_grade
    from grader.classroom.post_grading import BY_HAND_NAME, add_line, find_rules, lock_file, resolve_post_grading
    from grader.classroom.store import STORE_NAME, locked, open_results
    from grader.core.reader import find_named, load
    from grader.gradebook.adjusting import to_adjustment, update_adjusted_class

    folder = results or _only_results(spec_name)
    is_class = (folder / STORE_NAME).is_file()
    with open_results(folder) as opened:
        book, grade = opened.book, find_grade(opened.book, name)
    if grade.report is None:
        raise UsageError(f"{one_line(grade.entry.id)} has no graded submission that could be changed")
    spec = load(spec_file := find_named(spec_name or book.spec.id, Path.cwd()))
    if spec.id != book.spec.id:
        raise UsageError(f"{one_line(str(folder))} has results of {book.spec.id}, and not of {spec.id}")
    by_hand = to_adjustment(grade.report, change, test, why)
    handed_in = [each.entry.path for each in book.grades if each.entry.path] if is_class else []
    read_rules = partial(find_rules, spec, spec_file, handed_in, Path.cwd())
    with lock_file(spec.root / BY_HAND_NAME), locked(folder):
        rules = read_rules()
        if is_class:  # validate the other lines before one is added
            resolve_post_grading([each.entry for each in book.grades], rules, is_all=not book.shard)
        line = add_line(rules, spec, grade.report.submission.id, by_hand, due)
        if is_class:
            _describe_final(update_adjusted_class(folder, read_rules())[grade.entry.id])
        else:
            click.echo(f"The next `grader run` of {one_line(grade.entry.id)} shows it.")
    click.echo(f"Written to {one_line(str(rules.file))}, line {line}.")
    return shared.PASSED


def _only_results(spec_id: str | None) -> Path:
    """Return the folder with the results of an assignment; without an id, the only one in reports/."""
    from grader.classroom.store import STORE_NAME

    reports = Path("reports")
    if spec_id is not None:
        return reports / Path(spec_id).stem
    there = sorted(one for one in reports.glob("*") if (one / STORE_NAME).is_file() or any(one.glob("*/report.json")))
    if len(there) == 1:
        return there[0]
    names = ", ".join(one_line(one.name) for one in there)
    raise UsageError(
        f"which results? Choose with --spec: {names}"
        if there
        else "there are no results in reports/: name them with --results"
    )


def _describe_final(report: "Report") -> None:
    from grader.core.report.view import describe_after_grading, headline

    click.echo(inert(headline(report), anywhere=True))
    for line in describe_after_grading(report):
        click.echo(inert(f"  {line}", anywhere=True))
    if (report.counted or 0) > report.max_score:
        click.echo(f"This is more than the {points(report.max_score)} points that there are; it counts all the same.")
    decided = sum(one.points or 0 for one in report.final.by_hand) if report.final else 0
    if report.counted == 0 and decided < 0:
        click.echo("A final score is never below 0.")
