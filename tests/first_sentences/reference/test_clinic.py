from clinic import Clinic, Pet, Puppy, by_kind, depth, mean_cost, powers, slots, to_minutes


def test_to_minutes():
    assert to_minutes("9:05") == 545
    assert to_minutes("0:30") == 30
    assert to_minutes("23:59") == 1439


def test_slots():
    assert slots("9:00", "10:30", 30) == ["9:00", "9:30", "10:00"]
    assert slots("9:50", "10:10", 8) == ["9:50", "9:58"]
    assert slots("8:00", "8:10", 20) == []


def test_mean_cost():
    assert mean_cost([10, 20, 40]) == 23.33
    assert mean_cost([5]) == 5
    assert mean_cost([]) is None


def test_by_kind():
    pairs = [("Rex", "dog"), ("Tom", "cat"), ("Ada", "dog")]
    assert by_kind(pairs) == {"dog": ["Ada", "Rex"], "cat": ["Tom"]}
    assert by_kind([("Kit", "cat")]) == {"cat": ["Kit"]}
    assert by_kind([]) == {}


def test_powers():
    assert powers(2, 4) == [1, 2, 4, 8, 16]
    assert powers(3, 0) == [1]


def test_depth():
    assert depth([1, 2]) == 1
    assert depth([1, [2]]) == 2
    assert depth([[1], [[2], 3]]) == 3
    assert depth([]) == 1


def test_pet():
    pet = Pet("Rex", "dog", 2015)
    assert pet.age(2024) == 9
    assert str(pet) == "Rex (dog)"


def test_visits():
    rex, tom = Pet("Rex", "dog", 2015), Pet("Tom", "cat", 2019)
    assert rex.total() == 0
    rex.add_visit(30)
    rex.add_visit(12.5)
    assert rex.visits == [30, 12.5]
    assert rex.total() == 42.5
    assert tom.visits == []


def test_equal():
    assert Pet("Rex", "dog", 2015) == Pet("Rex", "dog", 2018)
    assert Pet("Rex", "dog", 2015) != Pet("Rex", "cat", 2015)


def test_puppy():
    bo = Puppy("Bo", 2024)
    assert bo.kind == "dog"
    bo.add_visit(31)
    assert bo.total() == 15.5
    assert isinstance(bo, Pet)


def test_admit():
    clinic = Clinic(2)
    assert clinic.admit(Pet("Rex", "dog", 2015)) is True
    assert clinic.admit(Pet("Rex", "dog", 2015)) is False
    assert clinic.admit(Pet("Tom", "cat", 2011)) is True
    assert clinic.admit(Pet("Ada", "cat", 2020)) is False
    assert len(clinic) == 2
    assert clinic.names() == ["Rex", "Tom"]
    assert len(Clinic(1)) == 0


def test_release():
    clinic = Clinic(3)
    rex, tom = Pet("Rex", "dog", 2015), Pet("Tom", "cat", 2011)
    clinic.admit(tom)
    clinic.admit(rex)
    assert clinic.release("Tom") == tom
    assert clinic.release("Tom") is None
    assert clinic.names() == ["Rex"]


def test_oldest():
    clinic = Clinic(4)
    assert clinic.oldest() is None
    clinic.admit(Pet("Rex", "dog", 2015))
    clinic.admit(Pet("Tom", "cat", 2011))
    clinic.admit(Pet("Ada", "cat", 2011))
    assert clinic.oldest().name == "Tom"
