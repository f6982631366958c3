"""The odds of a program that guesses in which runs its methods are turned round: exactly for few, drawn for many."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product

import pytest

from grader.kinds.unit_tests.recheck import chooser, draw_turns

WAYS = 6
"""of a method: turned in one or two of three runs"""
Ways = tuple[tuple[bool, ...], ...]
"""of each method, whether it is turned in each of the runs"""


def _ways_of(number: int, choices: Sequence[int]) -> Ways:
    left = iter(choices)
    runs = draw_turns(range(number), lambda below: next(left) % below)
    return tuple(tuple(method in run for run in runs) for method in range(number))


def _every_draw(number: int) -> Iterator[Ways]:
    return (_ways_of(number, choices) for choices in product(range(WAYS), repeat=number))


@pytest.mark.parametrize("number", range(1, 7))
def test_whoever_sees_all_other_methods_still_guesses_one_of_six(number: int) -> None:
    draws = Counter(_every_draw(number))
    assert sum(draws.values()) == WAYS**number
    assert all(0 < sum(way) < len(way) for ways in draws for way in ways)
    for method in range(number):
        likely: dict[Ways, Counter[tuple[bool, ...]]] = {}
        for ways, often in draws.items():
            others = ways[:method] + ways[method + 1 :]
            likely.setdefault(others, Counter())[ways[method]] += often
        best = sum(max(own.values()) for own in likely.values())
        assert Fraction(best, WAYS**number) == Fraction(1, WAYS)
    # And all of them by one guess:
    assert max(draws.values()) == 1


@pytest.mark.parametrize("number", [7, 12, 26])
def test_of_many_methods_no_plan_finds_more_than_one_of_six(number: int) -> None:
    """Plans for the last method, by what the others show in each run; in 6,000 draws 0.0145 are three deviations."""
    plans: dict[str, Callable[[list[list[bool]]], list[bool]]] = {
        "as the first": lambda others: [run[0] for run in others],
        "not as the first": lambda others: [not run[0] for run in others],
        "as most": lambda others: [sum(run) > len(run) / 2 for run in others],
        "not as most": lambda others: [sum(run) <= len(run) / 2 for run in others],
        "where the fewest are": lambda others: [sum(run) == min(map(sum, others)) for run in others],
        "where the most are": lambda others: [sum(run) == max(map(sum, others)) for run in others],
        "in the first run": lambda _: [True, False, False],
        "in the others": lambda _: [False, True, True],
    }
    found: Counter[str] = Counter()
    for seed in range(6_000):
        runs = draw_turns(range(number), chooser(b"mixed %d" % seed))
        others = [[method in run for method in range(number - 1)] for run in runs]
        own = [number - 1 in run for run in runs]
        found.update(name for name, plan in plans.items() if plan(others) == own)
    assert all(share / 6_000 < 1 / WAYS + 0.0145 for share in found.values()), found
    # A plan that always names one of the six ways is right as often as that; some plans name none of them at times.
    assert found["in the first run"] / 6_000 > 1 / WAYS - 0.0145


def _kept(passes: float, believed: float, alone: int) -> float:
    """Return how often a liar keeps a method that passes by chance in each run without others.

    It has to pass at first. Then it is believed in the mixed runs, or else turned alone once or twice, where a pass
    is doubted, and the doubt holds if it passes in four further runs.
    """
    doubted = 1 - (1 - passes) ** alone
    return passes * (1 - (1 - believed) * doubted * passes**4)


def test_a_liar_has_no_more_of_the_mixed_runs_than_of_a_single_one() -> None:
    shares = [number / 1000 for number in range(1001)]
    mixed = max(_kept(share, 1 / WAYS, 2) for share in shares)
    single = max(_kept(share, 0, 1) for share in shares)
    assert (round(mixed, 3), round(single, 3)) == (0.573, 0.582)
