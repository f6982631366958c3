"""What a text is held against: an expectation of the spec with the reference's output filled in."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from grader.errors import HostError
from grader.model import Case, Comparator, Deviation, Execution, Expected, Tolerances

Stream = Literal["stdout", "stderr"]
Place = Literal["stdout", "stderr", "files"]

STREAMS: Mapping[Stream, str] = {"stdout": "standard output", "stderr": "standard error"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What one stream or file is expected to hold, and under which name it is spoken of."""

    how: Comparator
    values: tuple[bytes, ...]
    """one text (of lines or words too, joined), or all that `contains` looks for"""
    tolerate: Tolerances
    place: Place
    where: str
    """"standard output", "the file `x`" """
    ordered: bool = True
    tolerance: float = 0.0

    def deviation(self, kind: str, message: str) -> Deviation:
        """Name a deviation here, with what it leaves."""
        return Deviation(kind=kind, stream=self.place, message=message, keeps=self.tolerate.get(kind, Fraction(0)))

    @property
    def shown(self) -> bytes | None:
        """The text to show beside what was written; None when it was not compared with a text."""
        return self.values[0] if self.how in ("text", "lines", "tokens") else None


def wanted_streams(case: Case, expected: Execution | None) -> dict[Stream, Wanted]:
    """Return what each checked stream of `case` is held against.

    Raises HostError when the reference's execution is asked for and not there.
    """
    asked: dict[Stream, Expected | None] = {"stdout": case.expect.stdout, "stderr": case.expect.stderr}
    return {
        stream: Wanted(
            how=how.how,
            values=_values(how, stream, case, expected),
            place=stream,
            where=STREAMS[stream],
            ordered=how.ordered,
            tolerance=how.tolerance,
            tolerate=case.tolerate,
        )
        for stream, how in asked.items()
        if how is not None and how.how != "any"
    }


def answer_of(case: Case, expected: Execution | None) -> Execution:
    """Return the reference's execution. Raises HostError when there is none."""
    if expected is None:
        raise HostError(f"{case.id}: the reference's answer is asked for, but the reference did not run")
    return expected


def _values(asked: Expected, stream: Stream, case: Case, expected: Execution | None) -> tuple[bytes, ...]:
    if asked.want is None:
        answer = answer_of(case, expected)
        return (answer.stdout if stream == "stdout" else answer.stderr,)
    values = tuple(value.encode(errors="surrogatepass") for value in asked.want)
    match asked.how:
        case "lines":
            return (b"".join(value + b"\n" for value in values),)
        case "tokens" | "numbers":
            return (b" ".join(values),)
        case _:
            return values
