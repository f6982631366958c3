from pathlib import Path

import pytest

from grader import Wrong
from grader.imports import default_validator
from tests.support.rows import each_row

FLOATS = "float_tolerance 1e-6"


@pytest.fixture
def beside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr(default_validator, "__file__", str(tmp_path / "validator.py"))
    return tmp_path


@each_row
def test_right_outputs(beside: Path, output: bytes, answer: bytes, flags: str) -> None:
    (beside / "1.ans").write_bytes(answer)
    default_validator.compare(output, answer="1.ans", flags=flags)


@each_row
def test_wrong_outputs(beside: Path, output: bytes, answer: bytes, flags: str, sentence: str) -> None:
    (beside / "1.ans").write_bytes(answer)
    with pytest.raises(Wrong) as raised:
        default_validator.compare(output, answer="1.ans", flags=flags)
    assert str(raised.value).startswith(sentence)


def test_eight_mebibytes_of_words_are_compared(beside: Path) -> None:
    (beside / "1.ans").write_bytes(b"1 " * 2**20)
    with pytest.raises(Wrong, match="goes on"):
        default_validator.compare(b"1 " * 2**22, answer="1.ans", flags=FLOATS)
