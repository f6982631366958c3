"""What a text is held against: an expectation of the spec with the reference's output filled in."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from grader.errors import HostError
from grader.model import STREAMS, Case, Check, Checks, Comparator, Deviation, Execution, Expected, Stream, Tolerances

Place = Literal["stdout", "stderr", "files", "call"]


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
    check: Check | None = None
    """`check` only: what to ask"""

    def deviation(self, kind: str, message: str) -> Deviation:
        """Name a deviation here, with what it leaves."""
        return Deviation(kind=kind, stream=self.place, message=message, keeps=self.tolerate.get(kind, Fraction(0)))

    @property
    def shown(self) -> bytes | None:
        """The text to show beside what was written; None when it was not compared with a text."""
        return self.values[0] if self.how in ("text", "lines", "tokens") else None


def no_checks(asked: Expected) -> Check:
    """Have no checks at all: raises HostError."""
    raise HostError(f"{asked.function} is asked for, but nobody has loaded it")


def wanted_streams(case: Case, expected: Execution | None, checks: Checks = no_checks) -> dict[Stream, Wanted]:
    """Return what each checked stream of `case` is held against.

    Raises HostError when the reference's execution is asked for and not there, or a check cannot be used.
    """
    asked: dict[Stream, Expected | None] = {"stdout": case.expect.stdout, "stderr": case.expect.stderr}
    return {
        stream: wanted_text(how, _answer(how, stream, case, expected), case.tolerate, (stream, STREAMS[stream]), checks)
        for stream, how in asked.items()
        if how is not None and how.how != "any"
    }


def wanted_text(
    asked: Expected, answer: bytes, tolerate: Tolerances, place: tuple[Place, str], checks: Checks
) -> Wanted:
    """Return what a text is held against: what is `asked`, with the reference's `answer` where that is asked for."""
    return Wanted(
        how=asked.how,
        values=(answer,) if asked.want is None else _values(asked.how, asked.want),
        place=place[0],
        where=place[1],
        ordered=asked.ordered,
        tolerance=asked.tolerance,
        tolerate=tolerate,
        check=checks(asked) if asked.how == "check" else None,
    )


def answer_of(case: Case, expected: Execution | None) -> Execution:
    """Return the reference's execution. Raises HostError when there is none."""
    if expected is None:
        raise HostError(f"{case.id}: the reference's answer is asked for, but the reference did not run")
    return expected


def _answer(asked: Expected, stream: Stream, case: Case, expected: Execution | None) -> bytes:
    if asked.want is not None:
        return b""
    answer = answer_of(case, expected)
    return answer.stdout if stream == "stdout" else answer.stderr


def _values(how: Comparator, want: tuple[str, ...]) -> tuple[bytes, ...]:
    values = tuple(value.encode(errors="surrogatepass") for value in want)
    match how:
        case "lines":
            return (b"".join(value + b"\n" for value in values),)
        case "tokens" | "numbers":
            return (b" ".join(values),)
        case _:
            return values
