import pytest
from library import Library


@pytest.fixture
def library():
    library = Library()
    library.lend("Emma", "Ann", 3)
    library.lend("Ulysses", "Bob", 1)
    library.lend("Dracula", "Ann", 8)
    return library


def test_reader(library):
    assert library.reader_of("Emma") == "Ann"
    assert library.reader_of("Ivanhoe") is None


def test_lent_twice(library):
    with pytest.raises(ValueError):
        library.lend("Emma", "Bob", 4)
    assert library.reader_of("Emma") == "Ann"


def test_in_time(library):
    assert library.give_back("Emma", 17) == 0
    assert library.give_back("Dracula", 10) == 0


def test_fine(library):
    assert library.give_back("Emma", 20) == 60
    assert library.give_back("Ulysses", 60) == 500


def test_given_back(library):
    library.give_back("Emma", 5)
    assert library.reader_of("Emma") is None
    assert library.lent_to("Ann") == ["Dracula"]


def test_overdue(library):
    assert library.overdue(17) == ["Ulysses"]
    assert library.overdue(23) == ["Ulysses", "Emma", "Dracula"]


def test_lent_to(library):
    assert library.lent_to("Ann") == ["Dracula", "Emma"]
    assert library.lent_to("Zoe") == []


def test_favourite(library):
    assert Library().favourite() is None
    library.give_back("Ulysses", 4)
    library.lend("Ulysses", "Cleo", 5)
    library.give_back("Dracula", 9)
    library.lend("Dracula", "Bob", 9)
    assert library.favourite() == "Ulysses"
    assert library.times_lent() == 5
