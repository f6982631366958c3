"""Which assertion of a method is turned round, and how: never so that an honest program could pass both."""

import pytest

from grader.kinds.unit_tests.turned import turn_python

ROWS: list[tuple[str, str | None]] = [
    # a value that is written there is exchanged for another of its kind
    ("assert f(4) == 8", "assert f(4) == 9"),
    ("assert f(4) == -5", "assert f(4) == -11"),
    ("assert f(4) == 5000000", "assert f(4) == 10000001"),
    ("assert f(4) == 0.5", "assert f(4) == 2.0"),
    ("assert f(4) == pytest.approx(9)", "assert f(4) == pytest.approx(19)"),
    ("assert 'abc' == f(4), 'why'", "assert 'abe' == f(4), 'why'"),
    ("assert f(4) == ''", "assert f(4) == 'e'"),
    (r"assert f(4) == 'a\n'", r"assert f(4) == 'a\ne'"),
    ("assert f(4) == [[3]]", "assert f(4) == [[4]]"),
    ("assert f(4) == {'a': 3}", "assert f(4) == {'a': 4}"),
    ("assert f(4) == True", "assert f(4) == False"),
    ("self.assertEqual(f(4), 8, 'why')", "self.assertEqual(f(4), 9, 'why')"),
    ("self.assertEqual(8, f(4))", "self.assertEqual(9, f(4))"),
    ("with self.subTest(n=3):\n        assert f() == 1", "with self.subTest(n=3):\n        assert f() == 2"),
    ("for n in (1, 2):\n        assert f(n) == 'x'", "for n in (1, 2):\n        assert f(n) == 'e'"),
    # what is computed gets another value when it is run
    ("assert f(4) == g(3)", "assert f(4) == _different_value(g(3))"),
    ("assert f(4) == []", "assert f(4) == _different_value([])"),
    ("assert f(4) == None", "assert f(4) == _different_value(None)"),
    ("assert f(4) == pytest.approx(9, abs=99)", "assert f(4) == _different_value(pytest.approx(9, abs=99))"),
    # all else is denied, by the same comparison: an order of the student's own may be partial
    ("assert f(4)", "assert not (f(4))"),
    ("assert not f(4)", "assert not (not f(4))"),
    ("assert 1 < f(4) < 3", "assert not (1 < f(4) < 3)"),
    ("assert a() != b()", "assert not (a() != b())"),
    ("self.assertTrue(f(4))", "self.assertFalse(f(4))"),
    ("self.assertIsNone(f(4))", "self.assertIsNotNone(f(4))"),
    ("self.assertGreater(f(4), 3)", "self.assertFalse((f(4)) > (3))"),
    ("self.assertNotEqual(f(4), 3)", "self.assertFalse((f(4)) != (3))"),
    # nobody raises this
    ("with pytest.raises(ValueError):\n        f(4)", "with pytest.raises(BufferError):\n        f(4)"),
    ("self.assertRaises(ValueError, f, 4)", "self.assertRaises(BufferError, f, 4)"),
    # a method that asserts nothing for certain fails at its end
    ("f(4)", "f(4)\n    assert False"),
    ("if f(4):\n        assert g(3)", "if f(4):\n        assert g(3)\n    assert False"),
    ("for n in f(4):\n        assert n", "for n in f(4):\n        assert n\n    assert False"),
    (
        "with suppress(Exception):\n        assert f(4)",
        "with suppress(Exception):\n        assert f(4)\n    assert False",
    ),
    ("with lock:\n        assert f(4)", "with lock:\n        assert f(4)\n    assert False"),
    (
        "try:\n        f(4)\n    except ValueError: pass",
        "try:\n        f(4)\n    except ValueError: pass\n    assert False",
    ),
    # nobody knows whether the end is reached, or what is behind a return
    ("return f(4)", None),
    ("if f(4): return\n    assert g(3)", None),
    ("yield f(4)", None),
]


@pytest.mark.parametrize(("body", "turned"), ROWS)
def test_an_assertion_is_turned_round(body: str, turned: str | None) -> None:
    before = "import pytest\ndef test_it(self):\n    "
    found = turn_python(f"{before}{body}\n".encode(), ["test_it"], lambda _: 0)
    assert (found and found.source.decode().partition("\n\n\ndef _different")[0].rstrip("\n")) == (
        turned and before + turned
    )


