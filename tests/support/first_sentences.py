"""What `tests/first_sentences/` is told first: `python -m tests.support.first_sentences [SPEC[/NAME] ...]` prints it.

`wanted.yaml` there was written before the first of them was graded; all of it is by the people who make this program.
"""

import io
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import msgspec
from rich.console import Console

from grader.core.model.layout import Submission
from grader.core.model.report import Job, Report
from grader.core.pipeline import Course, grade, prepare
from grader.core.reader.files import read_data
from grader.core.report.plain import to_renderable

COURSE = Path(__file__).parents[1] / "first_sentences"
MAX_SAID = 300
"""characters in which the cause has to stand: four lines of a terminal"""
_BAR = "  │ "


class Wanted(msgspec.Struct, frozen=True):
    """What a program must be told first, and what it gets."""

    mistake: str
    points: float | tuple[float, float]
    first: tuple[str, ...]
    never: tuple[str, ...] = ()

    def is_fair(self, score: float | None) -> bool:
        """Whether a score is one that a fair person gives."""
        least, most = self.points if isinstance(self.points, tuple) else (self.points, self.points)
        return score is not None and least <= score <= most

    def differences(self, said: str) -> list[str]:
        """Return what a sentence lacks or should not say; nothing if it names the cause."""
        start = said[:MAX_SAID]
        lacks = [f"lacks {pattern}" for pattern in self.first if not re.search(pattern, start, re.IGNORECASE)]
        return lacks + [f"says {pattern}" for pattern in self.never if re.search(pattern, start, re.IGNORECASE)]


@cache
def wanted() -> Mapping[tuple[str, str], Wanted]:
    """Return what is wanted, by the id of the spec and the name of the program."""
    read = msgspec.convert(read_data(COURSE / "wanted.yaml"), dict[str, dict[str, Wanted]])
    return {(spec, name): one for spec, programs in read.items() for name, one in programs.items()}


@cache
def _course(spec: str) -> Course:
    return prepare(COURSE / "specs" / f"{spec}.yaml")


def grade_program(spec: str, name: str) -> Report:
    """Grade one of the programs."""
    submission = Submission(id=name, path=COURSE / "submissions" / spec / name)
    return grade(Job(spec=COURSE / "specs" / f"{spec}.yaml", submission=submission), _course(spec))


def said_first(report: Report) -> str:
    """Return the first that the terminal says of a submission, with its heading where it is the one cause."""
    console = Console(file=io.StringIO(), width=10_000)
    with console.capture() as shown:
        console.print(*to_renderable(report))
    lines = shown.get().splitlines()
    first = next((place for place, line in enumerate(lines) if line.startswith(_BAR)), None)
    if first is None:
        return ""
    heading = f"{lines[first - 1]}: " if report.cause else ""
    return heading + lines[first].removeprefix(_BAR)


def survey(names: Sequence[str] = ()) -> Iterator[str]:
    """Say of each program, or of those that are named by their spec or in full, what it was told; the number last."""
    met = count = 0
    for (spec, name), one in wanted().items():
        if not names or spec in names or f"{spec}/{name}" in names:
            said = said_first(grade_program(spec, name))
            differences = one.differences(said)
            count, met = count + 1, met + (not differences)
            yield f"{'missing' if differences else 'met'}: {spec}/{name}: {one.mistake}"
            yield f"    wanted: {' & '.join(one.first)}{''.join(f' & never {word}' for word in one.never)}"
            yield f"    said:   {said}"
            if differences:
                yield f"    {'; '.join(differences)}"
    yield f"{met} of {count} name the cause"


if __name__ == "__main__":
    for line in survey(sys.argv[1:]):
        print(line)  # noqa: T201 - this is what it is for
