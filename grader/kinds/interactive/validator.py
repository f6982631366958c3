"""A program of the course that judges a text: `validator input answer feedback < text`, in a sandbox of its own.

It is started as an interactor is, and says as one what it thinks: Kattis' problem package format has both alike.
"""

from collections.abc import Callable

from msgspec.structs import replace

from grader.core.cache import Cache
from grader.core.model import Check, Checks, Expected, Facts, Interaction, Runner
from grader.core.run.interaction import launch_validator, opinion_of, program_maker


def with_validators(
    functions: Checks, heed: Callable[[Interaction, str, bytes], None], cache: Cache, run: Runner
) -> Checks:
    """Return the checks of a course, of which some are `functions`, and others are programs.

    `heed` is given what a program said, its name and the text, and raises what that comes to.
    """
    ready = program_maker(cache, run)

    def check(asked: Expected, facts: Facts) -> Check:
        if asked.validator is None:
            return functions(asked, facts)
        validator = ready(asked.validator)
        answer = facts.expected if "expected" in asked.takes else validator.answer
        launch = launch_validator(validator, facts.input, answer)
        return lambda text: heed(opinion_of(run(replace(launch, stdin=text))), validator.program, text)

    return check
