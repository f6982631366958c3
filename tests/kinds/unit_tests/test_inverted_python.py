"""Which assertion of a method is inverted, and how: never so that an honest program could pass both."""

import ast
import re
from collections import Counter

import pytest

from grader.core.seeded_random import SeededRandom
from grader.kinds.unit_tests.audit import InvertedText, invert_python, other_number
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
SHARE = DATA["SHARE"]
SUBTESTS = DATA["SUBTESTS"]


def inverted(source: str, method: str = "test_it", seed: int = 0) -> InvertedText | None:
    return invert_python(source.encode(), method, SeededRandom(f"{seed}").below)


@each_row
def test_an_assertion_is_inverted(body: str, wanted: str | None) -> None:
    before = "import pytest\ndef test_it(self):\n    "
    for seed in range(40):
        found = inverted(f"{before}{body}\n", seed=seed)
        if wanted is None:
            assert found is None
            continue
        assert found
        changed = found.source.decode().removeprefix(before).rstrip("\n")
        parts = re.split("[«»]", wanted)
        pattern = "".join(f"(?:{part})" if at % 2 else re.escape(part) for at, part in enumerate(parts))
        assert changed != body
        assert re.fullmatch(pattern, changed), changed


def drawn(body: str, more: str = "", number: int = 200) -> list[object]:
    """Return the values that take the place of an expected one, in many copies."""
    found = [inverted(f"def test_it():\n    assert f() == {body}\n{more}", seed=seed) for seed in range(number)]
    texts = [one.source.decode().partition("\n")[2].partition("\n")[0].partition("== ")[2] for one in found if one]
    return [ast.literal_eval(text) for text in texts]


@pytest.mark.parametrize("value", [1, 7, 15, 999, 1000, 8128, 5_000_001, -3, -4000])
def test_a_number_does_not_show_whether_it_is_the_right_one(value: int) -> None:
    found = drawn(str(value))
    assert value not in found
    assert all(isinstance(one, int) and (one < 0) == (value < 0) for one in found)
    higher = sum(int(str(one)) > value for one in found)
    even = sum(not int(str(one)) % 2 for one in found)
    assert 20 < higher < 180
    assert 20 < even < 180 or abs(value) >= 1000  # the first digits are exchanged, so that round ones stay round
    assert abs(value) < 1000 or {int(str(one)) % 10 for one in found} == {value % 10}


def test_no_text_that_a_lenient_program_holds_to_be_the_same_takes_its_place() -> None:
    more = "    assert f() == 'SILENT'\n    assert f() == 'Listen!'\n    assert f() == 'Dog'\n"
    assert not {"SILENT", "Listen!"} & {*drawn("'Silent'", more)}
    assert "Dog" in drawn("'Silent'", more)


def test_what_the_file_says_beside_an_expected_text_does_not_take_its_place() -> None:
    more = "    self.assertEqual(f(), 'Dog', msg='why')\n    f(g='no')\n"
    assert "Dog" in drawn("'Silent'", more)
    assert not {"why", "no"} & {*drawn("'Silent'", more)}


def test_a_text_does_not_show_whether_it_is_the_right_one() -> None:
    found = [str(one) for one in drawn("'The Cat'")]
    assert "The Cat" not in found
    assert {len(one) for one in found} == {7}
    assert all(one[3] == " " and one[0].isupper() and one[4].isupper() and one[1:3].islower() for one in found)
    places = Counter(next(at for at in range(7) if one[at] != "The Cat"[at]) for one in found)
    assert places.keys() == {0, 1, 2, 4, 5, 6}
    ends = Counter(one[-1] for one in found if one[-1] != "t")
    assert len(ends) > 10


def test_a_text_that_the_file_expects_elsewhere_takes_its_place() -> None:
    more = "def test_other():\n    assert g() == ['Dog']\ndef test_that(self):\n    self.assertEqual(h(), 'Emu')\n"
    found = Counter(drawn("'Cat'", more))
    assert found["Cat"] == 0
    assert found["Dog"] > 20
    assert found["Emu"] > 20
    assert sum(often for text, often in found.items() if text not in ("Dog", "Emu")) > 60
    assert {"Dog", "Emu"} < {*drawn("''", more)}


