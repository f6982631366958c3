"""The kinds of cases, each in a package of its own, and one table of them.

The table names modules and imports none of them, so that a spec loads only the kinds that it uses.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module

from grader.core.model.spec import Case, Spec
from grader.kinds.base import Kind, KindKeys

KINDS: Mapping[str, str] = {
    "generated-inputs": "grader.kinds.generated_inputs",
    "program": "grader.kinds.program",
    "dialogue": "grader.kinds.dialogue",
    "interactive": "grader.kinds.interactive",
    "functions": "grader.kinds.functions",
    "unit": "grader.kinds.unit_tests",
    "reported": "grader.kinds.reported_tests",
    "student-tests": "grader.kinds.student_tests",
    "source": "grader.kinds.source_rules",
    "style": "grader.kinds.style",
    "memory-clean": "grader.kinds.memory_clean",
}
"""the name of a kind -> the module that has its `KIND`; in the order in which the language describes them"""

WITHOUT_A_CASE = frozenset({"generated-inputs", "interactive"})
"""the kinds that a spec may use although no case has them (`Kind.applies`)"""


@cache
def kind_named(name: str) -> Kind:
    """Return the kind of that name; KeyError when there is none."""
    kind: Kind = import_module(KINDS[name]).KIND
    return kind


@cache
def all_kinds() -> tuple[Kind, ...]:
    """Return all kinds, in the order of the table."""
    return tuple(map(kind_named, KINDS))


def kind_of(case: Case) -> Kind:
    """Return the kind of a case."""
    return kind_named(case.kind)


def kinds_of(case: Case) -> tuple[Kind, ...]:
    """Return the kind of a case, and those that ask something more of the same run."""
    return (kind_of(case), *map(kind_named, case.also))


def kinds_in(spec: Spec) -> tuple[Kind, ...]:
    """Return the kinds that a spec uses, each once, in the order of the table."""
    used = {name for test in spec.tests for case in test.cases for name in (case.kind, *case.also)}
    found = (kind_named(name) for name in KINDS if name in used | WITHOUT_A_CASE)
    return tuple(kind for kind in found if kind.name in used or (kind.applies and kind.applies(spec)))


def list_with_followers(names: Iterable[str], follows: Mapping[str, str]) -> list[str]:
    """Return the names, each with its followers behind it; followers of an unknown name come last."""

    def chain_from(name: str) -> Iterator[str]:
        yield name
        for follower in (other for other, leader in follows.items() if leader == name):
            yield from chain_from(follower)

    return list(dict.fromkeys([*(one for name in names for one in chain_from(name)), *follows]))


__all__ = [
    "KINDS",
    "WITHOUT_A_CASE",
    "Kind",
    "KindKeys",
    "all_kinds",
    "kind_named",
    "kind_of",
    "kinds_in",
    "kinds_of",
    "list_with_followers",
]
