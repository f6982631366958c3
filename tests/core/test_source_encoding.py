from pathlib import Path

from grader.core.diagnosis import ReadLine, describe_encoding, describe_failure, line_reader, no_lines
from tests.support.notebooks import notebook
from tests.support.rows import each_row


@each_row
def test_how_a_refused_file_was_saved(tmp_path: Path, content: bytes, error: str, told: str | None) -> None:
    (tmp_path / "a.py").write_bytes(content)
    said = describe_encoding("a.py", 1, error, line_reader(tmp_path))
    assert said == told or (told is None and "not the text of a program" in said)


@each_row
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


@each_row
def test_a_line_is_read_as_far_as_the_last_one(name: str, number: int, line: str, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("one\ntwo")
    (tmp_path / "w.ipynb").write_bytes(notebook("one\ntwo"))
    assert line_reader(tmp_path)(name, number) == line
