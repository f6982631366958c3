from pathlib import Path

import pytest

from grader import Wrong
from grader.imports import default_validator

FLOATS = "float_tolerance 1e-6"
HOLD: list[tuple[bytes, bytes, str]] = [
    (b"3\n", b"3", ""),
    (b"  a\n\nB ", b"A b", ""),
    (b"", b" \n", ""),
    (b"1.0000001 x", b"1 X", FLOATS),
    (b"1e3", b"1000.", FLOATS),
    (b"1.4", b"1", "float_relative_tolerance 0.5 float_absolute_tolerance 0.1"),
    (b"1.4", b"1", "float_relative_tolerance 0.1 case_sensitive float_absolute_tolerance .5"),
]
FAIL: list[tuple[bytes, bytes, str, str]] = [
    (b"4", b"3", "", "Word 1 of the output is `4`; `3` is expected."),
    (b" \n", b"3", "", "Nothing is written where `3` is expected."),
    (b"1 2", b"1 2 3", "", "The output ends where word 3, `3`, is expected."),
    (b"1 2 3", b"1 2", "", "The output goes on with `3` where nothing more is expected."),
    (b"a", b"A", "case_sensitive", "Word 1 of the output is `a`; `A` is expected."),
    (b"1.4", b"1", "float_relative_tolerance 0.1", "Word 1"),
    (b"one", b"1", FLOATS, "Word 1 of the output is `one`"),
    (b"nan", b"1", FLOATS, "Word 1 of the output is `nan`"),
    (b"inf", b"1", FLOATS, "Word 1"),
    (b"1.0", b"1", "", "Word 1"),
    (b"9" * 500, b"1", FLOATS, "Word 1 of the output is `9999"),
    (b"\xff" * 100, b"1", "", "Word 1 of the output is `\\xff\\xff"),
]


@pytest.fixture
def beside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr(default_validator, "__file__", str(tmp_path / "validator.py"))
    return tmp_path


@pytest.mark.parametrize(("output", "answer", "flags"), HOLD)
def test_right_outputs(beside: Path, output: bytes, answer: bytes, flags: str) -> None:
    (beside / "1.ans").write_bytes(answer)
    default_validator.compare(output, answer="1.ans", flags=flags)


@pytest.mark.parametrize(("output", "answer", "flags", "sentence"), FAIL)
def test_wrong_outputs(beside: Path, output: bytes, answer: bytes, flags: str, sentence: str) -> None:
    (beside / "1.ans").write_bytes(answer)
    with pytest.raises(Wrong) as raised:
        default_validator.compare(output, answer="1.ans", flags=flags)
    assert str(raised.value).startswith(sentence)


def test_eight_mebibytes_of_words_are_compared(beside: Path) -> None:
    (beside / "1.ans").write_bytes(b"1 " * 2**20)
    with pytest.raises(Wrong, match="goes on"):
        default_validator.compare(b"1 " * 2**22, answer="1.ans", flags=FLOATS)
