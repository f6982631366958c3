from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.core.report.json import NAME_BYTES, safe_name


@pytest.mark.parametrize(
    ("student", "name"),
    [
        ("alice", "alice"),
        ("Müller, Anna", "Müller, Anna"),
        ("李雷 (2)", "李雷 (2)"),
        ("a.b_c-d@e+f", "a.b_c-d@e+f"),
        ("..", "%2E."),
        ("../../etc/passwd", "%2E.%2F..%2Fetc%2Fpasswd"),
        ("=cmd()", "%3Dcmd()"),
        ("-rf", "%2Drf"),
        (".hidden", "%2Ehidden"),
        ('o\'hara "x"', "o%27hara %22x%22"),
        ("two\nlines ", "two%0Alines%20"),
        ("100%", "100%25"),
        ("\udcff", "%FF"),
        ("\u202efdp", "%E2%80%AEfdp"),
        ("\0", "%00"),
        ("", "%"),
        ("grades.db", "%67rades.db"),
        ("Index.HTML", "%49ndex.HTML"),
        ("grades", "grades"),
    ],
)
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
