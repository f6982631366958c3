"""The solver against the published sequences, and its solutions against the rules of the game."""

from itertools import pairwise

import pytest
from queens import Placement, count, fundamental, images, is_solution, solutions

from tests.support.rows import each_row

A000170 = dict(enumerate((1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200), start=1))
A002562 = dict(enumerate((1, 0, 0, 1, 2, 1, 6, 12, 46, 92), start=1))


@pytest.mark.parametrize(("n", "number"), A000170.items())
def test_count_is_the_published_number(n: int, number: int) -> None:
    assert count(n) == number


@pytest.mark.parametrize("n", range(1, 11))
def test_solutions_are_as_many_as_counted_valid_distinct_and_in_order(n: int) -> None:
    found = list(solutions(n))
    assert len(found) == A000170[n]
    assert all(len(solution) == n and is_solution(solution) for solution in found)
    assert all(earlier < later for earlier, later in pairwise(found))


@each_row
def test_is_solution(columns: Placement, valid: bool) -> None:  # noqa: FBT001  a column of the table
    assert is_solution(columns) is valid


@pytest.mark.parametrize(("n", "number"), A002562.items())
def test_fundamental_is_the_published_number(n: int, number: int) -> None:
    assert len(list(fundamental(n))) == number


@pytest.mark.parametrize("n", [1, 4, 5, 6, 8])
def test_the_classes_share_out_all_solutions(n: int) -> None:
    classes = [images(solution) for solution in fundamental(n)]
    assert sum(map(len, classes)) == count(n)
    assert set().union(*classes) == set(solutions(n))


@each_row
def test_a_class_is_as_large_as_its_symmetry_allows(solution: Placement, size: int) -> None:
    assert len(images(solution)) == size
