"""What each comparator reads, and how that is written and described; and every mistake with its place."""

from pathlib import Path
from typing import Any

import pytest

from grader.core.comparators import COMPARATORS, StoredWant, in_words
from grader.core.comparators.tokens import Closeness
from grader.core.errors import SpecError
from grader.core.model.layout import store_file
from grader.core.model.spec import Leaf
from grader.core.yaml.nodes import in_line
from tests.support.comparators import leaf_of, mistakes_of, read_expected
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
MISPLACED = DATA["MISPLACED"]
READ, PRESCRIBES, IS_READ_AS, MISTAKES = (DATA[name] for name in ("READ", "PRESCRIBES", "IS_READ_AS", "MISTAKES"))


@pytest.mark.parametrize(("written", "read", "again", "words"), READ, ids=[row[0] for row in READ])
def test_what_is_read(written: str, read: dict[str, Any], again: str, words: str, tmp_path: Path) -> None:
    [found] = read_expected(written, tmp_path).leaves
    assert found == leaf_of(**{**read, "want": read["want"] and tuple(read["want"])})
    comparator = COMPARATORS[found.how]
    assert in_line(comparator.write(found)) == again
    assert comparator.words(found, "W") == words
    assert read_expected(again, tmp_path) == found


@pytest.mark.parametrize("written", IS_READ_AS)
def test_values_of_json(written: str, tmp_path: Path) -> None:
    [found] = read_expected(f"{{json: {written}}}", tmp_path).leaves
    assert found == Leaf(how="json", want=(IS_READ_AS[written],))
    assert read_expected(in_line(COMPARATORS["json"].write(found)), tmp_path) == found


@pytest.mark.parametrize("written", MISTAKES)
def test_every_mistake_has_its_place(written: str, tmp_path: Path) -> None:
    assert mistakes_of(written, tmp_path) == MISTAKES[written]


@pytest.mark.parametrize("written", MISPLACED)
def test_a_mistake_is_shown_where_the_value_stands(written: str, tmp_path: Path) -> None:
    with pytest.raises(SpecError) as raised:
        read_expected(written.replace("HERE", ""), tmp_path)
    assert [one.column for one in raised.value.problems] == [len("    stdout: ") + written.index("HERE") + 1]


@pytest.mark.parametrize("how", ["lines", "tokens", "numbers", "json"])
def test_without_a_reference_nothing_can_be_taken_from_it(how: str, tmp_path: Path) -> None:
    message = f'.{how}: there is no reference: add its command to the spec, under the key "reference"'
    assert mistakes_of(f"{{{how}: reference}}", tmp_path, has_reference=False) == [message]


@each_row
def test_tolerances_in_words(tolerance: float, relative: float, told: str) -> None:
    assert Closeness(tolerance=tolerance, relative=relative).in_words("") == told


# ---------------------------------------------------------------- the fields of each


@pytest.mark.parametrize("name", COMPARATORS)
def test_what_it_prescribes_and_its_keys(name: str) -> None:
    comparator = COMPARATORS[name]
    assert comparator.prescribes == PRESCRIBES[name]
    values = {"lines": b"a\nb\n", "tokens": b"a b", "numbers": b"a b"}
    assert (comparator.join((b"a", b"b")) if comparator.join else None) == values.get(name)
    options = {
        "regex": {"about": None},
        "lines": {"order": "same", "credit": "all", "tolerance": 0, "relative": None},
        "tokens": {"tolerance": 0, "relative": None},
        "numbers": {"tolerance": 0, "relative": None},
    }
    assert {key: one.default for key, one in comparator.options.items()} == options.get(name, {})
    assert (comparator.key.required, comparator.key.beside) == (False, "")


def test_their_order_is_that_of_the_language_reference() -> None:
    assert list(COMPARATORS) == list(PRESCRIBES)


@each_row
def test_what_the_reference_wrote_becomes_wanted_texts(how: str, output: str, frozen: tuple[str, ...]) -> None:
    assert COMPARATORS[how].freeze(output.encode()) == frozen


def test_what_a_large_file_of_the_course_has_becomes_wanted_texts(tmp_path: Path) -> None:
    (tmp_path / "right.txt").write_bytes(b"a\n\nb\n")
    assert StoredWant(how="lines", file=store_file(tmp_path / "right.txt")).read() == ("a", "", "b")


@each_row
def test_what_no_spec_can_express_is_not_frozen(how: str, output: str, word: str) -> None:
    with pytest.raises(ValueError, match=rf"^{word} cannot be written into a spec$"):
        COMPARATORS[how].freeze(output.encode())


@pytest.mark.parametrize("how", ["text", "contains", "lines", "tokens", "numbers", "json"])
@each_row
def test_whether_an_empty_text_would_be_wrong(how: str, want: tuple[str, ...] | None, *, asks: bool) -> None:
    assert COMPARATORS[how].asks(Leaf(how=how, want=want)) is asks


@pytest.mark.parametrize(("pattern", "asks"), [("a", True), ("a*", False), ("^$", False), (".", True)])
def test_whether_a_pattern_asks_for_text(pattern: str, *, asks: bool) -> None:
    assert COMPARATORS["regex"].asks(Leaf(how="regex", want=(pattern,))) is asks


def test_a_pattern_of_nobody_asks_for_text_and_so_does_a_check() -> None:
    assert COMPARATORS["regex"].asks(Leaf(how="regex")) is True
    assert COMPARATORS["check"].asks(Leaf(how="check", want=())) is True


def test_a_variable_alone_is_the_value_that_it_holds(tmp_path: Path) -> None:
    for written, want in (("'{n}'", "4"), ("'{n} x'", '"4 x"'), ("{é: '{n}'}", '{"é": 4}')):
        found = read_expected(f"{{json: {written}}}\n  each: {{n: [4]}}", tmp_path)
        assert found == Leaf(how="json", want=(want,))


def test_what_is_no_json_is_not_written() -> None:
    with pytest.raises(ValueError, match=r"^this is not JSON: Expecting value"):
        COMPARATORS["json"].write(Leaf(how="json", want=("[",)))


@each_row
def test_what_is_compared_in_words(written: str, words: str, tmp_path: Path) -> None:
    assert in_words(read_expected(written, tmp_path), lambda text: f"<{text}>") == words
