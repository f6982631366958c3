"""Which deviations a case can have at all: what its expectations could name, whatever a program does."""

from collections.abc import Iterator

from grader.comparators import COMPARATORS
from grader.comparators.base import WRONG
from grader.comparators.text import TEXT_DEVIATIONS
from grader.deviations.normal import Kinds
from grader.model import Case, Expected


def reachable(case: Case) -> Kinds:
    """Return the deviations that a program can have in a case; none when nothing that it does can be wrong."""
    return frozenset(kind for kinds in _by_expectation(case) for kind in kinds)


def _by_expectation(case: Case) -> Iterator[Kinds]:
    streams = [stream for stream in (case.expect.stdout, case.expect.stderr) if stream and stream.is_checked]
    yield from map(_of_text, streams)
    if any(COMPARATORS[stream.how].asks(stream) for stream in streams):
        yield frozenset({"wrong-stream"})
        if all(COMPARATORS[stream.how].linewise for stream in streams):
            yield frozenset({"split-streams"})
    if case.expect.exit != "any":
        yield frozenset({"exit-status"})
    if case.expect.files:
        yield WRONG
        if case.expect.files.same:
            yield TEXT_DEVIATIONS
    if any(step.waits for step in case.dialogue):
        yield frozenset({"wrong", "unflushed"})
    if case.functions:
        yield WRONG
        if case.functions.returns and case.functions.returns.text:
            yield _of_text(case.functions.returns.text)


def _of_text(expected: Expected) -> Kinds:
    return COMPARATORS[expected.how].reachable(expected)
