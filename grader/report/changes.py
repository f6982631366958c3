"""What two gradings of the same submission, one after the other, have between them: for whoever is at work on it."""

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from grader.model import Judgement, TestResult, Verdict
from grader.report.diff import excerpt
from grader.report.terminal import LOG_LINES, Barred, test_parts
from grader.report.view import NAME_LIMIT, build_problem, headline, is_shown, test_points
from grader.text import inert, one_line, sentence

MOST_TESTS = 3
"""tests that are told in full"""
MOST_NAMES = 6
"""names that are written out before "and 2 more\""""


def line_of_test(result: TestResult, *, after_due: bool) -> Text:
    """`count: passed, 36 of 36`; of a hidden test only its points."""
    verdict = f"{result.verdict}, " if is_shown(result.test, after_due=after_due) else ""
    style = "green" if result.score == result.test.points else "red"
    return _line(f"{sentence(result.test.name)}: {verdict}{test_points(result)}", style)


def to_renderable_changes(report: Judgement, before: Judgement | None, *, after_due: bool = False) -> RenderableType:
    """Lay out what passes and what fails since the report `before`, what is wrong now, and the score."""
    return Group(*_parts(report, before, after_due=after_due))


def _parts(report: Judgement, before: Judgement | None, *, after_due: bool) -> Iterator[RenderableType]:
    if before is not None:
        was, now = (_failing(one, after_due=after_due) for one in (before, report))
        passing, failing = [name for name in was if name not in now], [name for name in now if name not in was]
        if passing:
            yield _line(f"Now passing: {_listed(passing)}", "green")
        if failing:
            yield _line(f"Now failing: {_listed(failing)}", "red")
        if not passing and not failing:
            yield Text("What passes and what fails is as before.", "dim")
    if problem := build_problem(report):
        yield _line("The build failed", "bold red")
        yield Barred(*(Text(inert(line)) for line in (problem, *excerpt(report.build.log, most=LOG_LINES))))
    else:
        yield from _failures(report, after_due=after_due)
    yield Text()
    yield _line(headline(report), "bold green" if report.verdict is Verdict.PASSED else "bold red")


def _failures(report: Judgement, *, after_due: bool) -> Iterator[RenderableType]:
    wrong = [result for result in report.tests if result.verdict is not Verdict.PASSED]
    told = [result for result in wrong if is_shown(result.test, after_due=after_due)]
    for result in told[:MOST_TESTS]:
        yield from test_parts(result)
    others = [result for result in wrong if result not in told[:MOST_TESTS]]
    if others:
        yield Text()
        yield from (line_of_test(result, after_due=after_due) for result in others)


def _failing(report: Judgement, *, after_due: bool) -> Sequence[str]:
    """Return the names of the cases that do not pass; of a hidden test that loses points, the test's."""
    names: list[str] = []
    for result in report.tests:
        if not is_shown(result.test, after_due=after_due):
            names += [result.test.name] if result.score != result.test.points else []
        else:
            names += [case.id for case in result.cases if case.verdict is not Verdict.PASSED]
    return list(dict.fromkeys(names))


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(one_line(name, NAME_LIMIT) for name in names[:MOST_NAMES])
    return f"{shown} and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else shown


def _line(text: str, style: str) -> Text:
    return Text(inert(text, anywhere=True), style=style, overflow="fold")
