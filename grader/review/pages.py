"""The answers of `grader review` to each address: the list, a change and where it leads, and a student's page.

That page has the source with the findings on its lines, and the forms to decide by hand. It works without its script,
which adds the keyboard and opens the form at a line without loading the page anew.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from http import HTTPStatus
from typing import NamedTuple
from urllib.parse import unquote

import msgspec

from grader.core.errors import GraderError, NotConfirmedError, SpecError
from grader.core.model.gradebook import Grade
from grader.core.model.report import ByHand, Report, fraction
from grader.core.report import view
from grader.core.report.document import describe_cause, describe_work
from grader.core.report.html import to_markup
from grader.core.text import count, count_points, one_line, point_word, points, sentence, show, signed
from grader.decisions.adjustments import Line
from grader.results.adjusting import Adjustable, OutdatedPagesError
from grader.results.view import grade_view, why_not_graded
from grader.review.changes import ConflictError, make_change
from grader.review.reviewed import (
    ClassNow,
    Filter,
    fill_form_page,
    grade_key,
    read_class,
    read_whole_report,
    revision_of,
    revision_of_line,
    student_address,
    to_list_page,
)
from grader.review.server import Application, PageRequest, PageResponse, to_message
from grader.review.sources import Parts, SourceFile, SubmissionSource, coloured, findings_by_line, read_source


class PageState(NamedTuple):
    """What a page is made of; of a change that was refused, also what was typed, and why it was refused."""

    reviewed: Adjustable
    request: PageRequest
    now: ClassNow
    chosen: Filter
    problem: str = ""
    typed: Mapping[str, str] = {}
    asks_above: bool = False  # whether the change leads above the maximum, which has to be confirmed


def application_of(reviewed: Adjustable) -> Application:
    """Return the pages of a class."""
    return partial(_answer, reviewed)


def _answer(reviewed: Adjustable, request: PageRequest) -> PageResponse:
    try:
        now = read_class(reviewed)
    except GraderError as error:
        what = "Mend it, and load this page anew:\n" if isinstance(error, SpecError) else ""
        return to_message("This cannot be shown", f"{what}{error}", HTTPStatus.CONFLICT, request.guard.base)
    chosen = Filter.of_address(request.parameters)
    if request.path == ("",) and request.form is None:
        return PageResponse(body=to_list_page(reviewed, now, chosen, request.guard.base))
    kind, *keys = request.path
    is_student = kind == "student" and len(keys) == 1
    grade = now.grade(unquote(keys[0], errors="surrogateescape")) if is_student else None
    if grade is None:
        text = "There is no such page, or no such student any more."
        return to_message("Not found", text, HTTPStatus.NOT_FOUND, request.guard.base)
    state = PageState(reviewed=reviewed, request=request, now=now, chosen=chosen)
    return _change(state, grade, request.form) if request.form is not None else _student_page(state, grade)


def _change(state: PageState, grade: Grade, form: Mapping[str, str]) -> PageResponse:
    try:
        place = make_change(state.reviewed, grade, form, _source_of(state, grade))
    except GraderError as error:
        fresh, above = read_class(state.reviewed), isinstance(error, NotConfirmedError)
        is_written = isinstance(error, OutdatedPagesError)
        problem, typed = (str(error), {}) if is_written else (f"Nothing was written. {error}", form)
        state = state._replace(now=fresh, problem=problem, typed=typed, asks_above=above)
        status = HTTPStatus.CONFLICT if isinstance(error, ConflictError) else HTTPStatus.UNPROCESSABLE_ENTITY
        return _student_page(state, fresh.grade(grade_key(grade)) or grade)._replace(status=status)
    target = student_address(grade, state.chosen) + place
    if form.get("then") == "next":
        target = _neighbours(state, grade)["next"] or state.chosen.address
    return PageResponse(status=HTTPStatus.SEE_OTHER, headers={"Location": state.request.guard.base + target})


def _source_of(state: PageState, grade: Grade) -> SubmissionSource:
    return read_source(grade.entry.path, state.reviewed.spec, grade.report.submission.digest if grade.report else "")


def _student_page(state: PageState, grade: Grade) -> PageResponse:
    """Render the page of a grade with its whole report."""
    now, asked, base = state.now, state.request.parameters, state.request.guard.base
    source, report, lines = _source_of(state, grade), read_whole_report(state.reviewed, grade), now.lines_of(grade)
    edited = next((line for line in lines if revision_of_line(line) == asked.get("edit")), None)
    by_hand = edited.by_hand if edited else ByHand(why="")
    typed = {"points": _signed(by_hand.points), "why": by_hand.why, "test": by_hand.test, "action": "", "instead": ""}
    typed |= {"instead": revision_of_line(edited)} if edited else {}
    here = base + student_address(grade, state.chosen)
    given = {line.by_hand.item: revision_of_line(line) for line in reversed(lines) if line.by_hand.item}
    page = fill_form_page(
        "review_student.html",
        base,
        token=state.request.guard.form_token,
        here=here,
        more=f"{here}&" if state.chosen.address else f"{here}?",
        title=sentence(now.book.spec.title or now.book.spec.id),
        name=one_line(grade.entry.id, view.NAME_LIMIT) or "(no name)",
        people=[one_line(student.name, view.NAME_LIMIT) for student in grade.entry.students if student.name],
        list_address=f"{base}{state.chosen.address}",
        around=_neighbours(state, grade),
        notes=[*now.notes, *([source.problem] if source.problem else []), *map(sentence, grade.entry.notes)],
        form=state,
        is_edited=edited is not None,
        typed={**typed, **state.typed},
        place=state.typed.get("at", "") if state.typed.get("action") == "comment" else asked.get("at", ""),
        seen=revision_of(lines),
        verdict=grade_view(grade).words,
        **_score_values(grade, report),
        tests=report.tests if report else [],
        decided=[line for line in lines if not line.by_hand.file],
        rubric=[(item, given.get(item.id, "")) for item in now.rules.rubric],
        files=list(_file_values(coloured(source.files, state.reviewed.spec.language), report, lines)),
        can_comment=bool(report) and source.is_as_graded,
        one_line=partial(one_line, limit=view.NAME_LIMIT),
        signed=_signed,
        moved_from=partial(_moved_from, source),
        exhibits_of=lambda group, test: to_markup(
            [view.Text(view.describe_group(group, test)), *view.case_blocks(group[0])]
        ),
        **{function.__name__: function for function in _IN_TEMPLATE},
    )
    return PageResponse(body=page)


def _neighbours(state: PageState, grade: Grade) -> dict[str, str]:
    """Return the addresses of the students before and after this one in the list, which may not have this one."""
    chosen, listed = state.chosen, state.chosen.select(state.now)
    before = [other for other in listed if other.entry.id < grade.entry.id]
    behind = [other for other in listed if other.entry.id > grade.entry.id]
    is_listed = len(before) + len(behind) < len(listed)
    return {
        "previous": student_address(before[-1], chosen) if before else "",
        "next": student_address(behind[0], chosen) if behind else "",
        "position": f"{len(before) + 1} of {len(listed)}" if is_listed else f"not among the {len(listed)} of the list",
    }


def _score_values(grade: Grade, report: Report | None) -> dict[str, object]:
    if report is None:
        reason = "Nothing was handed in." if grade.entry.path is None else "There is no report: it is not graded yet."
        score = "" if grade.counted is None else points(grade.counted)
        return {"score": score, "unit": point_word(grade.counted or 0), "after": [], "summary": "", "reason": reason}
    after = view.describe_final(report.final or None, report.max_score, report)
    cause = describe_cause(report, after_due=True)
    causes = [f"{cause.title}: {cause.sentence}"] if cause else []
    findings = (sentence(finding.message) for finding in report.findings)
    return {
        "score": "" if report.is_excused else view.out_of(report.counted, report.max_score),
        "unit": point_word(report.max_score),
        "after": [line for line in after if line.startswith(("Graded", "Late"))],
        "summary": to_markup(map(view.Text, [*causes, *findings, *describe_work(report)])),
        "reason": why_not_graded(report),
    }


def _signed(change: float | None) -> str:
    return "" if change is None else signed(fraction(change))


def describe_change(change: float | None) -> str:
    """`+2 points`, `-1 point`; empty for a comment."""
    return "" if change is None else f"{_signed(change)} point{'s' * (abs(change) != 1)}"


def effect_of(line: Line) -> str:
    """Return what a line of `adjustments.yaml` does to the score."""
    by_hand = line.by_hand
    if by_hand.excused:
        return "excused"
    if by_hand.score is not msgspec.UNSET:
        return f"{count_points(fraction(by_hand.score))} in place of what was graded"
    return describe_change(by_hand.points)


def _moved_from(source: SubmissionSource, line: Line) -> str:
    """Return what a comment was written about, where its line is another one now."""
    by_hand = line.by_hand
    current = source.line(by_hand.file, by_hand.line) if by_hand.file and by_hand.line and by_hand.code else None
    return "" if current is None or current.strip() == by_hand.code else f"It was written about `{by_hand.code}`."


def _file_values(
    files: Iterable[tuple[SourceFile, list[Parts]]], report: Report | None, lines: Sequence[Line]
) -> Iterator[dict[str, object]]:
    findings = findings_by_line(report) if report else {}
    for number, (file, rows) in enumerate(files):
        texts_of = {line: texts for (name, line), texts in findings.items() if name == file.name}
        comments: defaultdict[int, list[Line]] = defaultdict(list)
        for line in lines:
            if line.by_hand.file == file.name:
                comments[line.by_hand.line or 0].append(line)
        yield {
            "number": number,
            "name": file.name,
            "note": file.note,
            "length": count(len(file.lines), "line"),
            "marks": len(texts_of.keys() | comments.keys()),
            "rows": [(n, parts, texts_of.get(n, ()), comments.get(n, ())) for n, parts in enumerate(rows, 1)],
            "elsewhere": [line for n in sorted(comments) if not 1 <= n <= len(file.lines) for line in comments[n]],
        }


_IN_TEMPLATE: tuple[Callable[..., object], ...] = (
    *(describe_change, effect_of, revision_of_line, sentence, show),
    *(view.describe_group, view.describe_groups, view.names, view.test_points, view.word_for_case, view.word_for_test),
)  # what the template calls
