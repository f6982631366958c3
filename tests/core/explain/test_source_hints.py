"""What the source of a wrong program shows of the reason."""

from pathlib import Path

from grader.core.explain.reasons import hint_in_source, warning_of_interpreter
from grader.core.model.execution import Execution
from tests.support.rows import each_row

SILENT = Execution(status=0)


@each_row
def test_a_hint(tmp_path: Path, *, name: str, text: str, execution: Execution, told: str) -> None:
    (tmp_path / name).write_text(text)
    hint = hint_in_source(tmp_path, execution)
    assert hint == told


@each_row
def test_a_hint_is_of_what_was_run(files: dict[str, str], argv: tuple[str, ...], told: str, tmp_path: Path) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert hint_in_source(tmp_path, SILENT, argv)[: len(told) or None] == told


def test_no_link_is_followed_and_nothing_strange_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("def main():\n    pass\n")
    (tmp_path / "a.py").symlink_to(tmp_path / "secret")
    (tmp_path / "b.py").mkdir()
    (tmp_path / "c.py").write_bytes(b"\xff\x00(((" * 1000)
    assert not hint_in_source(tmp_path, SILENT)
    assert not hint_in_source(None, SILENT)


@each_row
def test_what_an_interpreter_says(errors: bytes, told: str) -> None:
    said = warning_of_interpreter(errors, "Pascal" if told.startswith("Runtime") else "Ruby")
    assert (said.startswith(told), bool(said)) == (True, bool(told))


def test_nobody_is_told_to_ask_for_a_line_that_is_there() -> None:
    errors = b"Runtime error 200 at $0000000000401076\n  $0000000000401076  MAIN,  line 6 of a.pas\n"
    assert warning_of_interpreter(errors, "Pascal") == "Runtime error 200: your program divides by zero."
