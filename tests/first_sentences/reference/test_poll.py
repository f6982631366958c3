import pytest
from poll import Poll, percent, turnout, winner


def test_percent():
    assert percent(1, 4) == 25
    assert percent(2, 3) == 67
    assert percent(3, 0) == 0


def test_winner():
    assert winner(["Bo", "Ann", "Cy", "Ann"]) == "Ann"
    assert winner(["Bo", "Cy", "Cy", "Bo"]) == "Bo"
    assert winner([]) is None


def test_turnout():
    assert turnout(["Ann", "Bo", "Cy", "Di"], ["Cy", "Ann"]) == ["Bo", "Di"]


def test_poll():
    poll = Poll("Tea?")
    poll.vote("Ann", "yes")
    poll.vote("Bo", "no")
    poll.vote("Cy", "yes")
    assert poll.count("yes") == 2
    assert poll.count("maybe") == 0
    assert poll.results() == [("yes", 2), ("no", 1)]


def test_one_vote_each():
    poll = Poll("Tea?")
    poll.vote("Ann", "yes")
    with pytest.raises(ValueError):
        poll.vote("Ann", "no")
