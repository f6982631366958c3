import pytest

from grader.core.yaml.value import fill


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("", ""),
        ("{n}", "8"),
        ("-{n}-{n}-", "-8-8-"),
        ("{long-name_2}", "{n}"),
        ("a{3} [0-9]{2, 3} { n} {} {", "a{3} [0-9]{2, 3} { n} {} {"),
        ('{"a": {"b": 1}}', '{"a": {"b": 1}}'),
        ("{{", "{"),
        ("{{n}}", "{n}"),
        ("{{n}", "{n}"),
        ("a{{{n}}}", "a{8}"),
        ("{n}}}", "8}}"),
        ("{{1, 2}, {3, 4}}", "{1, 2}, {3, 4}"),
        ("}} {{", "}} {"),
        ("{größe}", "{größe}"),
    ],
)
def test_only_words_in_braces_are_filled(text: str, filled: str) -> None:
    assert fill(text, {"n": "8", "long-name_2": "{n}"}) == filled


def test_a_word_that_is_no_variable_is_an_error() -> None:
    with pytest.raises(KeyError, match="m"):
        fill("{n} {m}", {"n": "8"})