def test_one_of_several_is_chosen_and_its_line_is_told() -> None:
    source = b"def test_it():\n    assert f(1) == 1\n    assert f(2) == 2\n    return\n    assert f(3) == 3\n"
    chosen: list[tuple[int, int]] = []
    for number in range(4):
        found = turn_python(source, ["test_it"], number.__mod__)
        assert found
        chosen.append((found.lines["test_it"], found.source.count(b"== 3")))
    assert chosen == [(2, 1), (3, 2), (2, 1), (3, 2)]


CLASSES = b"""
class Base:
    def test_it(self): assert f() == 1
class Other:
    def test_it(self): assert f() == 5
class Child(Base):
    pass
class Both(Child, Other):
    pass
class Twice(Other):
    def test_it(self): assert f() == 3
    def test_it(self): assert f() == 7
"""


@pytest.mark.parametrize(
    ("method", "changed"),
    [
        ("Base.test_it", b"== 2"),
        ("Child.test_it", b"== 2"),
        ("Twice.test_it", b"== 8"),
        ("Both.test_it", None),  # which one is run depends on more than the text
        ("Base.test_other", None),
        ("Nowhere.test_it", None),
    ],
)
def test_the_method_that_is_run_is_turned(method: str, changed: bytes | None) -> None:
    found = turn_python(CLASSES, [method], lambda _: 0)
    assert (found is None) == (changed is None)
    assert not found or (changed and changed in found.source)


@pytest.mark.parametrize(
    "source", [b"def test_it(:", b"\xff", b"def test_it(): assert f() == 1\r\n", b"_different_value = 1"]
)
def test_what_cannot_be_changed_in_place_is_left(source: bytes) -> None:
    assert turn_python(source, ["test_it"], lambda _: 0) is None


@pytest.mark.parametrize(
    "value", [0, 1, -3, 10**20, 1e300, 0.5, True, False, "", "a", b"a", [], [1], (), (1,), {}, {1: 2}]
)
def test_a_different_value_is_of_the_same_kind_and_different(value: object) -> None:
    found = turn_python(b"def test_it():\n    assert f() == g()\n", ["test_it"], lambda _: 0)
    assert found
    names: dict[str, object] = {}
    exec(found.source, names)  # noqa: S102 - it is ours
    different = names["_different_value"](value)  # type: ignore[operator]
    assert type(different) is type(value)
    assert different != value


@pytest.mark.parametrize("value", [None, float("inf"), {1}, object(), ValueError()])
def test_a_value_of_another_kind_is_compared_with_an_object(value: object) -> None:
    found = turn_python(b"def test_it():\n    assert f() == g()\n", ["test_it"], lambda _: 0)
    assert found
    names: dict[str, object] = {}
    exec(found.source, names)  # noqa: S102 - it is ours
    assert type(names["_different_value"](value)) is object  # type: ignore[operator]


SUBTESTS = """
import unittest
class T(unittest.TestCase):
    def test_all(self):
        self.assertEqual(f(0), 0)
        with self.subTest("first"):
            self.assertEqual(f(1), 1)
        for n in NUMBERS:
            with self.subTest(n=n):
                for m in (1, 2):
                    with self.subTest(m=m):
                        self.assertEqual(f(m), 5)
                with self.subTest():
                    if n:
                        self.assertEqual(f(n), 6)
                with self.subTest("early"):
                    if n:
                        continue
                    self.assertEqual(f(n), 7)
"""


def test_each_subtest_is_turned_round_where_values_count() -> None:
    found = turn_python(SUBTESTS.encode(), ["T.test_all"], lambda _: 0, by_value=True)
    assert found
    assert list(found.lines) == ["T.test_all"]
    changed = SUBTESTS.replace("f(1), 1", "f(1), 2").replace("f(m), 5", "f(m), 6")
    # At the end where no assertion is certain to be reached, and not at all where the end is not.
    changed = changed.replace("f(n), 6)", "f(n), 6)\n                    assert False")
    assert found.source.decode() == changed
    whole = turn_python(SUBTESTS.encode(), ["T.test_all"], lambda _: 0)
    assert whole
    assert whole.source.decode() == SUBTESTS.replace("f(0), 0", "f(0), 1")
