"""`grader adjust`: decide by hand, on top of what was graded, and take it back."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from grader.cli import shared
from grader.core.errors import NotConfirmedError, UsageError
from grader.core.text import count_points, inert, joined, one_line

if TYPE_CHECKING:
    from grader.core.model.report import ByHand
    from grader.results.adjusting import Adjustable, Adjusted


@click.command("adjust")
@click.argument("names", nargs=-1, metavar="NAME")
@click.option("--points", "change", metavar="N", help="What is added to the score, +2, or taken off it, -0.5.")
@click.option("--score", metavar="N", help="The points in all, in place of graded ones; also of what is ungraded.")
@click.option("--excused", is_flag=True, help="The student is excused: no score, which is no zero.")
@click.option("--test", metavar="TEST", default="", help="The test that it is about. [the whole]")
@click.option("--due", metavar="TIME", default="", help="Another due date, such as '2026-11-25 23:59 Europe/Zurich'.")
@click.option("--why", metavar="TEXT", help="The reason, which the student reads.")
@click.option("--above-maximum", is_flag=True, help="Confirm a score above the maximum, as for a bonus.")
@click.option("--undo", is_flag=True, help="Remove what was decided last about NAME, about TEST, or in line N.")
@click.option("--line", "number", metavar="N", type=click.IntRange(1), help="The line of adjustments.yaml to undo.")
@click.option("--spec", "spec_name", metavar="ID", help="The assignment, where reports/ has several.")
@click.option("--results", metavar="DIR", type=click.Path(path_type=Path), help="The results. [reports/<spec-id>]")
def adjust_grade(
    names: tuple[str, ...],
    change: str | None,
    score: str | None,
    excused: bool,
    test: str,
    due: str,
    why: str | None,
    above_maximum: bool,
    undo: bool,
    number: int | None,
    spec_name: str | None,
    results: Path | None,
) -> int:
    """Change a grade by hand, or comment on it, on top of what was graded.

    NAME is a student's id, name, login or e-mail address, a team, or the name of a submission. It is written into
    adjustments.yaml at the course's root, where it survives when the class is graded again. Nothing is run. Without
    --points, --score, --excused and --due it is a comment.

    --score decides a test that is ungraded, or the whole: once all that is ungraded is decided, there is a final score.
    For somebody who handed in nothing it gives the points of an oral examination or of work on paper.
    """
    from grader.results.adjusting import open_adjustable

    effects = {"--points": change, "--score": score, "--excused": excused, "--due": due}
    given = [option for option, value in effects.items() if value]
    folder = results or only_results(spec_name)
    if undo:
        _check_undo(names, [*given, *(["--why"] if why is not None else [])])
        return _undo(open_adjustable(folder, spec_name), "".join(names), test, number)
    if number is not None:
        raise UsageError("--line names the line that --undo removes")
    name = _only_name(names, results)
    if why is None:
        raise UsageError("--why is missing: give the reason, which the student reads")
    if len(given) > 1:
        raise UsageError(f"{' and '.join(given)} are two decisions: use two commands")
    by_hand = _to_by_hand(change, score, test, why, excused=excused)
    return _adjust(open_adjustable(folder, spec_name), name, by_hand, due, above_maximum=above_maximum)


def _only_name(names: Sequence[str], results: Path | None) -> str:
    """Return the student's name; raises UsageError with the right command where results stand beside it."""
    if len(names) == 1:
        return names[0]
    if not names:
        raise UsageError("whose grade? Name the student: grader adjust NAME --why TEXT")
    folders = [name for name in names if results is None and Path(name).is_dir()]
    if folders and len(names) > 1:
        others = [name for name in names if name != folders[0]]
        raise UsageError(
            f"the results are named with --results: grader adjust {' '.join(map(_word, others))} "
            f"--results {_word(folders[0])} ..."
        )
    raise UsageError(f"one student at a time, and not {', '.join(map(one_line, names))}; put a name in quotes")


def _word(text: str) -> str:
    from grader.results.explain import shell_word

    return shell_word(text)


