import pytest
from cart import Cart


@pytest.fixture
def cart():
    cart = Cart()
    cart.add("lamp", 20, 2)
    cart.add("mug", 5)
    cart.add("pen", 1, 10)
    return cart


def test_pieces(cart):
    assert cart.pieces() == 13
    cart.add("mug", 5, 2)
    assert cart.pieces() == 15


def test_subtotal(cart):
    assert Cart().subtotal() == 0
    assert cart.subtotal() == 55


def test_remove(cart):
    cart.remove("lamp")
    assert cart.subtotal() == 35
    cart.remove("mug")
    assert cart.dearest() == ["lamp", "pen"]


def test_total(cart):
    assert Cart().total() == 0
    assert cart.total() == 55
    cart.remove("mug")
    assert cart.total() == 50
    assert cart.apply("TEN") is True
    assert cart.total() == 50
    assert cart.apply("FREE") is False


def test_dearest(cart):
    cart.add("bag", 20)
    assert cart.dearest() == ["bag", "lamp", "mug", "pen"]
