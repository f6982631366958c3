from collections import Counter

import pytest

from grader.core.seeded_random import SeededRandom, derive


def test_what_is_drawn_never_changes() -> None:
    # Written down once: with these, grades of other years can be made again.
    chance = SeededRandom("a seed")
    assert derive("a seed", "one", "two") == "3d14f81fa31851df8bad45781c22533877ee095022cb87adb22afdb394a68a83"
    assert [chance.randint(1, 100) for _ in range(5)] == [14, 84, 21, 19, 61]
    assert chance.random() == 0.9906128372440738
    assert chance.choice("abcdef") == "e"
    assert chance.sample(range(10), 4) == [5, 1, 8, 9]
    values = list(range(6))
    chance.shuffle(values)
    assert values == [2, 1, 5, 0, 3, 4]
    assert chance.distinct(1000, 3) == [969, 204, 787]


def test_every_number_is_as_likely() -> None:
    chance = SeededRandom("any")
    found = Counter(chance.randint(-1, 2) for _ in range(4000))
    assert found.keys() == {-1, 0, 1, 2}
    assert all(850 < times < 1150 for times in found.values())


@pytest.mark.parametrize(("size", "count"), [(1, 1), (6, 6), (10**30, 50), (5, 0)])
def test_distinct_numbers_are_in_range(size: int, count: int) -> None:
    found = SeededRandom("s").distinct(size, count)
    assert len(set(found)) == count
    assert all(0 <= one < size for one in found)


def test_there_are_no_more_than_there_are() -> None:
    with pytest.raises(ValueError, match="there are no 4 among 3"):
        SeededRandom("s").distinct(3, 4)
    with pytest.raises(ValueError, match="no number from 4 to 3"):
        SeededRandom("s").randint(4, 3)
    with pytest.raises(IndexError):
        SeededRandom("s").choice("")


def test_parts_have_seeds_of_their_own() -> None:
    assert len({derive("s", "a", "b"), derive("s", "ab"), derive("t", "a", "b"), derive("s", "a")}) == 4
