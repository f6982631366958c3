from pathlib import Path

import pytest

from grader.core.errors import SpecError, UsageError
from grader.core.reader.files import read_data


def test_plain_words_are_typed_and_quoted_ones_are_text(tmp_path: Path) -> None:
    path = tmp_path / "data.yaml"
    path.write_text(
        """
        a: [1, -2, 1.5, 1e3, "1", 08, 1:30, 123456789012345678]
        b: {yes: no, t: true, f: false, n: null, tilde: ~, nothing: , "": ''}
        c: |
          text
        """
    )
    assert read_data(path) == {
        "a": [1, -2, 1.5, 1000.0, "1", 8, "1:30", 123456789012345678],
        "b": {"yes": "no", "t": True, "f": False, "n": None, "tilde": None, "nothing": None, "": ""},
        "c": "text\n",
    }


def test_braces_mean_nothing(tmp_path: Path) -> None:
    path = tmp_path / "data.yaml"
    path.write_text("- -Xmx{heap}m\n")
    assert read_data(path) == ["-Xmx{heap}m"]


def test_a_duplicate_key_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "data.yaml"
    path.write_text("java:\n  short: 1\n  short: 2\n")
    with pytest.raises(SpecError) as raised:
        read_data(path)
    assert str(raised.value) == f"{path}:3:3: java.short: this key is here twice, first in line 2: keep one"


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no such spec: .*/data\.yaml"):
        read_data(tmp_path / "data.yaml")
