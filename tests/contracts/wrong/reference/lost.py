"""A test whose fixture nobody has."""


def test_lost(account: object) -> None:
    assert account
