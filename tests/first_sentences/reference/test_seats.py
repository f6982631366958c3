import pytest
from seats import free_seats, longest_run, neighbours, parse_seat, price


def test_parse_seat():
    assert parse_seat("c12") == ("C", 12)
    assert parse_seat("A1") == ("A", 1)


@pytest.mark.parametrize("text", ["12", "A0", "Bx"])
def test_parse_seat_refuses(text):
    with pytest.raises(ValueError):
        parse_seat(text)


def test_free_seats():
    assert free_seats("AB", 2, {("A", 2)}) == [("A", 1), ("B", 1), ("B", 2)]


@pytest.mark.parametrize(
    ("seat", "expected"), [(("A", 1), [("A", 2)]), (("B", 5), [("B", 4), ("B", 6)]), (("C", 8), [("C", 7)])]
)
def test_neighbours(seat, expected):
    assert neighbours(seat, 8) == expected


@pytest.mark.parametrize(
    ("age", "row", "expected"), [(5, "A", 0), (6, "A", 10), (17, "D", 6), (18, "D", 12), (64, "C", 20), (65, "C", 10)]
)
def test_price(age, row, expected):
    assert price(age, row) == expected


def test_longest_run():
    assert longest_run([3, 9, 4, 5, 8]) == 3
    assert longest_run([]) == 0
