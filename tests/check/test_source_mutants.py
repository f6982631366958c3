"""Changes of a reference's source: which there are, and what is left alone."""

from collections.abc import Mapping

import pytest

from grader.check import source_mutants
from grader.check.source_mutants import SourceChange, read_program, source_changes
from grader.core.model.spec import Case
from tests.support.rows import each_row

FUNCTION = "def f(n: int | None = 1) -> int | None:\n    '''Say 1 + 1.'''\n"


def changes_of(files: Mapping[str, bytes]) -> list[SourceChange]:
    """The changes of a program that is started by its path, `reference/x.py`."""
    return list(source_changes(read_program(("python3", "reference/x.py"), files), [Case(id="t")]))


def changes_of_function(line: str) -> list[str]:
    source = f"{FUNCTION}    {line}\nf()\n"
    return [change.name.removeprefix("x.f: ") for change in changes_of({"reference/x.py": source.encode()})]


@each_row
def test_what_can_be_changed_in_a_line(line: str, stated: list[str]) -> None:
    assert [name for name in changes_of_function(line) if not name.startswith("n: int")] == stated


def test_a_default_is_changed_and_an_annotation_is_not() -> None:
    stated = ["n: int | None=1 -> n: int | None=2", "n: int | None=1 -> n: int | None=0"]
    assert changes_of_function("pass") == stated


def test_each_change_is_made_in_one_place() -> None:
    source = "def f(n):\n    return n + 1 + n + 1\n\nprint(f(1))\n"
    found = changes_of({"reference/x.py": source.encode()})
    assert len({change.name for change in found}) == len(found)
    texts = [change.source().decode().splitlines()[1].strip() for change in found]
    assert texts == [
        "return",
        "return n + 1 + n - 1",
        "return n + 1 - n + 1",
        "return n - 1 + n + 1",
        "return n + 2 + n + 1",
        "return n + 0 + n + 1",
        "return n + 1 + n + 2",
        "return n + 1 + n + 0",
    ]
    assert all(change.source().decode().endswith("print(f(1))") for change in found)


def test_only_what_is_reached_is_changed() -> None:
    files = {
        "reference/x.py": b"from helper import used\n\ndef idle():\n    return 1\n\nprint(used())\n",
        "reference/helper.py": (
            b"def used():\n    return inner()\n\ndef inner():\n    return 2\n\ndef unused():\n    return 3\n"
        ),
        "reference/other.py": b"def used():\n    return 4\n",
        "reference/data.txt": b"\xff",
    }
    names = [change.name for change in changes_of(files)]
    assert names == [
        "helper.used: return inner() -> return",
        "helper.inner: return 2 -> return",
        "helper.inner: return 2 -> return 3",
        "helper.inner: return 2 -> return 1",
    ]


@pytest.mark.parametrize("source", [b"print 'an old Python'\n", b"\x00", b"\xff\xfe"])
def test_what_is_no_python_of_ours_has_no_mutants(source: bytes) -> None:
    assert not changes_of({"reference/x.py": source})


def test_a_long_piece_of_code_is_cut_to_where_the_difference_is() -> None:
    words = " + ".join(f"word{number}" for number in range(30))
    source = f"def f():\n    return {words} + 7\n\nf()\n"
    names = [change.name for change in changes_of({"reference/x.py": source.encode()})]
    assert any(name.startswith("x.f: …") and name.endswith("word29 + 8") for name in names)
    assert all(len(name) < 140 for name in names)


def chosen(source: str, most: int) -> set[str]:
    changes = changes_of({"reference/x.py": source.encode()})
    return {changes[place].name for place in source_mutants._choose(changes, most)}


def test_some_of_each_sort_in_each_function_are_chosen_and_stay_chosen() -> None:
    long = "def f(n):\n" + "".join(f"    n += {number}\n" for number in range(2, 40)) + "    return n\n"
    short = "def g(n):\n    if n < 2:\n        return n\n    return -n\n"
    source = f"{long}\n{short}\nf(g(1))\n"
    changes = changes_of({"reference/x.py": source.encode()})
    sorts = {(change.function, change.sort) for change in changes}
    assert sorts == {
        *(("f", sort) for sort in ("operators", "lines left out", "constants", "returned values")),
        *(("g", sort) for sort in ("conditions", "comparisons", "constants", "returned values", "operators")),
    }
    few = chosen(source, len(sorts))
    assert {(change.function, change.sort) for change in changes if change.name in few} == sorts
    assert few < chosen(source, 20)
    assert len(chosen(source, 20)) == 20
    # Another function takes a turn for each of its sorts, and leaves what is chosen of the others in its order.
    more = chosen(f"def h(n):\n    return n % 3\n{source}\nh(1)\n", len(sorts) + 3)
    assert few <= more
    assert chosen(source, 0) == set()
