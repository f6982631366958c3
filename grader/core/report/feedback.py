"""What a student reads as text: `feedback.md`, and plain lines for platforms that show text as it is.

Nothing can break out of the Markdown: inline text has every character escaped that Markdown or HTML could take for its
own, and blocks stand in fences longer than any run of backticks in them. Of a test that is not shown there is its name
and its score. The plain lines of a test contain all of it: callers check `is_shown` first.
"""

import re
from collections.abc import Iterable, Iterator

from grader.core.lazy import lazy_regex
from grader.core.model.judgement import Verdict
from grader.core.model.report import Report, ReportedBuild, ReportedCase, ReportedTest
from grader.core.report.differences import plain_excerpt
from grader.core.report.final_score import describe_after_grading, describe_with_code
from grader.core.report.prose import Pieces, blocks, hint_lines
from grader.core.report.view import (
    COMMAND_LIMIT,
    NAME_LIMIT,
    ShownCause,
    build_problem,
    can_repeat,
    case_summary,
    describe_cause,
    describe_decided,
    describe_group,
    describe_groups,
    describe_once,
    describe_work,
    drawings,
    evidence,
    findings_for_student,
    is_shown,
    names,
    out_of_points,
    test_points,
    word_for_case,
    word_for_report,
    word_for_test,
)
from grader.core.text import capital, inert, one_line, sentence

LOG_LINES = 20
"""lines of the build's log"""

_MARKUP = lazy_regex(r"([\\`*_\[<&|~$]|:(?=//)|^[-+=>#])")


def to_feedback(report: Report, *, after_due: bool = False) -> str:
    """Write the feedback; `after_due` shows also the tests that are hidden until then."""
    report = describe_once(report, after_due=after_due)
    cause = describe_cause(report, after_due=after_due, most=LOG_LINES)
    name = inline(one_line(report.submission.id, NAME_LIMIT))
    score = out_of_points(report.counted, report.max_score)
    points_told = "" if report.is_excused else f"**{score}** for "
    lines = [f"# {inline(report.spec.title)}", "", f"{points_told}{name}: {word_for_report(report)}.", ""]
    if report.lacks_score:
        lines += ["The grader failed on this submission, so there is no score yet; nothing is lost.", ""]
    if cause:
        lines += _section_of_cause(cause)
    if findings := findings_for_student(report, after_due=after_due):
        lines += ["## Noticed in the submission", "", *(f"- {inline(one.message)}" for one in findings), ""]
    if after := describe_with_code(report):
        lines += ["## After the grading", "", *(_item_with_code(*one) for one in after), ""]
    lines += _sections_of_work(report)
    lines += ["| test | verdict | points |", "|:--|:--|--:|"]
    for test in report.tests:
        verdict = word_for_test(test) if is_shown(test, after_due=after_due) else "hidden"
        lines.append(f"| {inline(test.name)} | {verdict} | {test_points(test)} |")
    for test in report.tests:
        if is_shown(test, after_due=after_due):
            lines += _section_of_test(test)
    return "\n".join(lines) + "\n"


def _section_of_cause(cause: ShownCause) -> Iterator[str]:
    """Say first, and once, what kept the program from its work."""
    yield from (f"## {cause.title}", "", inline(cause.sentence), "")
    if cause.tests:
        yield from (inline(cause.tests), "")
    if cause.command:
        yield from (f"To repeat it: {code(cause.command)}", "")
    if cause.evidence:
        yield from (*fenced(cause.evidence), "")


def _item_with_code(line: str, quoted: str) -> str:
    """Write an item of a list, and below it the line of code that it is about."""
    lines = "  \n  ".join(map(inline, line.split("\n")))  # two blanks at the end of a line break it
    return "\n".join([f"- {lines}", *(["", f"  {code(quoted)}", ""] if quoted else [])])


def _sections_of_work(report: Report) -> Iterator[str]:
    """Describe the work as a whole, and its build as it was handed in, where something was repaired for it."""
    if sentences := describe_work(report):
        yield from ("## The work as a whole", "", *(f"- {inline(line)}" for line in sentences), "")
    if report.build.repair:
        if report.build.command:
            yield from (f"To repeat it: {code(report.build.command)}", "")
        if report.build.log:
            yield from (*fenced(plain_excerpt(report.build.log.encode(), most=LOG_LINES)), "")


def _section_of_test(test: ReportedTest) -> Iterator[str]:
    """Render a test that has something to report, as a section."""
    groups, decided = describe_groups(test), describe_decided(test)
    if not groups and not (decided and test.hint):
        return
    yield from ("", f"## {inline(test.name)}: {test_points(test)}")
    if test.about:
        yield from ("", inline(test.about))
    yield from _describe_hint(test.hint)
    if decided:
        yield from ("", inline(decided))
    for group in groups:
        first = group[0]
        yield from (
            "",
            f"**{inline(names(group))}**, {word_for_case(first, test)}: {inline(describe_group(group, test))}",
        )
        if drawn := drawings(first):
            yield from ("", *fenced(drawn, "text"))
        if can_repeat(first):
            yield from ("", f"To repeat it: {code(first.command)}")
        for part in evidence(first):
            yield from ("", f"{capital(part.title)}:", "", *fenced(part.lines, "text"))


