"""One student's page of `grader review`: the source with what was found on its lines, and the forms to decide by hand.

The page works without its script, which adds the keyboard and opens the form at a line without loading the page anew.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import msgspec

from grader.core.model.gradebook import Grade
from grader.core.model.report import Report, ReportedTest, fraction
from grader.core.report.document import case_blocks
from grader.core.report.final_score import describe_final
from grader.core.report.html import fill_page, read_asset, to_markup
from grader.core.report.view import (
    NAME_LIMIT,
    describe_cause,
    describe_group,
    describe_groups,
    describe_work,
    names,
    out_of,
    test_points,
    word_for_case,
    word_for_test,
)
from grader.core.text import count, count_points, one_line, point_word, points, sentence, show, signed
from grader.decisions.adjustments import Line
from grader.results.view import grade_view, why_not_graded
from grader.review.list_page import Filter, student_address
from grader.review.reviewed import ClassNow, revision_of, revision_of_line
from grader.review.sources import Parts, SourceFile, SubmissionSource, coloured, findings_by_line

_Values = dict[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageState:
    """How a page is asked for; of a change that was refused, also what was typed, and why it was refused."""

    base: str
    """what all addresses begin with"""
    chosen: Filter
    token: str
    """what every change has to repeat"""
    language: str = ""
    """of the assignment"""
    at: str = ""
    """the place in the source whose form is open, `0-12`: the file's number and the line"""
    edited: str = ""
    """the revision of the line of `adjustments.yaml` that is edited"""
    problem: str = ""
    typed: Mapping[str, str] = field(default_factory=dict)
    asks_above: bool = False
    """whether the change leads above the maximum, which has to be confirmed"""


def to_student_page(
    now: ClassNow, grade: Grade, report: Report | None, source: SubmissionSource, state: PageState
) -> bytes:
    """Render the page of a grade with its whole report."""
    lines = now.lines_of(grade)
    edited = next((line for line in lines if revision_of_line(line) == state.edited), None)
    here = state.base + student_address(grade, state.chosen)
    given = {line.by_hand.item: revision_of_line(line) for line in reversed(lines) if line.by_hand.item}
    return fill_page(
        "review_student.html",
        read_asset("page.css") + read_asset("review.css"),
        read_asset("review.js"),
        forms="'self'",
        here=here,
        more=f"{here}&" if state.chosen.address else f"{here}?",
        title=sentence(now.book.spec.title or now.book.spec.id),
        name=one_line(grade.entry.id, NAME_LIMIT) or "(no name)",
        people=[one_line(one.name, NAME_LIMIT) for one in grade.entry.students if one.name],
        list_address=f"{state.base}{state.chosen.address}",
        around=neighbours(now, grade, state.chosen),
        notes=[*now.notes, *([source.problem] if source.problem else []), *map(sentence, grade.entry.notes)],
        form=state,
        typed={**_typed_of(edited), **state.typed},
        place=state.typed.get("at", "") if state.typed.get("action") == "comment" else state.at,
        seen=revision_of(lines),
        verdict=grade_view(grade).words,
        **_score_values(grade, report),
        tests=[_test_values(test) for test in report.tests] if report else [],
        decided=[line for line in lines if not line.by_hand.file],
        rubric=[(item, given.get(item.id, "")) for item in now.rules.rubric],
        files=list(_file_values(coloured(source.files, state.language), report, lines)),
        can_comment=bool(report) and source.is_as_graded,
        show=show,
        one_line=partial(one_line, limit=NAME_LIMIT),
        sentence=sentence,
        signed=lambda change: "" if change is None else signed(fraction(change)),
        describe_change=describe_change,
        effect_of=_effect_of,
        moved_from=partial(_moved_from, source),
        key_of=revision_of_line,
    )


def _typed_of(edited: Line | None) -> dict[str, str]:
    """Return what the form has, of a line that is edited."""
    if edited is None:
        return dict.fromkeys(("points", "why", "test", "instead", "action"), "")
    one = edited.by_hand
    change = "" if one.points is None else signed(fraction(one.points))
    return {"points": change, "why": one.why, "test": one.test, "instead": revision_of_line(edited), "action": ""}


