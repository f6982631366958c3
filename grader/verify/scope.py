"""Mutants: programs that are wrong in one way, to see whether a spec notices.

An output mutant is the right program with a fault on its way out: what it did in a case is changed as such a program
would have changed it, and judged, and no process is started. It is wrong in one test, and wherever else a program is
given the same: no program could tell the two apart. A source mutant is the reference with one change of its source, and
is run.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from grader.comparators import COMPARATORS
from grader.model import Execution, Spec, Test
from grader.verify.right import Scene

Apply = Callable[[Scene], Execution]
"""Returns what the mutant does in a case: the very execution that is right, where it does nothing else.

Raises HostError when it cannot be run.
"""
Change = Callable[[Scene], Execution | None]
"""The same, but None stands for what is right."""

Rule = Literal["visible", "layout", "source"]
"""What is broken: a rule that the document states; blanks, line ends and capitals; whatever the changed source does."""

Stream = Literal["stdout", "stderr"]
STREAMS: tuple[Stream, ...] = ("stdout", "stderr")

Hows = frozenset[str]

WHOLE: Hows = frozenset(name for name, comparator in COMPARATORS.items() if comparator.linewise)
"""comparators that say how every line looks; the others leave the layout to the program"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A program that is wrong in one way."""

    name: str
    """`listing/stdout/order`, as `equivalent` in the spec names it"""
    about: str
    """what is wrong with it, in a few words"""
    apply: Apply
    rule: Rule = "visible"
    named: frozenset[str] = frozenset()
    """the deviations with any of which it is named rightly; none when the language has no name for it"""

    @property
    def kind(self) -> Literal["output", "source"]:
        """Whether the reference's output is changed or its source."""
        return "source" if self.rule == "source" else "output"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Where an output mutant is wrong: in a test, and wherever else a program is given the same."""

    test: Test
    scenes: tuple[Scene, ...]
    """the test's own"""
    every: tuple[Scene, ...]
    """of all tests"""

    def mutant(
        self, name: str, about: str, change: Change, *, rule: Rule = "visible", named: Sequence[str] = ()
    ) -> Mutant:
        """Make a mutant that does `change` within this scope."""
        given = {scene.given for scene in self.scenes}

        def apply(scene: Scene) -> Execution:
            changed = change(scene) if scene.given in given else None
            return scene.right if changed is None else changed

        return Mutant(name=f"{self.test.name}/{name}", about=about, apply=apply, rule=rule, named=frozenset(named))

    def alike(self, scene: Scene) -> list[Scene]:
        """Return all scenes in which a program is given the same as in this one."""
        return [other for other in self.every if other.given == scene.given]

    def comparators(self, stream: Stream) -> Mapping[str, Hows]:
        """Return how a stream is compared in the scope, wherever it is: what is given -> comparators but `any`."""
        return {
            scene.given: frozenset(how for other in self.alike(scene) if (how := comparator(other, stream)))
            for scene in self.scenes
        }


Family = Callable[[Scope], Iterator[Mutant]]
"""Makes the mutants of one kind for a scope; what changes nothing there is left out later."""


def comparator(scene: Scene, stream: Stream) -> str | None:
    """Return how a stream is compared in a case; None when it may hold anything."""
    asked = scene.case.expect.stdout if stream == "stdout" else scene.case.expect.stderr
    return asked.how if asked is not None and asked.is_checked else None


def scopes(spec: Spec, scenes: Sequence[Scene]) -> Iterator[Scope]:
    """Yield a scope for each test, but one only where two tests give a program the same things throughout."""
    seen: set[frozenset[str]] = set()
    for test in spec.tests:
        own = tuple(scene for scene in scenes if scene.test is test)
        given = frozenset(scene.given for scene in own)
        if own and given not in seen:
            seen.add(given)
            yield Scope(test=test, scenes=own, every=tuple(scenes))
