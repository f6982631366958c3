"""What the source of a wrong program shows of the reason."""

from pathlib import Path

import pytest

from grader.core.explain.sources import hint_in_source, warning_of_interpreter
from grader.core.model.execution import Execution

SILENT = Execution(status=0)
WROTE = Execution(status=0, stdout=b"nothing like it\n")


@pytest.mark.parametrize(
    ("name", "text", "execution", "told"),
    [
        ("a.py", "\n  \n", SILENT, "`a.py` is empty."),
        ("a.py", "def main():\n    pass\n\nmain()\n", SILENT, ""),
        ("a.py", "def main():\n    pass\n\nif True:\n    main()\n", SILENT, ""),
        ("a.py", "def main():\n    print(1)\n", WROTE, ""),
        ("a.py", "def main():\n    exit(1)\n", Execution(status=1), ""),
    ],
)
def test_a_hint(tmp_path: Path, *, name: str, text: str, execution: Execution, told: str) -> None:
    (tmp_path / name).write_text(text)
    hint = hint_in_source(tmp_path, execution)
    assert hint == told


ONLY = "\n\n"


@pytest.mark.parametrize(
    ("files", "argv", "told"),
    [
        ({"main.py": "import b\nb.f()\n", "b.py": ONLY}, ("python3", "main.py"), ""),
        ({"main.py": ONLY, "b.py": "print()"}, ("python3", "main.py"), "`main.py` is empty."),
    ],
)
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


@pytest.mark.parametrize(
    ("errors", "told"),
    [
        (
            b"Runtime error 201 at $0000000000401537\n",
            "Runtime error 201: an index or a number is outside of the range",
        ),
        (b"Runtime error 999 at $0000000000401537\n", ""),
        (b"no Runtime error 201 at all\n", ""),
        (b"a.rb:3: warning: found = in conditional\n", "Ruby warns of line 3 of `a.rb`: `found = in conditional`."),
    ],
)
def test_what_an_interpreter_says(errors: bytes, told: str) -> None:
    said = warning_of_interpreter(errors, "Ruby")
    assert (said.startswith(told), bool(said)) == (True, bool(told))
