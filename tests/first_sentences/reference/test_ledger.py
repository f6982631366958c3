import pytest

from ledger import Ledger


@pytest.fixture
def ledger():
    ledger = Ledger()
    ledger.receive("nut", 10)
    ledger.receive("bolt", 4)
    ledger.receive("nut", 5)
    return ledger


def test_a_new_ledger_is_empty():
    assert Ledger().total() == 0
    assert Ledger().biggest() is None
    assert Ledger().low() == []


def test_receive_adds(ledger):
    assert ledger.level("nut") == 15
    assert ledger.level("bolt") == 4


def test_nothing_cannot_be_received(ledger):
    with pytest.raises(ValueError):
        ledger.receive("nut", 0)
    assert ledger.level("nut") == 15


def test_ship(ledger):
    assert ledger.ship("nut", 6) is True
    assert ledger.level("nut") == 9


def test_all_can_be_shipped(ledger):
    assert ledger.ship("bolt", 4) is True
    assert ledger.level("bolt") == 0


def test_too_much_is_not_shipped(ledger):
    assert ledger.ship("bolt", 5) is False
    assert ledger.level("bolt") == 4


def test_unknown_article(ledger):
    assert ledger.level("cog") == 0
    assert ledger.ship("cog", 1) is False


def test_low(ledger):
    ledger.receive("cog", 5)
    ledger.receive("axle", 1)
    assert ledger.low() == ["axle", "bolt"]


def test_biggest(ledger):
    assert ledger.biggest() == "nut"
    ledger.receive("bolt", 11)
    assert ledger.biggest() == "nut"


def test_total(ledger):
    assert ledger.total() == 19


def test_moves(ledger):
    ledger.ship("nut", 3)
    ledger.ship("nut", 100)
    assert ledger.moves("nut") == [10, 5, -3]


def test_two_ledgers(ledger):
    other = Ledger(limit=20)
    other.receive("nut", 1)
    assert ledger.level("nut") == 15
    assert other.level("nut") == 1
    assert other.low() == ["nut"]
