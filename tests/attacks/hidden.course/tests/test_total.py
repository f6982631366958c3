from attack import total

HIDDEN_TABLE = {4711: 11099116}


def helper_of_hidden():
    return HIDDEN_TABLE[4711]


def called_by_both():
    assert total(10) == 55


def test_shown():
    assert total(5) == 15
    called_by_both()


def test_calls():
    test_hidden_and_called()


def test_hidden():
    assert total(4711) == helper_of_hidden()
    called_by_both()


def test_hidden_and_called():
    assert total(12) == 78, "harm: the text of a test that others call"