def _check_undo(names: Sequence[str], given: Sequence[str]) -> None:
    if len(names) > 1:
        _only_name(names, None)
    if given:
        raise UsageError(f"--undo removes a line, and {given[0]} writes one: use two commands")


def only_results(spec_id: str | None, named: str = "--results DIR") -> Path:
    """Return the folder with the results of an assignment; without an id, the only one in reports/.

    A command says in `named` how another one is chosen.
    """
    from grader.results.store import STORE_NAME

    reports = Path("reports")
    if spec_id is not None:
        folder = reports / Path(spec_id).stem
        if not folder.is_dir():
            raise UsageError(f"there are no results at {one_line(str(folder))}: name their folder with {named}")
        return folder
    there = sorted(one for one in reports.glob("*") if (one / STORE_NAME).is_file() or any(one.glob("*/report.json")))
    if len(there) == 1:
        return there[0]
    names = ", ".join(one_line(str(one)) for one in there)
    raise UsageError(
        f"which results? Choose with {named}: {names}"
        if there
        else f"there are no results in reports/: name them with {named}"
    )


def _to_by_hand(change: str | None, score: str | None, test: str, why: str, *, excused: bool) -> "ByHand":
    import msgspec

    from grader.core.model.report import ByHand
    from grader.core.text import sentence
    from grader.decisions.adjustments import read_change, read_score

    if not sentence(why):
        raise UsageError("--why is empty: give the reason, which the student reads")
    return ByHand(
        why=why,
        test=test,
        points=None if change is None else read_change(change),
        score=msgspec.UNSET if score is None else read_score(score),
        excused=excused or msgspec.UNSET,
    )


def _adjust(target: "Adjustable", name: str, by_hand: "ByHand", due: str, *, above_maximum: bool) -> int:
    from grader.results.adjusting import add_adjustment

    try:
        done = add_adjustment(target, name, by_hand, due=due, above_maximum=above_maximum)
    except NotConfirmedError as error:
        if not sys.stdin.isatty():
            raise UsageError(f"{error}; confirm that with --above-maximum") from None
        if not click.confirm(inert(f"{error}. Is that meant?", anywhere=True), err=True):
            raise UsageError("nothing is changed") from None
        done = add_adjustment(target, name, by_hand, due=due, above_maximum=True)
    _describe(target, done)
    click.echo(f"Written to {one_line(str(done.file))}, line {done.number}.")
    return shared.PASSED


def _undo(target: "Adjustable", name: str, test: str, number: int | None) -> int:
    from grader.decisions.adjustments import describe_adjustment
    from grader.results.adjusting import undo_adjustment

    done = undo_adjustment(target, name, test=test, number=number)
    _describe(target, done)
    if done.removed:
        click.echo(
            inert(f"Removed from {one_line(str(done.file))}: {describe_adjustment(done.removed)}", anywhere=True)
        )
    return shared.PASSED


def _describe(target: "Adjustable", done: "Adjusted") -> None:
    """Print the grade with the change in it."""
    from grader.core.report.final_score import describe_final
    from grader.results.view import grade_view

    grade = done.grade
    if grade and not target.is_class:
        click.echo(f"The next `grader run` of {one_line(grade.entry.id)} shows it.")
    elif grade:
        click.echo(inert(grade_view(grade).headline(float(target.spec.max_score)), anywhere=True))
        if len(students := grade.entry.students) > 1:
            names = joined([one_line(student.name or student.id) for student in students])
            click.echo(inert(f"  This is the grade of {names}, who handed in together.", anywhere=True))
        most = float(target.spec.max_score)
        for line in describe_final(grade.final, most, grade.report):
            click.echo(inert(f"  {line}", anywhere=True))
        if (grade.counted or 0) > most:
            click.echo(f"This is more than the {count_points(most)} that there are; it counts all the same.")
        decided = sum(one.points or 0 for one in grade.final.by_hand) if grade.final else 0
        if grade.counted == 0 and decided < 0:
            click.echo("A final score is never below 0.")
    for sentence in done.unknown:
        click.echo(inert(sentence, anywhere=True), err=True)
