from tree import Counter, depth_of, insert, smallest


def tree():
    top = None
    for value in [5, 2, 8, 1, 9]:
        top = insert(top, value)
    return top


def test_depth():
    assert depth_of(tree(), 5) == 0
    assert depth_of(tree(), 9) == 2
    assert depth_of(tree(), 7) == -1


def test_smallest():
    assert smallest(tree()) == 1


def test_drop_rare():
    counter = Counter()
    for word in ["a", "b", "a", "c"]:
        counter.add(word)
    assert counter.drop_rare(2) == {"a": 2}


def test_parse():
    counter = Counter()
    assert counter.parse("a=3") is True
    assert counter.parse("a3") is False
    assert counter.parse(None) is False
