"""A grade with everything behind it, on a terminal."""

from collections.abc import Iterator
from math import prod

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from grader.gradebook.grades_csv import number
from grader.model.explanation import CasesExplained, Explanation, TestExplained
from grader.model.report import ReportedBuild
from grader.report.diff import excerpt
from grader.report.terminal import SCREEN_LOG_LINES, Barred
from grader.report.view import CASE_NAMES, NAME_LIMIT
from grader.text import inert, one_line, sentence

COMMANDS = 20
"""that are shown"""


def to_renderable(explanation: Explanation) -> RenderableType:
    """Lay the explanation out for any width from 40 columns; the commands are apart."""
    return Group(*_parts(explanation))


def _parts(explanation: Explanation) -> Iterator[RenderableType]:
    yield Text(_safe(explanation.headline), style="bold")
    yield from (_indented(student, 2) for student in explanation.students)
    for test in explanation.tests:
        yield Text()
        yield from _test(test)
    if explanation.findings:
        yield from _headed("Noticed in the submission", *(one.message for one in explanation.findings))
    if explanation.build and (explanation.build.command or not explanation.build.ok):
        yield from _build(explanation.build)
    yield from (Text(), Text("What it was made from", style="bold"))
    for name, lines in explanation.provenance.items():
        yield _indented(name, 2)
        yield Barred(*map(_line, lines))


def command_lines(explanation: Explanation) -> Iterator[str]:
    """Yield the lines that tell how to see it again; they are not to be wrapped, so that they can be copied."""
    if explanation.repeat:
        yield from ("", "To grade it again", f"  $ {explanation.repeat}")
    if explanation.repeat and explanation.commands:
        yield from ("", "By hand, in the folder of the submission")
        yield from (f"  $ {inert(command)}" for command in explanation.commands[:COMMANDS])
        more = len(explanation.commands) - COMMANDS
        yield from [f"  and {more} more"] if more > 0 else []


def _test(test: TestExplained) -> Iterator[RenderableType]:
    worth = f"{number(test.score) or '?'} of {number(test.points)}" if test.points else "not scored"
    kind = (", a bonus" if test.bonus else "") + (f", {test.visibility}" if test.visibility != "visible" else "")
    said = f", {test.verdict}" if test.verdict else ""
    yield Text(f"{_safe(test.name)}: {worth}{kind}{said}", style="bold")
    if test.arithmetic:
        yield _indented(test.arithmetic, 2)
    for group in test.cases:
        yield from _cases(group)
    if test.hint:
        yield Barred(_line(f"Hint: {test.hint}"))


def _cases(group: CasesExplained) -> Iterator[RenderableType]:
    more = f" and {len(group.ids) - CASE_NAMES} more" if len(group.ids) > CASE_NAMES else ""
    names = ", ".join(one_line(name, NAME_LIMIT) for name in group.ids[:CASE_NAMES])
    yield _indented(f"{names}{more}: {group.verdict}, keeps {_share(group.credit)}", 2)
    lines = [group.message] if group.message else [one.message for one in group.deviations]
    kept = [f"{one.kind} ({one.stream}) keeps {_share(one.keeps)}" for one in group.deviations]
    if len(kept) > 1:
        kept.append(f"together {_share(prod(one.keeps for one in group.deviations))}")
    yield Barred(*(_line(line) for line in (*lines, *kept)))


def _build(build: ReportedBuild) -> Iterator[RenderableType]:
    state = "The build" if build.ok else "The build failed"
    log = () if build.ok else excerpt(build.log.encode(), most=SCREEN_LOG_LINES)
    command = f"$ {one_line(build.command)}" if build.command else ""
    yield from _headed(state, *filter(None, (command, build.message, *log)))


def _headed(title: str, *lines: str) -> Iterator[RenderableType]:
    yield from (Text(), Text(title, style="bold"), Barred(*map(_line, lines)))


def _indented(text: str, by: int) -> RenderableType:
    return Padding(Text(_safe(text), overflow="fold"), (0, 0, 0, by), expand=False)


def _line(text: str) -> Text:
    return Text(inert(sentence(text)), overflow="fold")


def _safe(text: str) -> str:
    return inert(sentence(text), anywhere=True)


def _share(value: float) -> str:
    return f"{number(value * 100)} %"
