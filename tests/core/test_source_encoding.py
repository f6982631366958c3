from pathlib import Path

import pytest

from grader.core.diagnosis import ReadLine, describe_encoding, describe_failure, line_reader, no_lines

UTF16 = "`a.py` is saved as UTF-16; save it as UTF-8"
REFUSED = "SyntaxError: Non-UTF-8 code starting with"


@pytest.mark.parametrize(
    ("content", "error", "told"),
    [
        ("x = 1\n".encode("utf-16"), "", UTF16),
        ("x = 1\n".encode("utf-16-le"), "", UTF16),
        ("x = 1\n".encode("utf-16-be"), "", UTF16),
        ("x = 1\n".encode("utf-8-sig"), "", ""),
        (
            "x = 1\n".encode("utf-8-sig"),
            r"a.py:1: error: illegal character: '\ufeff'",
            "`a.py` begins with an invisible byte order mark (BOM), which is refused; save it as UTF-8 without BOM",
        ),
        (
            "x = 'ü'\n".encode("latin-1"),
            REFUSED,
            r"`a.py` is not saved as UTF-8: `x = '\xfc'` in line 1; save it as UTF-8",
        ),
        (b"PK\x03\x04\x00", "", None),
        (b"%PDF-1.5", "", None),
        (b"<html><body>", "", None),
        (b"x = )\n", "SyntaxError: unmatched ')'", ""),
        (rb"x = '\xfc' + )", "SyntaxError: unmatched ')'", ""),
        (b"", "", ""),
    ],
)
def test_how_a_refused_file_was_saved(tmp_path: Path, content: bytes, error: str, told: str | None) -> None:
    (tmp_path / "a.py").write_bytes(content)
    said = describe_encoding("a.py", 1, error, line_reader(tmp_path))
    assert said == told or (told is None and "not the text of a program" in said)


@pytest.mark.parametrize(
    ("log", "told"),
    [
        (b"a.c:1:1: error: stray '\\377' in program\n", "`a.c` is saved as UTF-16; save it as UTF-8"),
        (b"(.text+0x17): undefined reference to `main'\n", "there is no function `main` to start the program with"),
        (
            "b.c:5:17: error: 'stderr' undeclared\nb.c:1: note: 'stderr' is defined in header '<stdio.h>'; "
            "did you forget to \u2018#include <stdio.h>\u2019?\n".encode(),
            "; `#include <stdio.h>` is missing",
        ),
        (
            b"A.java:9: error: cannot find symbol\n  s = new Scanner(a);\n  ^\n  symbol:   class Scanner\n",
            "cannot find symbol: class Scanner; `import java.util.Scanner;` is missing",
        ),
        (b"A.java:9: error: cannot find symbol\n  s = new Cat(a);\n  ^\n  symbol:   class Cat\n", "class Cat"),
    ],
)
def test_why_a_build_failed(tmp_path: Path, log: bytes, told: str) -> None:
    (tmp_path / "a.c").write_bytes("int main;".encode("utf-16"))
    (tmp_path / "b.c").write_bytes(b"int mian;")
    assert describe_failure(["gcc", "b.c"], 1, log, line_reader(tmp_path)).endswith(told)


def test_a_source_is_called_empty_only_where_it_was_read(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("")
    (tmp_path / "b.c").write_text("\n" * 30 + "int mian;")

    def told(name: str, read_line: ReadLine) -> str:
        return describe_failure(("gcc", name), 1, b"undefined reference to `main'\n", read_line)

    reads = line_reader(tmp_path)
    assert told("a.c", reads) == "`a.c` is empty, so there is no `main` to start the program with"
    found = {told("a.c", no_lines), told("b.c", reads), told("/usr/c.c", reads), told("../c.c", reads)}
    assert found == {"there is no function `main` to start the program with"}


def test_a_class_of_another_name_is_renamed_and_not_its_file() -> None:
    log = b"Marks.java:1: error: class Main is public, should be declared in a file named Main.java\n"
    told = describe_failure(("javac", "Marks.java"), 1, log, lambda _name, _line: "")
    assert told == "The class in `Marks.java` is called `Main`; call it `Marks`"
