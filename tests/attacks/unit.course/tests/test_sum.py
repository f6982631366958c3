import pytest
from attack import Sum, total


def test_five():
    assert total(5) == 15


@pytest.mark.parametrize("number", [3, 10])
class TestMany:
    def test_many(self, number):
        result = total(number)
        assert result == sum(range(number + 1)), "the sum"
        del result


def test_refuses():
    with pytest.raises(ValueError, match="negative"):
        total(-1)


@pytest.fixture
def sums():
    return [Sum(2), Sum(2), Sum(3)]


def test_equal(sums):
    assert sums[0] == sums[1]
    assert sums[0] != sums[2]
    assert sums[2] in sums
