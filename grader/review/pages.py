"""What `grader review` answers to each address: the list, a student's page, a change and where it leads."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from http import HTTPStatus
from urllib.parse import unquote

from grader.core.errors import GraderError, NotConfirmedError, SpecError
from grader.core.model.gradebook import Grade
from grader.results.adjusting import Adjustable, OutdatedPagesError
from grader.review.changes import ConflictError, make_change
from grader.review.list_page import Filter, student_address, to_list_page
from grader.review.reviewed import ClassNow, grade_key, read_class, read_whole_report
from grader.review.server import Application, PageRequest, PageResponse, message_page
from grader.review.sources import SubmissionSource, read_source
from grader.review.student_page import PageState, neighbours, to_student_page

_STUDENT_PARTS = 2


def application_of(reviewed: Adjustable) -> Application:
    """Return the pages of a class."""
    return partial(_answer, reviewed)


def _answer(reviewed: Adjustable, request: PageRequest) -> PageResponse:
    try:
        now = read_class(reviewed)
    except GraderError as error:
        what = "Mend it, and load this page anew:\n" if isinstance(error, SpecError) else ""
        return _message(request, "This cannot be shown", f"{what}{error}", HTTPStatus.CONFLICT)
    chosen = Filter.of_address(request.parameters)
    if request.path == ("",) and request.form is None:
        return PageResponse(body=to_list_page(reviewed, now, chosen, request.base))
    is_student = len(request.path) == _STUDENT_PARTS and request.path[0] == "student"
    grade = now.grade(unquote(request.path[1], errors="surrogateescape")) if is_student else None
    if grade is None:
        text = "There is no such page, or no such student any more."
        return _message(request, "Not found", text, HTTPStatus.NOT_FOUND)
    state = PageState(
        base=request.base,
        chosen=chosen,
        token=request.form_token,
        language=reviewed.spec.language,
        at=request.parameters.get("at", ""),
        edited=request.parameters.get("edit", ""),
    )
    if request.form is None:
        return _student_page(reviewed, now, grade, state)
    return _change(reviewed, now, grade, state, request.form)


def _change(
    reviewed: Adjustable, now: ClassNow, grade: Grade, state: PageState, form: Mapping[str, str]
) -> PageResponse:
    try:
        place = make_change(reviewed, grade, form, _source_of(reviewed, grade))
    except GraderError as error:
        fresh = read_class(reviewed)
        asks_above = isinstance(error, NotConfirmedError)
        is_written = isinstance(error, OutdatedPagesError)
        problem = str(error) if is_written else f"Nothing was written. {error}"
        typed = {} if is_written else form
        state = replace(state, problem=problem, typed=typed, asks_above=asks_above)
        page = _student_page(reviewed, fresh, fresh.grade(grade_key(grade)) or grade, state)
        is_conflict = isinstance(error, ConflictError)
        return replace(page, status=HTTPStatus.CONFLICT if is_conflict else HTTPStatus.UNPROCESSABLE_ENTITY)
    target = student_address(grade, state.chosen) + place
    if form.get("then") == "next":
        target = neighbours(now, grade, state.chosen)["next"] or state.chosen.address
    return PageResponse(status=HTTPStatus.SEE_OTHER, headers={"Location": state.base + target})


def _student_page(reviewed: Adjustable, now: ClassNow, grade: Grade, state: PageState) -> PageResponse:
    source, report = _source_of(reviewed, grade), read_whole_report(reviewed, grade)
    return PageResponse(body=to_student_page(now, grade, report, source, state))


def _source_of(reviewed: Adjustable, grade: Grade) -> SubmissionSource:
    digest = grade.report.submission.digest if grade.report else ""
    return read_source(grade.entry.path, reviewed.spec, digest)


def _message(request: PageRequest, title: str, text: str, status: HTTPStatus) -> PageResponse:
    return PageResponse(body=message_page(title, text, request.base), status=status)
