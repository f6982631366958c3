"""A dialogue with the program, step by step, and its launch."""

from collections.abc import Callable

from msgspec.structs import replace

from grader.core.model.execution import Launch
from grader.core.model.spec import Case, Payload, Step


class Dialogue(Payload, frozen=True, kw_only=True):
    """The input that a program gets and its expected answers."""

    steps: tuple[Step, ...]

    checks = property(lambda self: any(step.do in ("expect", "regex", "eof") for step in self.steps))
    features = property(lambda _: ("a dialogue",))
    unfit_mutants = property(lambda _: ("texts", "denied", "streams", "answers"))  # its parts depend on each other
    reachable = property(lambda self: ("wrong", "unflushed") if self.checks else ())  # where it waits for anything


def dialogue_of(case: Case) -> tuple[Step, ...]:
    """Return the steps of the dialogue of a case; none for a case of another kind."""
    return case.payload.steps if isinstance(case.payload, Dialogue) else ()


def launch(case: Case, _context: object, around: Callable[[], Launch]) -> Launch:
    """Return the launch with the steps of the dialogue in place of an input that is known before."""
    return replace(around(), dialogue=dialogue_of(case))
