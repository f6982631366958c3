"""A dialogue recorded from typed lines; before each line it waits for the program's output so far.

The reference is started again for every line, with all lines typed before. So nothing runs while a person thinks. A
reference whose output differs between runs is noticed at once.
"""

from collections.abc import Callable

from msgspec.structs import replace

from grader.author.record import Typist
from grader.author.to_yaml import decode
from grader.core.errors import HostError
from grader.core.model.execution import Execution
from grader.core.model.spec import ANYTHING, Case, Expectation, Step
from grader.kinds.dialogue.model import Dialogue

_MAX_AWAITED = 1000
"""characters of the output that are waited for"""
_NOTHING = (Step(do="key"),)
"""what is typed first, so that the reference gets a dialogue, and not an empty input"""


def record_dialogue(case: Case, typist: Typist, ask: Callable[[Case], Execution]) -> Dialogue | None:
    """Return the dialogue that the reference, which `ask` runs, has with a typist; None when nothing happens in it.

    All else is as in `case`.

    Raises HostError when the reference fails, or writes something else each time.
    """
    steps: list[Step] = []
    seen = b""
    expect = Expectation(stdout=ANYTHING, screen=True)
    while True:
        execution = ask(replace(case, kind="dialogue", payload=Dialogue(steps=tuple(steps) or _NOTHING), expect=expect))
        screen, is_waiting = execution.truncated_to_script_end.stdout, execution.output_when_script_ended is not None
        if not screen.startswith(seen):
            raise HostError("the reference says something else each time: nobody can be graded by it")
        output, seen = decode(screen[len(seen) :], "the screen"), screen
        line = typist(output, is_waiting)
        if not is_waiting:
            return Dialogue(steps=(*steps, Step(do="eof")))
        if awaited := _last_prompt(output):
            steps.append(Step(do="expect", text=awaited))
        if line is None:
            return Dialogue(steps=tuple(steps)) if steps else None
        steps.append(Step(do="send", text=line))


def _last_prompt(output: str) -> str:
    """Return the last line, with those before it when it was written before; empty when there is none."""
    text = output.rstrip("\n")[-_MAX_AWAITED:]
    lines = text.split("\n")
    tails = ("\n".join(lines[-number:]) for number in range(1, len(lines) + 1))
    found = next(tail for tail in tails if text.find(tail) == len(text) - len(tail))
    return found if found.strip() else ""