def _describe_hint(hint: str) -> Iterator[str]:
    """Write what an instructor wrote, each block of it with an empty line before it."""
    for number, block in enumerate(blocks(hint)):
        rows = [[_cell(cell) for cell in row] for row in block.rows]
        if number == 0:
            yield from ("", f"**Hint:** {rows.pop()[0]}" if block.kind == "text" else "**Hint:**")
        if block.kind == "code":
            yield from ("", *fenced(piece.text for row in block.rows for cell in row for piece in cell))
        elif block.kind == "table":
            columns = max(map(len, rows))
            head = rows.pop(0) if block.has_head else [""] * columns
            yield from ("", f"| {' | '.join(head)} |", f"|{':--|' * columns}")
            yield from (f"| {' | '.join(row)} |" for row in rows)
        else:
            yield from (line for row in rows for line in ("", *row))


def _cell(pieces: Pieces) -> str:
    write = {"": lambda text: _MARKUP.sub(r"\\\1", text), "code": code, "link": "<{}>".format}
    return "".join(write[piece.kind](piece.text) for piece in pieces)


def inline(text: str) -> str:
    """Escape what Markdown or HTML could take for its own, on one line."""
    return _MARKUP.sub(r"\\\1", sentence(text))


def code(text: str) -> str:
    """Write a text as code within a line."""
    shown = one_line(text, COMMAND_LIMIT)
    fence = "`" * (_longest_run(shown) + 1)
    return f"{fence} {shown} {fence}" if "`" in shown else f"{fence}{shown}{fence}"


def fenced(lines: Iterable[str], language: str = "") -> list[str]:
    """Write lines as a block of code, between fences that none of them can end."""
    text = list(lines)
    fence = "`" * max(3, _longest_run("\n".join(text)) + 1)
    return [f"{fence}{language}", *text, fence]


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


# ---------------------------------------------------------------- plain lines

FAULT_OF_OURS = (
    "Sorry, the grader failed on this submission. There is no grade yet; nothing is lost, it will be graded again."
)
"""what a student reads of an ungraded submission"""


def test_text(result: ReportedTest) -> str:
    """Describe one test: what is wrong and how to reproduce it; empty when there is nothing to report."""
    lines = [decided] if (decided := describe_decided(result)) else []
    for group in describe_groups(result):
        head = f"{names(group)}: {group[0].verdict}"
        lines += [head, *(f"  {line}" for line in (describe_group(group, result), *_behind(group[0])))]
    lines += hint_lines(result.hint)
    return inert("\n".join(lines))


def case_text(case: ReportedCase) -> str:
    """Describe one case that has something to report: the sentence first, a bar before all else.

    It may go into a log, and CI systems take commands from logs at the start of a line, even behind blanks.
    """
    return inert("\n".join([f"{case.verdict}: {case_summary(case)}", *(f"│ {line}" for line in _behind(case))]))


def build_text(report: Report) -> str:
    """Say in the same way why a submission could not be built."""
    lines = (f"│ {line}" for line in _log_lines(report.build))
    return inert("\n".join([f"{Verdict.BUILD_FAILED}: {build_problem(report)}", *lines]))


def report_text(report: Report, *, after_due: bool = False) -> str:
    """Describe the submission as a whole: what was noticed, and why it could not be built."""
    lines = [FAULT_OF_OURS] if report.lacks_score else []
    if cause := describe_cause(report, after_due=after_due, most=LOG_LINES):
        lines += _lines_of_cause(cause)
    lines += [sentence(finding.message) for finding in findings_for_student(report, after_due=after_due)]
    lines += [*describe_after_grading(report), *describe_work(report)]
    return inert("\n".join(lines))


def _lines_of_cause(cause: ShownCause) -> list[str]:
    command = [f"$ {cause.command}"] if cause.command else []
    return [*filter(None, (f"{cause.title}.", cause.sentence, cause.tests)), *command, *cause.evidence]


def in_short(report: Report, *, after_due: bool = False) -> list[str]:
    """Summarise a report in a few sentences: the points, and the first problem of every test that lost some."""
    report = describe_once(report, after_due=after_due)
    cause = describe_cause(report, after_due=after_due)
    lines = [
        "Excused." if report.is_excused else f"{out_of_points(report.counted, report.max_score)}.",
        *([f"{cause.title}: {cause.sentence}"] if cause else []),
        *([cause.tests] if cause and cause.tests else []),
        *describe_after_grading(report),
        *describe_work(report),
    ]
    for result in report.tests:
        shown = is_shown(result, after_due=after_due)
        name = f"{sentence(result.name)}: {test_points(result)}"
        first = next((describe_group(group, result) for group in describe_groups(result)), "") if shown else ""
        if first or result.score != result.points:
            lines.append(f"{name}. {first}".strip())
    return lines


def _log_lines(build: ReportedBuild) -> list[str]:
    command = [f"$ {one_line(build.command)}"] if build.command else []
    return command + plain_excerpt(build.log.encode(), most=LOG_LINES)


def _behind(case: ReportedCase) -> Iterator[str]:
    """Render the evidence for the sentence about a case: what is drawn, the command, the streams."""
    yield from (f"  {line}" for line in drawings(case))
    if can_repeat(case):
        yield f"$ {one_line(case.command, COMMAND_LIMIT)}"
    for part in evidence(case):
        yield f"{part.title}:"
        yield from part.lines
