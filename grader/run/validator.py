"""A program of the course that judges a text: `validator input answer feedback < text`, in a sandbox of its own.

It is started as an interactor is, and says as one what it thinks: Kattis' problem package format has both alike.
"""

from msgspec.structs import replace

from grader.model import Interaction, Interactor, Runner
from grader.run.interaction import FEEDBACK, feedback_of, launch_interactor

_PLACES = ("input", "answer", FEEDBACK)


def ask_validator(validator: Interactor, text: bytes, run: Runner) -> Interaction:
    """Return what a validator that is ready to be started says of a text."""
    launch = launch_interactor(replace(validator, args=(*_PLACES, *validator.args)))
    found = run(replace(launch, stdin=text))
    return Interaction(status=found.status, limit=found.limit, said=found.stderr, feedback=feedback_of(found))