def neighbours(now: ClassNow, grade: Grade, chosen: Filter) -> dict[str, str]:
    """Return the addresses of the previous and the next student of the list, also when this one is not in it."""
    listed = chosen.select(now)
    before = [one for one in listed if one.entry.id < grade.entry.id]
    behind = [one for one in listed if one.entry.id > grade.entry.id]
    is_listed = len(before) + len(behind) < len(listed)
    return {
        "previous": student_address(before[-1], chosen) if before else "",
        "next": student_address(behind[0], chosen) if behind else "",
        "position": f"{len(before) + 1} of {len(listed)}" if is_listed else f"not among the {len(listed)} of the list",
    }


def _score_values(grade: Grade, report: Report | None) -> _Values:
    if report is None:
        reason = "Nothing was handed in." if grade.entry.path is None else "There is no report: it is not graded yet."
        score = "" if grade.counted is None else points(grade.counted)
        return {"score": score, "unit": point_word(grade.counted or 0), "after": [], "told": [], "reason": reason}
    after = describe_final(report.final or None, report.max_score, report)
    cause = describe_cause(report, after_due=True)
    told = [f"{cause.title}: {cause.sentence}"] if cause else []
    return {
        "score": "" if report.is_excused else out_of(report.counted, report.max_score),
        "unit": point_word(report.max_score),
        "after": [line for line in after if line.startswith(("Graded", "Late"))],
        "told": [*told, *(sentence(one.message) for one in report.findings), *describe_work(report)],
        "reason": why_not_graded(report),
    }


def _test_values(test: ReportedTest) -> _Values:
    return {
        "value": test.name,
        "name": one_line(test.name, NAME_LIMIT),
        "visibility": "" if test.visibility == "visible" else test.visibility,
        "verdict": word_for_test(test),
        "points": test_points(test),
        "groups": [
            {
                "names": names(group),
                "verdict": word_for_case(group[0], test),
                "sentence": describe_group(group, test),
                "exhibits": to_markup(case_blocks(group[0])),
            }
            for group in describe_groups(test)
        ],
    }


def describe_change(change: float | None) -> str:
    """`+2 points`, `-1 point`; empty for a comment."""
    return "" if change is None else f"{signed(fraction(change))} point{'s' * (abs(change) != 1)}"


def _effect_of(line: Line) -> str:
    """Return what a line of `adjustments.yaml` does to the score."""
    one = line.by_hand
    if one.excused:
        return "excused"
    if one.score is not msgspec.UNSET:
        return f"{count_points(fraction(one.score))} in place of what was graded"
    return describe_change(one.points)


def _moved_from(source: SubmissionSource, line: Line) -> str:
    """Return what a comment was written about, where its line is another one now."""
    one = line.by_hand
    there = source.line(one.file, one.line) if one.file and one.line and one.code else None
    return "" if there is None or there.strip() == one.code else f"It was written about `{one.code}`."


def _file_values(
    files: Iterable[tuple[SourceFile, list[Parts]]], report: Report | None, lines: Sequence[Line]
) -> Iterator[_Values]:
    findings = findings_by_line(report) if report else {}
    for number, (file, rows) in enumerate(files):
        found = {line: texts for (name, line), texts in findings.items() if name == file.name}
        comments: defaultdict[int, list[Line]] = defaultdict(list)
        for line in lines:
            if line.by_hand.file == file.name:
                comments[line.by_hand.line or 0].append(line)
        yield {
            "number": number,
            "name": file.name,
            "note": file.note,
            "length": count(len(file.lines), "line"),
            "marks": len(found.keys() | comments.keys()),
            "rows": [(n, parts, found.get(n, ()), comments.get(n, ())) for n, parts in enumerate(rows, 1)],
            "elsewhere": [one for n in sorted(comments) if not 1 <= n <= len(file.lines) for one in comments[n]],
        }
