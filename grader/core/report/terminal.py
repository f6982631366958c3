"""The report on a terminal: a table, a total, and for what lost points one sentence and a short difference.

While somebody is at work on a submission, it is what changed since the last grading, and of the rest less.

Texts are printable, and never markup. Every line that a student's text may start has a bar before it, because
CI systems take commands from logs (`::error::`) even behind blanks. Without colours the words carry it all.
"""

from collections.abc import Iterator, Sequence

from grader.core.model.judgement import Verdict
from grader.core.model.report import Report, ReportedCase, ReportedTest
from grader.core.report.final_score import describe_after_grading
from grader.core.report.prose import hint_lines
from grader.core.report.screen import Barred, Fitted, ScreenBlock, ScreenRow, ScreenTable, Stack, TextLine
from grader.core.report.view import (
    COMMAND_LIMIT,
    EXCUSED,
    FULL_MARKS,
    NAME_LIMIT,
    PART_OF_POINTS,
    ShownCause,
    can_repeat,
    case_summary,
    describe_cause,
    describe_decided,
    describe_group,
    describe_groups,
    describe_once,
    describe_work,
    description_in,
    drawings,
    evidence,
    findings_for_student,
    grouped,
    headline,
    is_shown,
    names,
    test_points,
    word_for_case,
    word_for_report,
    word_for_test,
)
from grader.core.text import inert, joined, listed, one_line, sentence

GROUPS = 3
"""sentences that are shown for one test before "and 2 more\""""

EVIDENCE_LINES = 40
"""lines of tests, behind which what programs wrote is left to the report files"""

REMARKS = 5
"""remarks that cost nothing before "and 2 more\""""

SCREEN_LOG_LINES = 12
"""lines of the build's log"""

TESTS_IN_FULL = 3
"""tests that are shown in full to their author"""

CHANGED_NAMES = 6
"""names of cases that lose points now, or no more, before "and 2 more\""""

_STYLES = {
    FULL_MARKS: "green",
    "right": "green",
    PART_OF_POINTS: "yellow",
    "partly right": "yellow",
    Verdict.SKIPPED: "dim",
    EXCUSED: "dim",
    Verdict.NOT_READABLE: "magenta",
    Verdict.UNGRADED: "magenta",
}
_SIGNS = {"·": "a space", "→": "a tab", "⏎": "the end of a line"}
"""the signs of `differences.py`, and what they stand for"""
# The expected line is the good one, so the colours are not those of a patch.
_LINE_STYLES = {"-": "green", "+": "red", "@": "cyan"}


def to_renderable(report: Report, *, after_due: bool = False, has_files: bool = True) -> ScreenBlock:
    """Lay the report out for any width from 40 columns; tests that students may not see have their points only.

    `has_files` is whether the report is also written to files, in which there is more.
    """
    report = describe_once(report, after_due=after_due)
    cause = describe_cause(report, after_due=after_due, most=SCREEN_LOG_LINES)
    elsewhere = " in the report files" if has_files else ""
    parts: list[ScreenBlock] = [
        TextLine(inert(sentence(report.spec.title)), "bold"),
        *_lay_out_cause(cause),
        TextLine(),
        _table_of_tests(report, after_due=after_due),
        TextLine(),
        TextLine(inert(headline(report), anywhere=True), f"bold {_style(word_for_report(report))}"),
    ]
    warnings = [sentence(warning) for warning in report.sandbox.warnings]
    if report.sandbox.level == "none":
        warnings.insert(0, "The programs ran without a sandbox.")
    parts += [Barred(_line(warning, "yellow")) for warning in warnings]
    if sentences := describe_work(report):
        parts += [TextLine(), TextLine("The work as a whole", "bold"), Barred(*map(_line, sentences))]
    if after := describe_after_grading(report):
        parts += [TextLine(), TextLine("After the grading", "bold"), Barred(*map(_line, after))]
    shown_tests = [test for test in report.tests if is_shown(test, after_due=after_due)]
    parts += _every_failure(shown_tests, elsewhere)
    right = grouped(case for test in shown_tests for case in test.cases if case.verdict is Verdict.PASSED)
    remarks = [f"{names(group)}: {case_summary(group[0])}" for group in right]
    remarks += [finding.message for finding in findings_for_student(report, after_due=after_due)]
    if remarks:
        parts += [TextLine(), TextLine("Noticed as well", "bold")]
        parts.append(Barred(*(_line(sentence(remark)) for remark in remarks[:REMARKS])))
    if len(remarks) > REMARKS:
        parts.append(TextLine(f"  and {len(remarks) - REMARKS} more{elsewhere}"))
    return Stack(*parts)


