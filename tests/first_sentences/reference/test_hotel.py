import pytest
from hotel import Booking, cheaper_than, extremes, parse, plan


def test_parse():
    assert parse("Ann, single, 3") == ("Ann", "single", 3)


def test_plan():
    floors = plan(2, 3)
    floors[0][1] = "Ann"
    assert floors == [[None, "Ann", None], [None, None, None]]


def test_extremes():
    assert extremes(["8", "11", "9"]) == (8, 11)


def test_cheaper_than():
    assert cheaper_than(200) == ["double", "single"]


def test_price():
    assert Booking("Ann", "single", 3).price() == 240


def test_no_such_room():
    with pytest.raises(ValueError):
        Booking("Ann", "attic", 3)


def test_bill():
    assert Booking("Bo", "suite", 2).bill() == "Bo: 600"
    assert Booking("Bo", "double", 8).bill() == "Bo: 960 (long)"
