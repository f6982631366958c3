"""The launch of a dialogue: the program, with the steps that the runner follows."""

from collections.abc import Callable

from msgspec.structs import replace

from grader.core.model.execution import Launch
from grader.core.model.spec import Case
from grader.kinds.dialogue.model import dialogue_of


def launch(case: Case, _context: object, around: Callable[[], Launch]) -> Launch:
    """Return the launch with the steps of the dialogue in place of an input that is known before."""
    return replace(around(), dialogue=dialogue_of(case))
