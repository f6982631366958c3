"""What a text is held against: an expectation of the spec with the reference's output filled in."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal

from grader.comparators import COMPARATORS
from grader.comparators.base import Wanted, WantedPlace
from grader.errors import HostError
from grader.model import Case, Check, Checks, Deviation, Execution, Expected, Tolerances

Stream = Literal["stdout", "stderr"]
DeviationPlace = Literal["stdout", "stderr", "exit", "files", "call"]

STREAMS: Mapping[Stream, str] = {"stdout": "standard output", "stderr": "standard error"}


def deviations_of(output: bytes, wanted: Wanted) -> tuple[Deviation, ...]:
    """Hold a text against what is wanted: return its deviations; none means that it holds."""
    return COMPARATORS[wanted.how].compare(output, wanted)


def deviation_in(case: Case, kind: str, place: DeviationPlace, message: str) -> Deviation:
    """Name a deviation of a case, with what it leaves."""
    return Deviation(kind=kind, stream=place, message=message, keeps=case.tolerate.get(kind, Fraction(0)))


def no_checks(asked: Expected) -> Check:
    """Have no checks at all: raises HostError."""
    raise HostError(f"{asked.function} is asked for, but nobody has loaded it")


def wanted_streams(case: Case, expected: Execution | None, checks: Checks = no_checks) -> dict[Stream, Wanted]:
    """Return what each checked stream of `case` is held against.

    Raises HostError when the reference's execution is asked for and not there, or a check cannot be used.
    """
    asked: dict[Stream, Expected | None] = {"stdout": case.expect.stdout, "stderr": case.expect.stderr}
    wanted: dict[Stream, Wanted] = {}
    for stream, how in asked.items():
        if how is not None and how.is_checked:
            outputs = answer_of(case, expected) if how.want is None else None
            answer = (outputs.stdout if stream == "stdout" else outputs.stderr) if outputs else b""
            wanted[stream] = wanted_text(how, answer, case.tolerate, (stream, STREAMS[stream]), checks)
    return wanted


def wanted_text(
    asked: Expected, answer: bytes, tolerate: Tolerances, place: tuple[WantedPlace, str], checks: Checks
) -> Wanted:
    """Return what a text is held against: what is `asked`, with the reference's `answer` where that is asked for."""
    values: tuple[bytes, ...] = (answer,)
    if asked.want is not None:
        values = tuple(value.encode(errors="surrogatepass") for value in asked.want)
        join = COMPARATORS[asked.how].join
        values = (join(values),) if join else values
    return Wanted(
        how=asked.how,
        values=values,
        place=place[0],
        where=place[1],
        ordered=asked.ordered,
        tolerance=asked.tolerance,
        tolerate=tolerate,
        check=checks(asked) if asked.function else None,
    )


def answer_of(case: Case, expected: Execution | None) -> Execution:
    """Return the reference's execution. Raises HostError when there is none."""
    if expected is None:
        raise HostError(f"{case.id}: the reference's answer is asked for, but the reference did not run")
    return expected
