import pytest
from garden import Bed, area_needed, by_height, parse_plant, season, tallest, water_days

PLANTS = [("basil", 5, 30), ("sunflower", 2, 180), ("corn", 4, 180), ("bean", 6, 150)]


@pytest.mark.parametrize(
    ("text", "expected"), [("Tomato : 3 : 60", ("tomato", 3, 60)), ("basil:12:30", ("basil", 12, 30))]
)
def test_parse_plant(text, expected):
    assert parse_plant(text) == expected


def test_area_needed():
    assert area_needed([("basil", 5, 30), ("corn", 4, 180)]) == pytest.approx(2.7)
    assert area_needed([]) == 0


def test_tallest():
    assert tallest(PLANTS) == "sunflower"
    assert tallest([]) is None


def test_by_height():
    assert by_height(PLANTS) == ["corn", "sunflower", "bean", "basil"]


def test_water_days():
    assert water_days(1, 3, 8) == [1, 4, 7]
    assert water_days(2, 2, 8) == [2, 4, 6, 8]


@pytest.mark.parametrize(
    ("month", "expected"), [(4, "spring"), (6, "summer"), (8, "summer"), (11, "autumn"), (12, "winter"), (1, "winter")]
)
def test_season(month, expected):
    assert season(month) == expected


def test_bed():
    bed = Bed(2, 3)
    assert bed.area() == 6
    bed.plant("tomato", 2)
    bed.plant("basil", 5)
    assert bed.count("basil") == 5
    assert bed.count("mint") == 0
    assert len(bed) == 7
    assert str(bed) == "Bed of 6 m2: 5 basil, 2 tomato"


def test_bed_is_full():
    bed = Bed(1, 2)
    bed.plant("mint", 5)
    bed.plant("mint", 3)
    with pytest.raises(ValueError):
        bed.plant("basil", 1)
    assert bed.count("mint") == 8


def test_two_beds():
    Bed(5, 5).plant("rose", 3)
    assert len(Bed(1, 1)) == 0
