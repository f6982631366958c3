"""What a rule of `lint` looks at, and what it finds."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from grader.load import Source
from grader.model import Case, Spec, Test
from grader.pipeline import Course
from grader.verify.right import Answered

Level = Literal["error", "warning"]
Found = tuple[str, str]
"""the path of what is meant, and the message: what is wrong and what to do"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A spec without mistakes of the language, and all that is known about it."""

    spec: Spec
    source: Source
    course: Course | None = None
    """None when nothing could be run"""
    answers: tuple[Answered, ...] = ()
    """what the reference did in each case, if it could be asked"""

    def tests(self) -> Iterator[tuple[str, Test]]:
        """Iterate over the tests, each with its path."""
        return ((f"tests[{index}]", test) for index, test in enumerate(self.spec.tests))

    def path(self, case: Case, *below: str) -> str:
        """Return the path of a case, or of the nearest of some of its keys that is written there or above it."""
        start = self.source.cases[case.id]
        test = start.partition(".")[0]
        for key in below:
            for holder in (start, test):
                if f"{holder}.{key}" in self.source.places:
                    return f"{holder}.{key}"
        return start


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule of `lint`."""

    level: Level
    about: str
    """what is wrong with a spec that breaks it, and why that matters"""
    find: Callable[[Subject], Iterable[Found]]
    asks: Literal["nothing", "functions", "reference"] = "nothing"
    """what has to be run for it: the instructor's functions, or the reference in the sandbox"""
