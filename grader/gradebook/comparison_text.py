"""A comparison of two runs on a terminal: what changed for everybody, then whose grade falls, who else, and why.

Every changed grade has its line. What is behind the grades is told once for all who have the same story.
"""

from collections.abc import Iterator, Mapping, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from grader.gradebook.grades_csv import number
from grader.model.comparison import Cause, Change, Comparison, Difference, Kind, Standing, TestChange
from grader.report.terminal import Barred
from grader.report.view import CASE_NAMES, NAME_LIMIT
from grader.text import inert, one_line, sentence

_HEADINGS: Mapping[Kind, tuple[str, str]] = {
    "falls": ("Falls", "bold red"),
    "gone": ("Gone: there is no grade any more", "bold red"),
    "ungraded": ("Ungraded: nobody can say whether it falls", "bold magenta"),
    "rises": ("Rises", "bold green"),
    "graded": ("Graded now", "bold green"),
    "appeared": ("New", "bold"),
    "shifts": ("Same grade, other points in the tests", "bold"),
}
_CAUSES: Mapping[Cause, str] = {
    "submission": "the submission",
    "spec": "the spec",
    "reference": "the reference",
    "tools": "the tools",
    "sandbox": "the sandbox",
    "grader": "grader's version",
}


def to_renderable(comparison: Comparison) -> RenderableType:
    """Lay the comparison out for any width from 40 columns."""
    return Group(*_parts(comparison))


def _parts(comparison: Comparison) -> Iterator[RenderableType]:
    yield Text(_safe(comparison.new.title), style="bold")
    if comparison.old.id != comparison.new.id:
        yield Text(
            f"Two assignments: {_safe(comparison.old.id)} before, {_safe(comparison.new.id)} now", style="yellow"
        )
    has_moved = comparison.old_max != comparison.new_max
    if has_moved:
        most, now = number(comparison.old_max), number(comparison.new_max)
        yield Text(f"The maximum was {most} and is {now}: what counts is the percentage.", style="yellow")
    if comparison.differences:
        yield from (Text(), Text("What changed", style="bold"))
        yield from _differences(comparison)
    for kind, (heading, style) in _HEADINGS.items():
        changes = [change for change in comparison.changes if change.kind == kind]
        if changes:
            yield from (Text(), Text(f"{heading}: {len(changes)}", style=style))
            yield Padding(_table(changes, percent=has_moved), (0, 0, 0, 2), expand=False)
            yield from _stories(changes)
    still = f" ({comparison.still_open} of them ungraded in both)" if comparison.still_open else ""
    yield from (Text(), Text(f"Unchanged: {comparison.unchanged}{still}"))


def _differences(comparison: Comparison) -> Iterator[RenderableType]:
    for difference in comparison.differences:
        yield _indented(_difference(difference), 2)
        if difference.cause == "spec":
            lines = [Text(_barred(change.text), overflow="fold") for change in comparison.spec_changes]
            nothing = Text("only comments, or files that it names", style="dim")
            yield Barred(*(lines or [nothing]))


def _difference(difference: Difference) -> str:
    where = "1 submission" if difference.count == 1 else f"{difference.count} submissions"
    text = f" ({_safe(difference.text)})" if difference.text else ""
    return f"{_CAUSES[difference.cause]}, of {where}{text}"


def _table(changes: Sequence[Change], *, percent: bool) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("student", overflow="fold")
    for heading in ("before", "now", "by"):
        table.add_column(heading, justify="right")
    for change in changes:
        by = f"{change.delta:+g}" if change.delta else ""
        table.add_row(
            Text(_student(change)), _shown(change.old, percent=percent), _shown(change.new, percent=percent), Text(by)
        )
    return table


def _student(change: Change) -> str:
    name = inert(one_line(change.id, NAME_LIMIT), anywhere=True)
    names = [inert(one_line(one, NAME_LIMIT), anywhere=True) for one in change.names if one != change.id]
    return f"{name} ({', '.join(names)})" if names else name


def _shown(standing: Standing | None, *, percent: bool) -> Text:
    if standing is None:
        return Text("-")
    if standing.score is None:
        return Text(standing.words)
    if not percent or not standing.max_score:
        return Text(number(standing.score))
    share = number(standing.score / standing.max_score * 100)
    return Text(f"{number(standing.score)} of {number(standing.max_score)}, {share} %")


def _stories(changes: Sequence[Change]) -> Iterator[RenderableType]:
    """Tell why, once for all changes with the same story."""
    groups: dict[object, list[Change]] = {}
    for change in changes:
        groups.setdefault((change.causes, change.reasons, change.tests, change.is_known), []).append(change)
    for group in groups.values():
        first = group[0]
        if first.old is None or first.new is None:
            continue
        more = f" and {len(group) - CASE_NAMES} more" if len(group) > CASE_NAMES else ""
        names = ", ".join(inert(one_line(one.id, NAME_LIMIT), anywhere=True) for one in group[:CASE_NAMES])
        yield _indented(f"{names}{more}: {_cause(first)}", 2)
        if first.reasons:
            yield Barred(*(Text(_barred(reason), overflow="fold") for reason in first.reasons))
        for test in first.tests:
            yield _indented(_test(test), 4)
            if test.reasons:
                yield Barred(*(Text(_barred(reason), overflow="fold") for reason in test.reasons))


def _cause(change: Change) -> str:
    if change.causes:
        return f"because of {' and '.join(_CAUSES[cause] for cause in change.causes)}"
    if "nothing handed in" in (change.old.words if change.old else "", change.new.words if change.new else ""):
        return "handed in since" if change.kind == "graded" else "handed in no more"
    if not change.is_known:
        return "nothing differs that these reports tell; the reference may"
    return "nothing differs that is known; does the program do the same each time?"


def _test(test: TestChange) -> str:
    old = number(test.old_score) or "-"
    if test.old_points is not None and test.old_points != test.new_points:
        old += f" of {number(test.old_points)}"
    new = "-" if test.new_points is None else f"{number(test.new_score) or '?'} of {number(test.new_points)}"
    verdicts = [verdict for verdict in (test.old_verdict, test.new_verdict) if verdict]
    said = f" ({' -> '.join(dict.fromkeys(verdicts))})" if verdicts else ""
    return f"{_safe(test.name)}: {old} -> {new}{said}"


def _indented(text: str, by: int) -> RenderableType:
    return Padding(Text(text, overflow="fold"), (0, 0, 0, by), expand=False)


def _barred(text: str) -> str:
    return inert(sentence(text))


def _safe(text: str) -> str:
    return inert(sentence(text), anywhere=True)
