import pytest

from series import Playlist


@pytest.fixture
def playlist():
    playlist = Playlist()
    playlist.add("Help", 139)
    playlist.add("Yesterday", 125)
    playlist.add("Michelle", 160)
    return playlist


def test_empty():
    playlist = Playlist()
    assert playlist.current() is None
    assert playlist.next() is None
    assert playlist.shortest() is None
    assert playlist.length() == "0:00"


def test_current(playlist):
    assert playlist.current() == "Help"


def test_next(playlist):
    assert playlist.next() == "Yesterday"
    assert playlist.next() == "Michelle"


def test_next_wraps(playlist):
    playlist.next()
    playlist.next()
    assert playlist.next() == "Help"


def test_length(playlist):
    assert playlist.length() == "7:04"


def test_length_of_one():
    playlist = Playlist()
    playlist.add("Intro", 65)
    assert playlist.length() == "1:05"


def test_remove(playlist):
    playlist.add("Help", 139)
    assert playlist.remove("Help") == 2
    assert playlist.current() == "Yesterday"


def test_remove_neighbours():
    playlist = Playlist()
    playlist.add("A", 10)
    playlist.add("A", 20)
    playlist.add("B", 30)
    playlist.remove("A")
    assert playlist.current() == "B"


def test_shortest(playlist):
    assert playlist.shortest() == "Yesterday"
