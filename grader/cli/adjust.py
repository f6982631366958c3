"""`grader adjust`: decide by hand, on top of what was graded, and take it back."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from grader.cli import shared
from grader.cli.shared import PATH, flag, option
from grader.core.errors import NotConfirmedError, UsageError
from grader.core.text import count_points, inert, joined, one_line

if TYPE_CHECKING:
    from grader.core.model.report import ByHand
    from grader.results.adjusting import Adjustable, Adjusted


class _Options(NamedTuple):
    """What is decided, about whom."""

    names: tuple[str, ...] = shared.argument("NAME", nargs=-1)
    points: str | None = option("N", "What is added to the score, +2, or taken off it, -0.5.")
    score: str | None = option("N", "The points in all, in place of graded ones; also of what is ungraded.")
    excused: bool = flag("The student is excused: no score, which is no zero.")
    test: str = option("TEST", "The test that it is about. [the whole]", default="")
    due: str = option("TIME", "Another due date, such as '2026-11-25 23:59 Europe/Zurich'.", default="")
    why: str | None = option("TEXT", "The reason, which the student reads.")
    above_maximum: bool = flag("Confirm a score above the maximum, as for a bonus.")
    undo: bool = flag("Remove what was decided last about NAME, about TEST, or in line N.")
    line: int | None = option("N", "The line of adjustments.yaml to undo.", type=click.IntRange(1))
    spec: str | None = option("ID", "The assignment, where reports/ has several.")
    results: Path | None = option("DIR", "The results. [reports/<spec-id>]", type=PATH)


@shared.command(_Options)
def adjust_grade(options: _Options) -> int:
    """Change a grade by hand, or comment on it, on top of what was graded.

    NAME is a student's id, name, login or e-mail address, a team, or the name of a submission. It is written into
    adjustments.yaml at the course's root, where it survives when the class is graded again. Nothing is run. Without
    --points, --score, --excused and --due it is a comment.

    --score decides a test that is ungraded, or the whole: once all that is ungraded is decided, there is a final score.
    For somebody who handed in nothing it gives the points of an oral examination or of work on paper.
    """
    from grader.results.adjusting import open_adjustable

    given = [
        name for name in ("points", "score", "excused", "due", "why") if getattr(options, name) not in (None, "", False)
    ]
    folder = options.results or only_results(options.spec)
    if options.undo:
        if given:
            raise UsageError(f"--undo removes a line, and --{given[0]} writes one: use two commands")
        name = _only_name(options) if len(options.names) > 1 else "".join(options.names)
        return _undo(open_adjustable(folder, options.spec), name, options)
    if options.line is not None:
        raise UsageError("--line names the line that --undo removes")
    name = _only_name(options)
    if options.why is None:
        raise UsageError("--why is missing: give the reason, which the student reads")
    effects = [f"--{effect}" for effect in given if effect != "why"]
    if len(effects) > 1:
        raise UsageError(f"{' and '.join(effects)} are two decisions: use two commands")
    return _adjust(open_adjustable(folder, options.spec), name, _to_by_hand(options, options.why), options)


def _only_name(options: _Options) -> str:
    """Return the student's name; raises UsageError with the right command where results stand beside it."""
    from grader.results.explain import shell_word

    names = options.names
    if len(names) == 1:
        return names[0]
    if not names:
        raise UsageError("whose grade? Name the student: grader adjust NAME --why TEXT")
    if folder := next((name for name in names if options.results is None and Path(name).is_dir()), ""):
        others = " ".join(shell_word(name) for name in names if name != folder)
        raise UsageError(
            f"the results are named with --results: grader adjust {others} --results {shell_word(folder)} ..."
        )
    raise UsageError(f"one student at a time, and not {', '.join(map(one_line, names))}; put a name in quotes")


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


def _to_by_hand(options: _Options, why: str) -> "ByHand":
    import msgspec

    from grader.core.model.report import ByHand
    from grader.core.text import sentence
    from grader.decisions.adjustments import read_change, read_score

    if not sentence(why):
        raise UsageError("--why is empty: give the reason, which the student reads")
    return ByHand(
        why=why,
        test=options.test,
        points=None if options.points is None else read_change(options.points),
        score=msgspec.UNSET if options.score is None else read_score(options.score),
        excused=options.excused or msgspec.UNSET,
    )


def _adjust(target: "Adjustable", name: str, by_hand: "ByHand", options: _Options) -> int:
    from grader.results.adjusting import add_adjustment

    try:
        done = add_adjustment(target, name, by_hand, due=options.due, above_maximum=options.above_maximum)
    except NotConfirmedError as error:
        if not sys.stdin.isatty():
            raise UsageError(f"{error}; confirm that with --above-maximum") from None
        if not click.confirm(inert(f"{error}. Is that meant?", anywhere=True), err=True):
            raise UsageError("nothing is changed") from None
        done = add_adjustment(target, name, by_hand, due=options.due, above_maximum=True)
    _describe(target, done)
    click.echo(f"Written to {one_line(str(done.file))}, line {done.number}.")
    return shared.PASSED


def _undo(target: "Adjustable", name: str, options: _Options) -> int:
    from grader.decisions.adjustments import describe_adjustment
    from grader.results.adjusting import undo_adjustment

    done = undo_adjustment(target, name, test=options.test, number=options.line)
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
