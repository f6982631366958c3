from shelf import chunks, count_vowels, longest, without


def test_vowels():
    assert count_vowels("banana") == 3
    assert count_vowels("rhythm") == 0


def test_capital_vowels():
    assert count_vowels("ANNA Ott") == 3


def test_longest():
    words = ["an", "armful", "of", "roses"]
    assert longest(words) == "armful"


def test_chunks():
    assert chunks([1, 2, 3, 4, 5], 2) == [[1, 2], [3, 4], [5]]
    assert chunks([], 3) == []


def test_without():
    assert without([1, 2, 2, 3], 2) == [1, 3]
    assert without([7], 8) == [7]
