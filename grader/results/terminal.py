"""Render comparisons and explanations for a terminal of at least 40 columns.

A comparison shows what changed for all, then the falling grades, then the others, with reasons. Every changed grade has
its line. Reasons are shown once for all grades that share them.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from math import prod
from typing import Any

from grader.core.report.document import LOG_LINES, below_title
from grader.core.report.html import fill_in
from grader.core.report.plain import TextLine, columns, plain_lines
from grader.core.report.view import CASE_NAMES, NAME_LIMIT, TableCell, TextTable, excerpt, hint_blocks, word_for
from grader.core.text import inert, listed, one_line, percent
from grader.results.diff import Comparison, GradeChange, Standing, TestChange
from grader.results.explain import Explanation
from grader.results.view import points_text

MAX_COMMANDS = 20  # commands that are shown


def lay_out_comparison(comparison: Comparison) -> Iterator[TextLine]:
    """Lay the comparison out for any width from 40 columns."""
    writers = {"rows_of": _grade_rows, "groups_of": _groups_with_one_reason, "words_of": _words_of}
    return _lay_out("comparison.txt", comparison=comparison, **writers)


def _groups_with_one_reason(changes: Sequence[GradeChange]) -> list[list[GradeChange]]:
    groups: dict[object, list[GradeChange]] = {}
    for change in changes:
        groups.setdefault((change.causes, change.reasons, change.tests, change.is_known), []).append(change)
    return list(groups.values())


def _words_of(test: TestChange) -> list[str]:
    """Return the words for what came of a test before and now; one where it is the same."""
    sides = [(test.old_verdict, test.old_score, test.old_points), (test.new_verdict, test.new_score, test.new_points)]
    return list(dict.fromkeys(word_for(verdict, score, most or 0) for verdict, score, most in sides if verdict))


def _grade_rows(changes: Sequence[GradeChange], *, as_share: bool) -> list[str]:
    """Lay out who has which points before and now, below their headings, with the points at the right."""
    rows = [["student", "before", "now", "by"]]
    for change in changes:
        names = [_name_cell(name) for name in change.names if name != change.id]
        who = _name_cell(change.id) + (f" ({', '.join(names)})" if names else "")
        sides = (_grade_cell(side, as_share=as_share) for side in (change.old, change.new))
        rows.append([who, *sides, f"{change.delta:+g}" if change.delta else ""])
    widths = [0, *(max(map(len, column)) for column in list(zip(*rows, strict=True))[1:])]
    return columns(TextTable((), [[*map(TableCell, map(str.rjust, row, widths))] for row in rows]))


def _name_cell(text: str) -> str:
    return inert(one_line(text, NAME_LIMIT), anywhere=True)


def _grade_cell(standing: Standing | None, *, as_share: bool) -> str:
    if standing is None or standing.score is None:
        return standing.words if standing else "-"
    score, most = points_text(standing.score), points_text(standing.max_score)
    share = f" of {most}, {percent(standing.score / standing.max_score)}" if as_share and standing.max_score else ""
    return score + share


def lay_out_explanation(explanation: Explanation) -> Iterator[TextLine]:
    """Lay the explanation out for any width from 40 columns, without its commands."""
    return _lay_out("explanation.txt", explanation=explanation)


def command_lines(explanation: Explanation) -> list[str]:
    """Render the commands that reproduce it; they must not be wrapped, so that they can be copied."""
    return fill_in("commands.txt", explanation=explanation, most=MAX_COMMANDS, inert=inert).decode().splitlines()


_WRITERS: dict[str, Any] = {
    "in_points": points_text,
    "product": prod,
    "names_of": lambda names: listed([one_line(name, NAME_LIMIT) for name in names], most=CASE_NAMES),
    "word_for": word_for,
    "below_title": below_title,
    "hint_lines": lambda hint: plain_lines(hint_blocks(hint)),
    "log_lines": partial(excerpt, most=LOG_LINES),
}  # what the templates write with; every text of a student or a course goes through one that leaves it one line


def _lay_out(template: str, **values: Any) -> Iterator[TextLine]:
    """Fill a template that has in each line its style, what stands before each of its rows, `|`, and the text."""
    for line in filter(None, fill_in(template, **_WRITERS, **values).decode().split("\n")):
        mark, _, text = line.partition("|")
        style = mark.strip(" │")
        yield TextLine(inert(text, anywhere="│" not in mark), style, mark.removeprefix(style))
