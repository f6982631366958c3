from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from grader.core.report.json import NAME_BYTES, safe_name
from tests.support.rows import each_row


@each_row
def test_a_name_is_readable_where_it_can_be(student: str, name: str) -> None:
    assert safe_name(student) == name


@given(st.lists(st.text(st.characters()), min_size=2, max_size=2, unique=True) | st.just(["x" * 300, "x" * 301]))
def test_two_students_never_share_a_name(students: list[str]) -> None:
    one, other = students
    assert safe_name(one) != safe_name(other)


@given(st.binary())
def test_a_name_is_one_harmless_part_of_a_path(data: bytes) -> None:
    name = safe_name(data.decode("utf-8", "surrogateescape"))
    assert Path(name).parts == (name,)
    assert name not in {"", ".", ".."}
    assert name[0] not in " -.=+@"
    assert name.isprintable()
    assert len(name.encode()) <= NAME_BYTES


def test_a_long_name_is_cut_and_keeps_its_start() -> None:
    name = safe_name("é" * 1000)
    assert name.startswith("é" * 80)
    assert len(name.encode()) <= NAME_BYTES
