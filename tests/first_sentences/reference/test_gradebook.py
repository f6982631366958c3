import pytest
from gradebook import average, drop_lowest, letter, merge, parse


@pytest.mark.parametrize(("scores", "expected"), [([80, 90], 85), ([1, 2, 2], 5 / 3), ([], 0)])
def test_average(scores, expected):
    assert average(scores) == pytest.approx(expected)


@pytest.mark.parametrize("score, expected", [(95, "A"), (90, "A"), (89, "B"), (80, "B"), (71, "C"), (12, "F")])
def test_letter(score, expected):
    assert letter(score) == expected


def test_parse():
    assert parse("Ann: 80, 95") == ("Ann", [80, 95])
    name, scores = parse("Bob Lee : 7")
    assert name == "Bob Lee"
    assert scores == [7]


def test_drop_lowest():
    assert drop_lowest([70, 50, 90, 50]) == [70, 90, 50]


def test_drop_lowest_leaves_its_argument():
    scores = [3, 1, 2]
    drop_lowest(scores)
    assert scores == [3, 1, 2]


def test_merge():
    first = {"Ann": 80}
    assert merge(first, {"Bob": 70, "Ann": 81}) == {"Ann": 81, "Bob": 70}
    assert first == {"Ann": 80}
