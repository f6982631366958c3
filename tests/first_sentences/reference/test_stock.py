import pytest
from stock import Stock, parse


@pytest.fixture
def stock():
    filled = Stock()
    filled.add("fig", 10)
    filled.add("date", 1)
    filled.add("apple", 3)
    return filled


def test_parse():
    assert parse("apple: 3") == ("apple", 3)


def test_parse_spaces():
    assert parse("  green tea :  12 \n") == ("green tea", 12)


def test_parse_refuses():
    with pytest.raises(ValueError):
        parse("apple")


def test_add_twice(stock):
    stock.add("apple", 4)
    assert stock.count("apple") == 7


def test_count_unknown(stock):
    assert stock.count("kiwi") == 0


def test_take(stock):
    stock.take("fig", 4)
    assert stock.count("fig") == 6


def test_take_too_many(stock):
    with pytest.raises(ValueError):
        stock.take("apple", 4)
    assert stock.count("apple") == 3


def test_low(stock):
    assert stock.low(10) == ["apple", "date"]


def test_total(stock):
    assert stock.total() == 14


def test_two_stocks(stock):
    other = Stock()
    other.add("plum", 2)
    assert other.total() == 2
