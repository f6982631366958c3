import pytest
from kitchen import Pantry, duration, missing, parse_line, portions, scale, shopping_list


@pytest.mark.parametrize(
    ("line", "expected"), [("200 g flour", ("flour", 200.0, "g")), ("1.5 tbsp olive oil", ("olive oil", 1.5, "tbsp"))]
)
def test_parse_line(line, expected):
    assert parse_line(line) == expected


def test_scale():
    recipe = {"flour": 200, "egg": 2}
    assert scale(recipe, 3) == {"flour": 600, "egg": 6}
    assert recipe == {"flour": 200, "egg": 2}


def test_shopping_list():
    assert shopping_list([{"flour": 300, "egg": 2}, {"flour": 200, "milk": 50}]) == {"flour": 500, "egg": 2, "milk": 50}


def test_missing():
    assert missing({"sugar": 50, "milk": 100, "egg": 2}, {"egg": 1, "milk": 100}) == ["egg", "sugar"]
    assert missing({"salt": 1}, {"salt": 5}) == []


def test_portions():
    assert portions({"flour": 200, "egg": 2}, {"flour": 500, "egg": 6}) == 2
    assert portions({"flour": 200}, {}) == 0


@pytest.mark.parametrize(("minutes", "expected"), [(45, "45 min"), (90, "1 h 30 min"), (120, "2 h 0 min")])
def test_duration(minutes, expected):
    assert duration(minutes) == expected


def test_pantry():
    pantry = Pantry()
    pantry.add("rice", 500)
    pantry.add("rice", 250)
    pantry.take("rice", 700)
    assert pantry.stock["rice"] == 50
    assert pantry.names() == ["rice"]


def test_pantries_are_apart():
    first, second = Pantry(), Pantry()
    first.add("salt", 10)
    assert second.names() == []


def test_pantry_has_not_enough():
    pantry = Pantry()
    pantry.add("oil", 10)
    with pytest.raises(ValueError):
        pantry.take("oil", 20)
    with pytest.raises(ValueError):
        pantry.take("wine", 1)
