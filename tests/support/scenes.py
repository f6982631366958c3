"""Cases with what is right in them, made by hand."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from grader.check.expected_results import Scene, given
from grader.check.mutants import FAMILIES, Mutant, Scope
from grader.core.model.execution import Execution
from grader.core.model.spec import Case, Expectation, Expected, Leaf, Test
from tests.support.comparators import leaf_of

BASE = "count"


def text(want: str) -> Expected:
    return Leaf(how="text", want=(want,))


def case(number: int = 1, **more: Any) -> Case:
    return Case(**{"id": f"{BASE}[{number}]", "args": (str(number),), **more})


def scope(*pairs: tuple[Case, Execution]) -> Scope:
    """A test with these cases, and what is right in each."""
    test = Test(name=BASE, points=Fraction(10), cases=tuple(case for case, _ in pairs))
    scenes = tuple(
        Scene(test=test, case=case, right=right, expected=None, by_reference=False, given=given(case))
        for case, right in pairs
    )
    return Scope(test=test, scenes=scenes, every=scenes)


def printing(number: int, output: str, how: str = "text") -> tuple[Case, Execution]:
    """A case in which a text is printed, and how it is compared."""
    want = ("x:y",) if how == "check" else (output,)
    expected = leaf_of(how, want, **({"function": "x:y"} if how == "check" else {}))
    return case(number, expect=Expectation(stdout=expected)), Execution(stdout=output.encode(), status=0)


def by_name(mutants: Iterable[Mutant]) -> dict[str, Mutant]:
    """Those that do something, by the part of their name behind the test's."""
    return {mutant.name.partition("/")[2]: mutant for mutant in mutants}


def changed(where: Scope, *families: str) -> dict[str, list[Execution | None]]:
    """What each mutant of the families does in each case, None where it is right; only what is wrong somewhere."""
    found = {}
    for name, mutant in by_name(mutant for family in families for mutant in FAMILIES[family](where)).items():
        done = [mutant.apply(scene) for scene in where.scenes]
        if any(one != scene.right for one, scene in zip(done, where.scenes, strict=True)):
            found[name] = [None if one == scene.right else one for one, scene in zip(done, where.scenes, strict=True)]
    return found