def _lay_out_cause(cause: ShownCause | None) -> Iterator[ScreenBlock]:
    """Lay out the one cause of a submission, before all tests."""
    if cause is None:
        return
    lines = [_line(cause.sentence), *([_line(cause.tests)] if cause.tests else [])]
    if cause.command:
        lines.append(_line(f"$ {cause.command}", "dim"))
    yield from (TextLine(), TextLine(cause.title, "bold red"))
    yield Barred(*lines, *(_line(line, "dim") for line in cause.evidence))


def _table_of_tests(report: Report, *, after_due: bool) -> ScreenTable:
    rows: list[ScreenRow] = []
    for test in report.tests:
        word = word_for_test(test)
        verdict = (word, _style(word)) if is_shown(test, after_due=after_due) else ("hidden", "dim")
        rows.append([(inert(sentence(test.name), anywhere=True), ""), verdict, (test_points(test), "")])
    return ScreenTable(["test", "verdict", "points"], rows)


def _every_failure(tests: Sequence[ReportedTest], more: str) -> Iterator[ScreenBlock]:
    """Lay out what failed: the first in full, the rest in sentences, and a repeated problem in one line."""
    lines: list[str] = []
    elsewhere: dict[str, list[str]] = {}
    for test in tests:
        if place := description_in(test):
            elsewhere.setdefault(place, []).append(test.name)
            continue
        parts = list(parts_of_test(test, EVIDENCE_LINES - len(lines), more))
        lines += [line.plain for part in parts if isinstance(part, Barred) for line in part.lines]
        yield from parts
    for place, others in elsewhere.items():
        sentence = f"The same as in `{place}`: {joined([f'`{one_line(name, NAME_LIMIT)}`' for name in others])}"
        yield from (TextLine(), _line(sentence, "bold", anywhere=True))
    yield from _legend(lines)
    if len(lines) >= EVIDENCE_LINES and more:
        yield from (TextLine(), TextLine("The report files show more of what the programs wrote."))


def _legend(lines: Sequence[str]) -> Iterator[ScreenBlock]:
    """Say what the signs mean that stand in these lines."""
    signs = [f"{sign} is {what}" for sign, what in _SIGNS.items() if any(sign in line for line in lines)]
    if signs:
        yield from (TextLine(), TextLine(f"Above, {joined(signs)}.", "dim"))


def parts_of_test(test: ReportedTest, most: int, more: str = "", known: str = "") -> Iterator[ScreenBlock]:
    """Lay out what failed in one test; nothing when nothing did. Callers check `is_shown` first.

    Behind so many lines, at `most`, what programs wrote is left out; `more` says where there is more.
    A sentence that is `known`, because it is shown elsewhere, is not shown here.
    """
    groups = _failed_groups(test)
    decided = describe_decided(test)
    if not groups and not (decided and test.hint):
        return
    yield from (
        TextLine(),
        TextLine(f"{inert(sentence(test.name), anywhere=True)}: {test_points(test)}", "bold"),
    )
    if decided:
        yield Barred(_line(decided))
    shown = 0
    for group in groups[:GROUPS]:
        first = group[0]
        word = word_for_case(first, test)
        yield TextLine(f"{inert(names(group), anywhere=True)}: {word}", _style(word), indent=2)
        about = describe_group(group, test)
        lines = [_line(text) for text in (about, *(f"  {line}" for line in drawings(first))) if text != known]
        if can_repeat(first):
            lines.append(_line(f"$ {one_line(first.command, COMMAND_LIMIT)}", "dim"))
        for part in evidence(first) if shown < most else ():
            lines.append(_line(f"{part.title}:", "dim"))
            lines.extend(_line(line, _LINE_STYLES.get(line[0], "")) for line in part.lines)
        shown += len(lines)
        yield Barred(*lines)
    if len(groups) > GROUPS:
        yield TextLine(f"  and {len(groups) - GROUPS} more{more}")
    if test.hint:
        yield Barred(*(_line(line, "italic") for line in hint_lines(test.hint)))


