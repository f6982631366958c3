from vec import Named, Vector, scalers


def test_equal():
    assert Vector(1, 2) == Vector(1, 2)


def test_text():
    assert str(Vector(1, 2)) == "(1, 2)"


def test_named():
    point = Named("a", 3, 4)
    assert (point.name, point.x, point.y) == ("a", 3, 4)


def test_scalers():
    double, triple = scalers([2, 3])
    assert double(5) == 10
    assert triple(5) == 15
