"""The launch of a dialogue: the program, with the steps that the runner follows."""

from msgspec.structs import replace

from grader.core.model.execution import Launch
from grader.core.model.spec import Case
from grader.kinds.dialogue.model import dialogue_of


def complete_launch(launch: Launch, case: Case, _context: object) -> Launch:
    """Return the launch with the steps of the dialogue in place of an input that is known before."""
    return replace(launch, dialogue=dialogue_of(case))
