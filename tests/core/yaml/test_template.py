import pytest

from grader.core.yaml.value import fill
from tests.support.rows import each_row


@each_row
def test_only_words_in_braces_are_filled(text: str, filled: str) -> None:
    assert fill(text, {"n": "8", "long-name_2": "{n}"}) == filled


def test_a_word_that_is_no_variable_is_an_error() -> None:
    with pytest.raises(KeyError, match="m"):
        fill("{n} {m}", {"n": "8"})
