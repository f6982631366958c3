"""Arguments that a function of the instructor draws: `placements(random)` yields lists of them, one for each call.

The generator of random numbers is seeded with the assignment and the function, so that every student gets the same.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random

from grader.errors import HostError
from grader.model import Case, Spec, Value
from grader.oracle.instructor import fault, load_function

_SIMPLE = (bool, int, float, str, type(None))


def draw(spec: Spec, fits: Callable[[Value, str], bool]) -> Spec:
    """Return the spec with all arguments drawn; `fits` tells whether a value can be given for a type.

    Raises HostError when a function fails, or draws not enough, or something else than is asked for.
    """
    counts: dict[tuple[str, str], int] = {}
    for test in spec.tests:
        for case in test.cases:
            if case.functions and case.functions.draw:
                key = (case.functions.draw.function, case.functions.draw.seed)
                counts[key] = max(counts.get(key, 0), case.functions.draw.index + 1)
    if not counts:
        return spec
    drawn = {key: _lists(spec.root, *key, count) for key, count in counts.items()}
    tests = (replace(test, cases=tuple(_filled(case, drawn, fits) for case in test.cases)) for test in spec.tests)
    return replace(spec, tests=tuple(tests))


def _filled(
    case: Case, drawn: Mapping[tuple[str, str], list[tuple[Value, ...]]], fits: Callable[[Value, str], bool]
) -> Case:
    function = case.functions
    if function is None or function.draw is None:
        return case
    args = drawn[function.draw.function, function.draw.seed][function.draw.index]
    asked = function.call.signature
    types = [parameter.type for parameter in asked.parameters]
    is_right = len(args) == len(types) and all(fits(arg, kind) for arg, kind in zip(args, types, strict=True) if kind)
    if not is_right:
        raise HostError(f"{function.draw.function}: it draws {args!r:.80}, which {asked.text} cannot be given")
    return replace(case, functions=replace(function, draw=None, call=replace(function.call, args=args)))


def _lists(root: Path, name: str, seed: str, count: int) -> list[tuple[Value, ...]]:
    function = load_function(root, name)
    try:
        # Frozen one by one: a generator may go on with the list that it has just handed over.
        lists = [_frozen(args) for args in islice(function(Random(seed)), count)]  # noqa: S311 - to be drawn again
    except (Exception, SystemExit) as error:
        raise fault(root, error, f"the generator {name}") from error
    if len(lists) < count or not all(isinstance(args, tuple) for args in lists):
        raise HostError(f"{name}: it draws {len(lists)} of {count} lists of arguments; yield a list for each call")
    return lists


def _frozen(value: object) -> Value:
    if isinstance(value, list | tuple):
        return tuple(map(_frozen, value))
    if isinstance(value, _SIMPLE):
        return value
    raise TypeError(f"{value!r:.80} is no number, boolean, text or list of such")