def _failed_groups(test: ReportedTest) -> list[tuple[ReportedCase, ...]]:
    return [group for group in describe_groups(test) if group[0].verdict is not Verdict.PASSED]


def _line(line: str, style: str = "", *, anywhere: bool = False) -> TextLine:
    return TextLine(inert(line, anywhere=anywhere), style)


def _style(word: str) -> str:
    return _STYLES.get(word, "red")


# ---------------------------------------------------------------- at work on a submission


def line_of_test(test: ReportedTest, *, after_due: bool) -> TextLine:
    """`count: full marks, 36 of 36`; of a hidden test only its points."""
    word = f"{word_for_test(test)}, " if is_shown(test, after_due=after_due) else ""
    style = "green" if test.score == test.points else "red"
    return _line(f"{sentence(test.name)}: {word}{test_points(test)}", style, anywhere=True)


def to_renderable_changes(
    report: Report, before: Report | None, *, after_due: bool = False, reserved: int = 0
) -> ScreenBlock:
    """Lay out what is wrong now, what changed since the report `before`, the score, and the first sentence last.

    On a terminal all of it fits on the screen, beside `reserved` lines; what matters least comes first, and is cut.
    """
    report = describe_once(report, after_due=after_due)
    cause = describe_cause(report, after_due=after_due, most=SCREEN_LOG_LINES)
    wrong = [test for test in report.tests if test.verdict is not Verdict.PASSED]
    shown = [test for test in wrong if is_shown(test, after_due=after_due) and not description_in(test)]
    in_full = [] if cause else [test for test in shown if _failed_groups(test)][:TESTS_IN_FULL]
    parts: list[ScreenBlock] = [line_of_test(test, after_due=after_due) for test in wrong if test not in in_full]
    first = describe_group(_failed_groups(in_full[0])[0], in_full[0]) if in_full else ""
    for test in reversed(in_full):
        parts += parts_of_test(test, EVIDENCE_LINES, known=first if test is in_full[0] else "")
    parts += [TextLine(), *_changes(report, before, after_due=after_due)]
    style = f"bold {_style(word_for_report(report))}"
    parts.append(_line(headline(report), style, anywhere=True))
    if cause:
        evidence_lines = [_line(line, "dim") for line in cause.evidence]
        repeat = [_line(f"$ {cause.command}", "dim")] if cause.command else []
        parts += [Barred(*repeat, *evidence_lines)] if repeat or evidence_lines else []
        parts += [_line(f"{cause.title}:", "bold red"), Barred(_line(cause.sentence))]
    elif in_full:
        name = one_line(in_full[0].name, NAME_LIMIT)
        parts += [_line(f"First, {name}:", "bold", anywhere=True), Barred(_line(first))]
    return Fitted(*parts, reserved=reserved)


def _changes(report: Report, before: Report | None, *, after_due: bool) -> Iterator[ScreenBlock]:
    """Say what loses points now and did not before, and the reverse; nothing the first time."""
    if before is None:
        return
    was, now = (_failing(one, after_due=after_due) for one in (before, report))
    passing, failing = [name for name in was if name not in now], [name for name in now if name not in was]
    for cases, turn, style in ((passing, f"with {FULL_MARKS}", "green"), (failing, "losing points", "red")):
        if cases:
            shown = listed([one_line(name, NAME_LIMIT) for name in cases], most=CHANGED_NAMES)
            yield _line(f"Now {turn}: {shown}", style, anywhere=True)
    if not passing and not failing:
        yield TextLine("What loses points is as before.", "dim")


def _failing(report: Report, *, after_due: bool) -> Sequence[str]:
    """Return the names of the cases that do not pass; of a hidden test that loses points, the test's."""
    failing: dict[str, None] = {}
    for test in report.tests:
        if is_shown(test, after_due=after_due):
            failing |= dict.fromkeys(case.id for case in test.cases if case.verdict is not Verdict.PASSED)
        elif test.score != test.points:
            failing[test.name] = None
    return list(failing)
