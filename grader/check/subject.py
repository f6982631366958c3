"""What is examined, a spec with where its parts are written and what was found out about it; and what a rule is."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import Literal

from grader.check.expected_results import ReferenceResult, given
from grader.check.samples import read_samples
from grader.core.lint import lint_rule
from grader.core.model.spec import Case, Spec, Test
from grader.core.pipeline import Course
from grader.core.yaml.nodes import Node, Scalar

__all__ = ["lint_rule"]
Flaw = tuple[str, str]  # the path of what is meant, and the message: what is wrong and what to do


@dataclass(frozen=True, kw_only=True)
class Subject:
    """A spec without mistakes of the language, and all that is known about it."""

    spec: Spec
    file: str  # its name for messages
    nodes: Mapping[str, Node]  # all that is written in it, by path
    course: Course | None = None  # None when nothing could be run
    answers: tuple[ReferenceResult, ...] = ()  # what the reference did in each case, if it could be asked

    given = staticmethod(given)
    has_right_sample = property(lambda self: any(one.is_right(self.spec) for one in read_samples(self.spec)))

    def tests(self) -> Iterator[tuple[str, Test]]:
        """Iterate over the tests, each with its path."""
        return ((f"tests[{index}]", test) for index, test in enumerate(self.spec.tests))

    def holders(self) -> Iterator[tuple[Case, tuple[str, ...]]]:
        """Iterate over the cases, each with the paths of all that its keys may be written in."""
        for case in (case for test in self.spec.tests for case in test.cases):
            yield case, (*(case.path[: dot.start()] for dot in re.finditer(r"\.", case.path)), case.path)

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """The characters of each single value in the file, by path."""
        return {path: node.text for path, node in self.nodes.items() if isinstance(node, Scalar)}

    def path(self, case: Case, *below: str) -> str:
        """Return the path of a case, or of the first of the keys `below` written in it or above it."""
        for key in below:
            for holder in (case.path, case.path.partition(".")[0], "defaults"):
                if f"{holder}.{key}" in self.nodes:
                    return f"{holder}.{key}"
        return case.path


FlawFinder = Callable[[Subject], Iterable[Flaw]]  # finds what is wrong with a spec
Level = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class LintRule:
    """A rule for specs; `about`: what is wrong with a spec that breaks it, and why that matters."""

    level: Level
    find: FlawFinder
    about: str
    asks: Literal["nothing", "functions", "reference"] = "nothing"
    """what has to be run for it: the instructor's functions, or the reference in the sandbox"""
    takes_course: bool = False
    """whether it runs something of the course's that is no reference, and so also where there is none"""


def rules_in(module: ModuleType | None) -> Sequence[tuple[str, LintRule | FlawFinder]]:
    """Return the rules of a module by name, and what finds more of what breaks another one, in their order there."""
    found = [one for one in vars(module).values() if hasattr(one, "lint_rule")] if module else []
    own = [(find, *find.lint_rule) for find in found if module and find.__module__ == module.__name__]
    return [(name, LintRule(how, find, find.__doc__ or "", **needs) if how else find) for find, how, name, needs in own]
