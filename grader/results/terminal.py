"""Render comparisons and explanations for a terminal of at least 40 columns.

A comparison shows what changed for all, then the falling grades, then the others, with reasons. Every changed grade has
its line. Reasons are shown once for all grades that share them.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import prod

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from grader.core.report.document import LOG_LINES, ShownCause, below_title
from grader.core.report.plain import TextLine, barred, plain_lines
from grader.core.report.view import CASE_NAMES, NAME_LIMIT, excerpt, hint_blocks, word_for
from grader.core.text import count, inert, listed, one_line, percent, sentence
from grader.results.diff import Cause, ChangeKind, Comparison, GradeChange, Standing, TestChange
from grader.results.explain import Explanation, TestExplained
from grader.results.view import points_text

MAX_COMMANDS = 20  # commands that are shown

_KIND_HEADINGS: Mapping[ChangeKind, tuple[str, str]] = {
    "falls": ("Falls", "bold red"),
    "gone": ("Gone: there is no grade any more", "bold red"),
    "ungraded": ("Ungraded: whether it falls is not known", "bold magenta"),
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
    "after": "what came after the grading",
}


def lay_out_comparison(comparison: Comparison) -> Iterator[TextLine | Padding]:
    """Lay the comparison out for any width from 40 columns."""
    old, new = comparison.old, comparison.new
    yield _own(new.title, "bold")
    if old.id != new.id:
        yield _own(f"Two assignments: {old.id} before, {new.id} now", "yellow")
    has_moved = comparison.old_max != comparison.new_max
    if has_moved:
        most, now = points_text(comparison.old_max), points_text(comparison.new_max)
        yield _own(f"The maximum was {most} and is {now}: what counts is the percentage.", "yellow")
    if comparison.differences:
        yield from (TextLine(), _own("What changed", "bold"))
    for difference in comparison.differences:
        text = f" ({difference.text})" if difference.text else ""
        what = f"{_CAUSES[difference.cause]}, of {count(difference.count, 'submission')}"
        yield _own(f"{what}{text}", before="  ")
        if difference.cause == "spec":
            lines = [_quoted(change.text) for change in comparison.spec_changes]
            yield from lines or [barred("only comments, or files that it names", "dim")]
    for kind, (heading, style) in _KIND_HEADINGS.items():
        if changes := [change for change in comparison.changes if change.kind == kind]:
            yield from (TextLine(), _own(f"{heading}: {len(changes)}", style))
            yield Padding(_grade_table(changes, as_share=has_moved), (0, 0, 0, 2), expand=False)
            yield from _explain_changes(changes)
    still = f" ({comparison.still_open} of them ungraded in both)" if comparison.still_open else ""
    yield from (TextLine(), _own(f"Unchanged: {comparison.unchanged}{still}"))


def _name_cell(text: str) -> str:
    return inert(one_line(text, NAME_LIMIT), anywhere=True)


def _grade_table(changes: Sequence[GradeChange], *, as_share: bool) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("student", overflow="fold")
    for heading in ("before", "now", "by"):
        table.add_column(heading, justify="right")
    for change in changes:
        names = [_name_cell(name) for name in change.names if name != change.id]
        who = _name_cell(change.id) + (f" ({', '.join(names)})" if names else "")
        old, new = (_grade_cell(side, as_share=as_share) for side in (change.old, change.new))
        table.add_row(Text(who), old, new, Text(f"{change.delta:+g}" if change.delta else ""))
    return table


def _grade_cell(standing: Standing | None, *, as_share: bool) -> Text:
    if standing is None or standing.score is None:
        return Text(standing.words if standing else "-")
    score, most = points_text(standing.score), points_text(standing.max_score)
    share = f" of {most}, {percent(standing.score / standing.max_score)}" if as_share and standing.max_score else ""
    return Text(score + share)


def _explain_changes(changes: Sequence[GradeChange]) -> Iterator[TextLine]:
    """Yield the reasons, once for all changes that share them."""
    groups: dict[object, list[GradeChange]] = {}
    for change in changes:
        groups.setdefault((change.causes, change.reasons, change.tests, change.is_known), []).append(change)
    for group in groups.values():
        first = group[0]
        if first.old and first.new:
            names = listed([_name_cell(change.id) for change in group], most=CASE_NAMES)
            yield from (_own(f"{names}: {_cause(first)}", before="  "), *map(_quoted, first.reasons))
            for test in first.tests:
                yield from (_own(_describe_test_change(test), before=" " * 4), *map(_quoted, test.reasons))


def _cause(change: GradeChange) -> str:
    if change.causes:
        return f"because of {' and '.join(_CAUSES[cause] for cause in change.causes)}"
    if "nothing handed in" in (change.old.words if change.old else "", change.new.words if change.new else ""):
        return "handed in since" if change.kind == "graded" else "handed in no more"
    if not change.is_known:
        return "nothing differs that these reports tell; the reference may"
    return "nothing differs that is known; does the program do the same each time?"


def _describe_test_change(test: TestChange) -> str:
    old = points_text(test.old_score) or "-"
    if test.old_points is not None and test.old_points != test.new_points:
        old += f" of {points_text(test.old_points)}"
    new = "-" if test.new_points is None else f"{points_text(test.new_score) or '?'} of {points_text(test.new_points)}"
    sides = [(test.old_verdict, test.old_score, test.old_points), (test.new_verdict, test.new_score, test.new_points)]
    words = [word_for(verdict, score, most or 0) for verdict, score, most in sides if verdict]
    verdicts = " -> ".join(dict.fromkeys(words))
    return f"{test.name}: {old} -> {new}{f' ({verdicts})' if verdicts else ''}"


# ---------------------------------------------------------------- one grade


def lay_out_explanation(explanation: Explanation) -> Iterator[TextLine]:
    """Lay the explanation out for any width from 40 columns, without its commands."""
    yield _own(explanation.headline.removesuffix(explanation.words) + explanation.in_words, "bold")
    yield from (_own(student, before="  ") for student in explanation.students)
    yield from _headed("After the grading", *explanation.after)
    if cause := explanation.cause:
        command = f"$ {cause.command}" if cause.command else ""
        yield from _headed(cause.title, command, cause.sentence, cause.tests, verbatim=cause.evidence)
    for test in explanation.tests:
        yield from (TextLine(), *_lay_out_test(test, cause))
    yield from _headed("Noticed in the submission", *(finding.message for finding in explanation.findings))
    yield from _headed("The work as a whole", *explanation.work)
    build = explanation.build
    if build and build.ok and build.command:
        log = excerpt(build.log, most=LOG_LINES) if build.repair else ()
        yield from _headed("The build", f"$ {one_line(build.command)}", build.message, verbatim=log)
    if build and build.tried:
        tried = (f"{' + '.join(map(one_line, attempt.names))}: {sentence(attempt.message)}" for attempt in build.tried)
        yield from _headed("Repairs that were tried and did not help", *tried)
    yield from (TextLine(), _own("What it was made from", "bold"))
    for name, lines in explanation.provenance.items():
        yield from (_own(name, before="  "), *map(_quoted, lines))


def command_lines(explanation: Explanation) -> Iterator[str]:
    """Yield the lines with the commands that reproduce it; they must not be wrapped, so that they can be copied."""
    if explanation.repeat:
        yield from ("", "To grade it again", f"  $ {explanation.repeat}")
    if explanation.repeat and explanation.commands:
        yield from ("", "By hand, in the folder of the submission")
        yield from (f"  $ {inert(command)}" for command in explanation.commands[:MAX_COMMANDS])
        more = len(explanation.commands) - MAX_COMMANDS
        yield from [f"  and {more} more"] if more > 0 else []


def _lay_out_test(test: TestExplained, cause: ShownCause | None) -> Iterator[TextLine]:
    """Lay out a test; the sentence of the `cause`, which is shown above all tests, is not repeated."""
    worth = f"{points_text(test.score) or '?'} of {points_text(test.points)}" if test.points else "not scored"
    kind = (", a bonus" if test.bonus else "") + (f", {test.visibility}" if test.visibility != "visible" else "")
    verdict = f", {word_for(test.verdict, test.score, test.points)}" if test.verdict else ""
    yield _own(f"{test.name}: {worth}{kind}{verdict}", "bold")
    yield from [_own(test.arithmetic, before="  ")] if test.arithmetic else []
    for group in test.cases:
        names = listed([one_line(name, NAME_LIMIT) for name in group.ids], most=CASE_NAMES)
        word = word_for(group.verdict, group.credit, 1)
        is_repeated = cause is not None and below_title(cause.title, sentence(group.message)) == cause.sentence
        where = "; the cause is at the top" if is_repeated else ""
        yield _own(f"{names}: {word}, keeps {percent(group.credit)}{where}", before="  ")
        if is_repeated:
            continue
        lines = [group.message] if group.message else [deviation.message for deviation in group.deviations]
        lines += [f"{it.kind} ({it.stream}) keeps {percent(it.keeps)}" for it in group.deviations]
        if len(group.deviations) > 1:
            lines.append(f"together {percent(prod(deviation.keeps for deviation in group.deviations))}")
        yield from map(_quoted, lines)
    yield from (barred(inert(line)) for line in plain_lines(hint_blocks(test.hint)))


def _headed(title: str, *lines: str, verbatim: Sequence[str] = ()) -> Iterator[TextLine]:
    """Lay out the sentences that there are below a title, then lines that keep their blanks, as of a log."""
    if shown := [*map(_quoted, filter(None, lines)), *(barred(inert(line)) for line in verbatim)]:
        yield from (TextLine(), _own(title, "bold"), *shown)


# ---------------------------------------------------------------- both


def _own(text: str, style: str = "", *, before: str = "") -> TextLine:
    """Make a line of a text of ours, which may contain a student's name."""
    return TextLine(inert(sentence(text), anywhere=True), style, before)


def _quoted(text: str) -> TextLine:
    """Make a line of a text that may begin with a student's."""
    return barred(inert(sentence(text)))
