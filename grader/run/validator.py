"""A program of the course that judges a text: `validator input answer feedback < text`, in a sandbox of its own.

It is started as an interactor is, and says as one what it thinks: Kattis' problem package format has both alike.
"""

from collections.abc import Callable

from msgspec.structs import replace

from grader.cache import Cache
from grader.model import Check, Checks, Expected, Facts, Interaction, Interactor, Runner
from grader.run.interaction import FEEDBACK, feedback_of, launch_interactor, program_maker

_PLACES = ("input", "answer", FEEDBACK)


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
        answer = facts.expected if "expected" in asked.takes else asked.validator.answer
        validator = replace(ready(asked.validator), input=facts.input, answer=answer)
        return lambda text: heed(_ask(validator, text, run), validator.program, text)

    return check


def _ask(validator: Interactor, text: bytes, run: Runner) -> Interaction:
    launch = launch_interactor(replace(validator, args=(*_PLACES, *validator.args)))
    found = run(replace(launch, stdin=text))
    return Interaction(status=found.status, limit=found.limit, said=found.stderr, feedback=feedback_of(found))
