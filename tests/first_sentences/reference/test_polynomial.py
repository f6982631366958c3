from polynomial import Polynomial, roots_between


class TestPolynomial:
    def test_degree(self):
        assert Polynomial([1, 0, 4]).degree() == 2

    def test_value(self):
        assert Polynomial([1, 2, 3]).value(2) == 17
        assert Polynomial([5]).value(9) == 5

    def test_add(self):
        total = Polynomial([1, 2]) + Polynomial([4, 0, 7])
        assert total.coefficients == [5, 2, 7]

    def test_derivative(self):
        cubic = Polynomial([4, 3, 0, 5])
        assert cubic.derivative().coefficients == [3, 0, 15]
        assert cubic.coefficients == [4, 3, 0, 5]

    def test_text(self):
        assert str(Polynomial([1, 0, 0, 2])) == "1x^0 + 2x^3"


class TestRoots:
    def test_roots(self):
        assert roots_between(Polynomial([-4, 0, 1]), -5, 5) == [-2, 2]

    def test_roots_at_the_ends(self):
        assert roots_between(Polynomial([-4, 0, 1]), -2, 2) == [-2, 2]
