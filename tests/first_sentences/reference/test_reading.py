import pytest
from reading import Shelf, by_author, days_needed, longest_streak, minutes, most_read


def test_minutes():
    assert minutes("45") == 45
    assert minutes("1h20") == 80


def test_full_hours():
    assert minutes("2h") == 120


def test_days_needed():
    assert days_needed(300, 50) == 6
    assert days_needed(301, 50) == 7
    assert days_needed(0, 50) == 0


def test_no_pages_a_day():
    with pytest.raises(ValueError):
        days_needed(100, 0)


def test_longest_streak():
    assert longest_streak([10, 20, 0, 15, 0, 30]) == 2
    assert longest_streak([0, 0]) == 0


def test_streak_at_the_end():
    assert longest_streak([5, 0, 10, 5, 25]) == 3


def test_by_author():
    books = [("Lem", "Solaris"), ("Woolf", "Orlando"), ("Lem", "Eden")]
    assert by_author(books) == {"Lem": ["Eden", "Solaris"], "Woolf": ["Orlando"]}


def test_by_author_of_few():
    assert by_author([("Kafka", "Amerika")]) == {"Kafka": ["Amerika"]}
    assert by_author([]) == {}


def test_most_read():
    assert most_read([("Emma", 50), ("Dune", 30), ("Dune", 40)]) == "Dune"
    assert most_read([("Ulysses", 20), ("Emma", 90)]) == "Emma"


def test_most_read_of_equal_ones():
    assert most_read([("Emma", 30), ("Dune", 45), ("Emma", 15)]) == "Emma"


def test_most_read_of_nothing():
    assert most_read([]) is None


def test_add():
    shelf = Shelf(2)
    assert shelf.add("Emma") is True
    assert shelf.add("Emma") is False
    assert shelf.add("Dune") is True
    assert shelf.add("Eden") is False
    assert len(shelf) == 2


def test_titles():
    shelf = Shelf(3)
    for title in ["Orlando", "emma", "Dune"]:
        shelf.add(title)
    assert shelf.titles() == ["Dune", "emma", "Orlando"]
