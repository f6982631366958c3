"""A program of the course that judges a text: `validator input answer feedback < text`, in a sandbox of its own.

It starts and answers like an interactor: Kattis' problem package format treats both alike.
"""

from typing import TYPE_CHECKING

from msgspec.structs import replace

from grader.core.cache import Cache
from grader.core.course_programs import program_maker
from grader.core.model.checks import Check, Checks, Facts
from grader.core.model.execution import Runner
from grader.core.model.spec import CheckOptions
from grader.core.model.stored_file import unread
from grader.core.run.interaction import opinion_of
from grader.kinds.interactive.judge import read_validator_result
from grader.kinds.interactive.run import launch_validator

if TYPE_CHECKING:
    from grader.core.course import Course


def prepare_validators(course: "Course") -> "Course":
    """Return the course with its validators among its check functions."""
    return replace(course, checks=with_validators(course.checks, course.cache, course.execute))


def with_validators(functions: Checks, cache: Cache, run: Runner) -> Checks:
    """Return the checks of a course, of which some are `functions`, and others are programs."""
    ready = program_maker(cache, run)

    def check(asked: CheckOptions, facts: Facts) -> Check:
        if asked.validator is None:
            return functions(asked, facts)
        validator = ready(asked.validator)
        answer = facts.expected if "expected" in asked.takes else unread(validator, "answer")
        launch = launch_validator(validator, facts.input, answer)
        return lambda text: read_validator_result(opinion_of(run(replace(launch, stdin=text))), validator.program, text)

    return check