@pytest.mark.parametrize("written", ["", "nan", "1e", "07x", "0x1f", "1 000", "--1"])
def test_what_is_written_in_another_way_is_no_number(written: str) -> None:
    assert other_number(written, lambda _: 0) == ""


def test_one_of_several_is_chosen_and_its_line_is_told() -> None:
    source = "def test_it():\n    assert f(1) == 1\n    assert f(2) == 2\n    return\n    assert f(3) == 3\n"
    found = [one for seed in range(20) if (one := inverted(source, seed=seed))]
    lines = source.splitlines()
    for one in found:
        changed = [at for at, line in enumerate(one.source.decode().splitlines(), 1) if line != lines[at - 1]]
        assert changed == [one.line]
    assert {one.line for one in found} == {2, 3}


@each_row
def test_the_method_that_is_run_is_inverted(method: str, line: int | None) -> None:
    found = inverted(DATA["CLASSES"], method)
    assert (found and found.line) == line


@pytest.mark.parametrize("source", ["def test_it(:", "\xff", "def test_it(): assert f() == 1\r\n"])
def test_what_cannot_be_changed_in_place_is_left(source: str) -> None:
    assert invert_python(source.encode("latin-1"), "test_it", lambda _: 0) is None


VALUES = [0, 1, -3, 10**20, 1e300, 0.5, -0.5, True, False, "", "a", b"a", [], [1], ["a"], (), (1,), {}, {1: 2}, None]
VALUES += [float("inf"), {1}, ValueError()]


@pytest.mark.parametrize("value", VALUES)
def test_a_different_value_is_different_and_of_the_same_kind_where_it_can_be(value: object) -> None:
    for seed in range(40):
        found = inverted("def test_it():\n    assert f() == g()\n", seed=seed)
        assert found
        text = found.source.decode().partition("f() == ")[2]
        different = eval(text, {"g": lambda: value})  # noqa: S307 - it is ours
        assert different != value
        is_plain = type(value) in (int, float, bool, str, list, tuple, dict)
        assert type(different) is (type(value) if is_plain else object)


def test_a_share_is_exchanged_wherever_it_is_set() -> None:
    text = SHARE.replace("partial_credit as p", "partial_credit").replace("WEIGHT", "10")
    shares = set[str]()
    for seed in range(60):
        found = inverted(text.replace("BODY", "set_score(good * 2)"), "T.test_it", seed)
        assert found
        points = float(found.share) * 10
        assert found.source.decode().count(f"set_score({points!r})") == 2
        assert found.source.rstrip().endswith(b"\n        assert False")
        shares.add(found.share)
    assert shares == {str(number / 8) for number in range(1, 8)}
    # Beside an assertion that is certain to be reached, now the one and now the other.
    both = text.replace("BODY", "set_score(1)").replace("        good =", "        assert f(1) == 100\n        good =")
    lines = Counter(one.line for seed in range(60) if (one := inverted(both, "T.test_it", seed)))
    assert lines.keys() == {7, 10}


@each_row
def test_a_share_that_nobody_can_reckon_is_left_as_it_is(weight: str, body: str) -> None:
    found = inverted(SHARE.replace("WEIGHT", weight).replace("BODY", body), "T.test_it")
    assert found
    assert (found.share, found.source.decode().count("set_score(10)")) == ("", 1)


def test_each_subtest_is_inverted_where_values_count() -> None:
    found = invert_python(SUBTESTS.encode(), "T.test_all", lambda _: 0, by_value=True)
    assert found
    changed = SUBTESTS.replace("f(m), 5", "f(m), 4")
    assert found.source.decode() == changed.replace("f(n), 6)", "f(n), 6)\n                    assert False")
    early = SUBTESTS.replace("self.assertEqual(f(n), 6)", "continue")
    found = invert_python(early.encode(), "T.test_all", lambda _: 0, by_value=True)
    assert found
    assert found.source.decode() == early.removesuffix("\n") + "\n        assert False\n"
