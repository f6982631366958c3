import pytest
from fleet import Fleet, Truck, Vehicle


def test_load():
    van = Vehicle("van", 800)
    van.load(300)
    assert van.free == 500
    with pytest.raises(ValueError):
        van.load(501)


def test_percent():
    van = Vehicle("van", 200)
    van.load(5)
    assert van.percent() == 3
    van.load(1)
    assert van.percent() == 3


def test_truck():
    truck = Truck("truck", 1000, 400)
    truck.load(1200)
    assert truck.free == 200


def test_total():
    van, truck = Vehicle("van", 800), Truck("truck", 1000, 400)
    van.load(100)
    truck.load(200)
    fleet = Fleet([van, truck])
    assert fleet.total() == 300
    assert fleet.describe() == "2 vehicles, 300 kg"


def test_roomy():
    van, truck = Vehicle("van", 800), Truck("truck", 1000, 400)
    assert Fleet([van, truck]).roomy(900) == ["truck"]


def test_count():
    assert Fleet([Vehicle("van", 800), Truck("truck", 1000, 400)]).count_vehicles() == 2


def test_own_list():
    vehicles = [Vehicle("van", 800)]
    fleet = Fleet(vehicles)
    fleet.add(Vehicle("bus", 900))
    assert len(vehicles) == 1
    assert fleet.count_vehicles() == 2
