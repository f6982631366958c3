def test_twice() -> None:
    assert "a" * 2 == "aa"


def test_again() -> None:
    assert not ""
