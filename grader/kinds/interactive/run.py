"""The launch of an interactive case: the program, and the course's program that talks to it."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from grader.core.course_programs import launch_interactor, program_maker
from grader.core.model.execution import Launch
from grader.core.model.layout import unread
from grader.core.model.spec import Case, Interactor
from grader.core.validators import launch_validator

if TYPE_CHECKING:
    from grader.core.course import Course


def launch(case: Case, _context: object, around: Callable[[], Launch]) -> Launch:
    """Return the launch with the interactor, or with the validator that is asked after each pass."""
    payload = Interactor.required(case)
    interactor, is_validator = launch_interactor(payload), payload.is_output_validator
    if is_validator:
        interactor = launch_validator(payload, unread(case, "stdin"), unread(payload, "answer"))
    settings = {"interactor": interactor, "roles": payload.roles, "passes": payload.passes}
    return replace(around(), is_output_validator=is_validator, **settings)


def prepare_submission(course: "Course", _student: str) -> "Course":
    """Return the course with a program for each interactor that has to be compiled; HostError when one cannot be."""
    ready = program_maker(course.cache, course.execute)

    def with_program(case: Case) -> Case:
        payload = Interactor.of(case)
        return replace(case, payload=ready(payload)) if payload else case

    tests = tuple(replace(test, cases=tuple(map(with_program, test.cases))) for test in course.spec.tests)
    return replace(course, spec=replace(course.spec, tests=tests))
