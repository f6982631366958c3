"""A dialogue made of the lines that somebody types: before each, what the reference has said is waited for.

The reference is started again for every line, with all that was typed before it. So nothing runs while a person thinks,
and a reference that says something else each time is found out at once.
"""

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from grader.author.to_yaml import decode
from grader.core.comparators.any import ANYTHING
from grader.core.errors import HostError, UsageError
from grader.core.model import Case, Execution, Expectation, Step
from grader.kinds.dialogue.model import Dialogue

Typist = Callable[[str, bool], str | None]
"""gets what was said since the last line, and whether more is waited for; returns the next line, or None for no more"""

_MAX_AWAITED = 1000
"""characters of what was said that are waited for"""
_NOTHING = (Step(do="key"),)
"""what is typed first, so that the reference is held a dialogue with, and not given an empty input"""


def lines_of(lines: Iterable[str]) -> Typist:
    """Type lines that are known before. Raises UsageError when the program has ended and some are left."""
    left = iter(lines)

    def typed(_said: str, is_waiting: bool) -> str | None:  # noqa: FBT001 - as a `Typist` is called
        line = next(left, None)
        if line is not None and not is_waiting:
            raise UsageError(f"the reference has ended before the line {line!r} was typed: leave out what is not read")
        return line

    return typed


def typed_dialogue(case: Case, typist: Typist, ask: Callable[[Case], Execution]) -> tuple[Step, ...]:
    """Return the steps of the dialogue that the reference has with a typist; what else is in `case` holds for it.

    Raises HostError when the reference fails, or says something else each time.
    """
    steps: list[Step] = []
    seen = b""
    expect = Expectation(stdout=ANYTHING, screen=True)
    while True:
        execution = ask(replace(case, kind="dialogue", payload=Dialogue(steps=tuple(steps) or _NOTHING), expect=expect))
        screen, is_waiting = execution.truncated_to_script_end.stdout, execution.left is not None
        if not screen.startswith(seen):
            raise HostError("the reference says something else each time: nobody can be graded by it")
        said, seen = decode(screen[len(seen) :], "the screen"), screen
        line = typist(said, is_waiting)
        if not is_waiting:
            return (*steps, Step(do="eof"))
        if awaited := _last_said(said):
            steps.append(Step(do="expect", text=awaited))
        if line is None:
            return tuple(steps)
        steps.append(Step(do="send", text=line))


def _last_said(said: str) -> str:
    """Return the prompt: the last line, with those before it when it was said before; empty when there is nothing."""
    text = said.rstrip("\n")[-_MAX_AWAITED:]
    lines = text.split("\n")
    tails = ("\n".join(lines[-number:]) for number in range(1, len(lines) + 1))
    found = next(tail for tail in tails if text.find(tail) == len(text) - len(tail))
    return found if found.strip() else ""
