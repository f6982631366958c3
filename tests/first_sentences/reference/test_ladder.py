from ladder import Game, differences, is_ladder, is_step, longest, neighbours

import pytest

WORDS = ["cold", "cord", "card", "ward", "warm", "word", "worm", "corn"]


def test_differences():
    assert differences("cold", "cord") == 1
    assert differences("warm", "cold") == 4
    assert differences("sun", "moon") == -1


def test_is_step():
    assert is_step("cat", "cot")
    assert not is_step("cat", "cat")


def test_neighbours():
    assert neighbours("cord", WORDS) == ["card", "cold", "corn", "word"]
    assert neighbours("zzzz", WORDS) == []


def test_is_ladder():
    assert is_ladder(["cold", "cord", "card"])
    assert not is_ladder(["cold", "card", "ward"])
    assert not is_ladder(["cold", "cord", "warm"])
    assert is_ladder(["cold"])


def test_longest():
    assert longest([["a"], ["a", "b"], ["c", "d"]]) == ["a", "b"]
    assert longest([]) is None


def test_play():
    game = Game("cold", "card", WORDS)
    assert game.play("cord") is False
    assert game.play("card") is True
    assert game.moves == ["cold", "cord", "card"]


def test_score():
    game = Game("cold", "warm", WORDS)
    game.play("cord")
    game.play("card")
    assert game.score == 8
    game.undo()
    assert game.score == 6


def test_wrong_word():
    game = Game("cold", "warm", WORDS)
    with pytest.raises(ValueError):
        game.play("warm")
    assert game.moves == ["cold"]


def test_undo():
    game = Game("cold", "warm", WORDS)
    game.play("cord")
    game.undo()
    assert game.moves == ["cold"]
    game.undo()
    assert game.moves == ["cold"]


def test_hint():
    game = Game("cold", "warm", WORDS)
    assert game.hint() == "cord"
    game.play("cord")
    assert game.hint() == "card"


def test_two_games():
    first = Game("cold", "warm", WORDS)
    first.play("cord")
    second = Game("word", "cold", WORDS)
    assert second.moves == ["word"]
    assert first.moves == ["cold", "cord"]
