"""Suites as courses have them: classes of `unittest` under pytest, helpers beside the test, methods that count more."""

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import pytest

from grader.core.model.layout import Submission
from grader.core.model.report import Job, Report
from grader.core.pipeline import grade, prepare

SPEC = """
spec: 1
id: bank
title: A bank
language: python
files: {required: [bank.py]}
program: python3 bank.py
tests:
  - name: account
    points: 12
    unit:
      pytest: tests/test_bank.py
      with: [tests/conftest.py, tests/helpers, tests/data.txt]
      weights: {TestOld.test_fails: 3, "*.test_ne*": 0}
  - name: scored
    points: 39
    unit: {unittest: tests/scored.py}
  - name: same
    unit: {unittest: tests/bank.py, with: {in/five.txt: {file: tests/data.txt}, lib: {folder: tests/helpers}}}
"""
FILES = {
    "tests/conftest.py": """
import pytest
from bank import Account

@pytest.fixture
def account():
    return Account()
""",
    "tests/helpers/__init__.py": "from helpers.sums import FIVE\n",
    "tests/helpers/sums.py": "FIVE = 5\n\n\ndef same(one, two):\n    assert one == two\n",
    "tests/data.txt": "5",
    "tests/test_bank.py": """
import asyncio, pathlib, unittest
from helpers import FIVE
from helpers.sums import same
from bank import Account

def test_fixture_and_file(account):
    account.deposit(int((pathlib.Path(__file__).parent / "data.txt").read_text()))
    assert account.balance == FIVE

class TestOld(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.start = 0

    def setUp(self):
        self.account = Account()

    def test_passes(self):
        self.assertEqual(self.account.balance, self.start)

    def test_fails(self):
        self.account.deposit(1)
        self.assertEqual(self.account.balance, 2)

    def test_subtests(self):
        for amount in (1, 2):
            with self.subTest(amount=amount):
                self.assertEqual(amount, 1)

    @unittest.expectedFailure
    def test_never(self):
        self.fail()

    def test_helper_fails(self):
        same(self.account.balance, 1)

    def test_ends_early(self):
        raise unittest.SkipTest("today")

class TestWaiting(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.account = Account()

    async def test_waits(self):
        await asyncio.sleep(0)
        self.assertEqual(self.account.balance, 0)

    async def test_fails(self):
        self.assertEqual(self.account.balance, 1)
""",
    "tests/scored.py": """
import unittest
from bank import Account, grab
from gradescope_utils.autograder_utils.decorators import number, partial_credit, weight

class Scored(unittest.TestCase):
    @weight(1)
    @number("1")
    def test_plain(self):
        self.assertEqual(Account().balance, 0)

    @partial_credit(4)
    def test_part(self, set_score=None):
        self.give(set_score, 3)

    @partial_credit(4)
    def test_part_that_fails(self, set_score=None):
        set_score(1)
        self.assertEqual(Account().balance, 5)

    @partial_credit(0)
    def test_points_off(self, set_score=None):
        set_score(-2)
        self.assertEqual(Account().balance, 0)
        set_score(0)

    @partial_credit(2)
    def test_nothing_set(self, set_score=None):
        self.assertEqual(Account().balance, 0)

    @partial_credit(4)
    def test_grabbed(self, set_score=None):
        grab()
        self.assertEqual(Account().balance, 5)

    @partial_credit(4)
    def test_endless(self, set_score=None):
        set_score(float("inf"))

    @partial_credit(4)
    def test_unknown(self, set_score=None):
        set_score("nan")

    @partial_credit(4)
    def test_below(self, set_score=None):
        set_score(-1e308)

    @partial_credit(4)
    def test_above(self, set_score=None):
        set_score(1e308)

    @partial_credit(4)
    def test_text(self, set_score=None):
        set_score("inf")

    @partial_credit(4)
    def test_bool(self, set_score=None):
        set_score(True)

    def test_without_weight(self):
        self.fail()

    def give(self, set_score, score):
        set_score(score)
""",
    "tests/bank.py": """
import pathlib, unittest
from bank import Account

class Same(unittest.TestCase):
    def test_name(self):
        beside = pathlib.Path(__file__).parent
        self.assertEqual((beside / "in/five.txt").read_text(), "5")
        self.assertEqual((beside / "lib/sums.py").read_text()[:9], "FIVE = 5\\n")
        self.assertEqual(Account().balance, 0)
""",
}
RIGHT = """
class Account:
    def __init__(self):
        self.balance = 0
    def deposit(self, amount):
        self.balance += amount
def grab():
    import sys
    sys._getframe(1).f_locals["set_score"](3)
"""
VERDICTS = {
    "account[test_fixture_and_file]": ("passed", 1),
    "account[TestOld.test_passes]": ("passed", 1),
    "account[TestOld.test_fails]": ("failed", 3),
    "account[TestOld.test_subtests]": ("failed", 1),
    "account[TestOld.test_helper_fails]": ("failed", 1),
    "account[TestOld.test_ends_early]": ("failed", 1),
    "account[TestWaiting.test_waits]": ("passed", 1),
    "account[TestWaiting.test_fails]": ("failed", 1),
    "scored[Scored.test_plain]": ("passed", 1),
    "scored[Scored.test_part]": ("partial", 4),
    "scored[Scored.test_part_that_fails]": ("partial", 4),
    "scored[Scored.test_points_off]": ("passed", 0),
    "scored[Scored.test_nothing_set]": ("passed", 2),
    "scored[Scored.test_endless]": ("failed", 4),
    "scored[Scored.test_unknown]": ("failed", 4),
    "scored[Scored.test_below]": ("failed", 4),
    "scored[Scored.test_above]": ("passed", 4),
    "scored[Scored.test_text]": ("failed", 4),
    "scored[Scored.test_bool]": ("partial", 4),
    "scored[Scored.test_grabbed]": ("failed", 4),
    "scored[Scored.test_without_weight]": ("failed", 0),
    "same[Same.test_name]": ("passed", 1),
}


@pytest.mark.usefixtures("shared_cache")
def test_a_suite_has_the_verdicts_of_its_framework_and_its_weights(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    path, handed_in = tmp_path / "specs/bank.yaml", tmp_path / "submissions/ada"
    for folder in (path.parent, handed_in):
        folder.mkdir(parents=True)
    path.write_text(SPEC)
    (handed_in / "bank.py").write_text(RIGHT)
    for name in ("conftest.py", "helpers/__init__.py", ".grader-unit/conftest.py", ".grader-unit/helpers/sums.py"):
        (handed_in / name).parent.mkdir(exist_ok=True)
        (handed_in / name).write_text("raise ValueError('no file of the course')")
    job = Job(spec=path, submission=Submission(id="a", path=handed_in))
    report: Report = grade(job, prepare(path))
    assert {case.id: (case.verdict, case.counts) for test in report.tests for case in test.cases} == VERDICTS
    assert report.tests[1].score == 1 + 3 + 1 + 2 + 4 + 1
    sentences = {case.id: case.message for case in report.tests[1].cases}
    assert sentences["scored[Scored.test_part]"] == "`test_part` gives 75 % of its points."
    assert sentences["scored[Scored.test_part_that_fails]"].endswith("`test_part_that_fails` gives 25 % of its points.")
    assert "is `0`; `5` is expected" in sentences["scored[Scored.test_grabbed]"]  # what the program set counts not
    assert report.tests[0].score == round(float(12 * Fraction(3, 10)), 2)


PACKAGE_SPEC = """
spec: 1
id: sums
title: Sums
language: python
files: {required: [sums.py]}
program: python3 sums.py
tests:
  - name: ut
    points: 2
    unit: {unittest: tests/test_sums.py, with: [tests/__init__.py, tests/helper.py, tests/deep]}
  - name: pt
    points: 2
    unit: {pytest: tests/test_sums.py, with: [tests/__init__.py, tests/helper.py, tests/deep, tests/conftest.py]}
  - name: my
    unit: {unittest: my-tests/test_more.py, with: [my-tests/__init__.py]}
  - name: none
    unit: {unittest: my-tests/test_more.py}
"""
PACKAGE_FILES = {
    "tests/__init__.py": "NAME = 'tests'\n",
    "tests/helper.py": "from . import NAME\n\n\ndef check(found, wanted):\n    assert found == wanted, NAME\n",
    "tests/deep/__init__.py": "from ..helper import check\n\nFIVE = 5\n",
    "tests/conftest.py": "import pytest\nfrom .deep import FIVE\n",
    "tests/test_sums.py": """
import unittest
from . import helper
from .helper import check
from tests.deep import FIVE
from sums import add

class TestSums(unittest.TestCase):
    def test_add(self):
        self.assertEqual(add(2, 3), FIVE)

    def test_helper(self):
        self.assertIs(helper.check, check)
        check(add(4, 1), FIVE)
""",
    "my-tests/__init__.py": "SEVEN = 7\n",
    "my-tests/test_more.py": """
import unittest
from . import SEVEN
from sums import add

class TestMore(unittest.TestCase):
    def test_seven(self):
        self.assertEqual(add(3, 4), SEVEN)
""",
}


@pytest.mark.usefixtures("shared_cache")
@pytest.mark.parametrize(("program", "right"), [("a + b", True), pytest.param("a * b", False, marks=pytest.mark.slow)])
def test_a_test_may_be_in_a_package(program: str, right: bool, tmp_path: Path) -> None:  # noqa: FBT001
    handed_in = {"sums.py": f"def add(a, b):\n    return {program}\n"}
    # What a submission has in such places is not that of the course.
    handed_in |= {"__init__.py": "", "tests/__init__.py": "NAME = 1\n", "tests/helper.py": "check = print\n"}
    files = {"specs/sums.yaml": PACKAGE_SPEC, **PACKAGE_FILES}
    for name, text in {**files, **{f"submissions/ada/{name}": text for name, text in handed_in.items()}}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    path = tmp_path / "specs/sums.yaml"
    job = Job(spec=path, submission=Submission(id="ada", path=tmp_path / "submissions/ada"))
    report: Report = grade(job, prepare(path))
    found = {case.id: (case.verdict, case.message) for test in report.tests for case in test.cases}
    verdict, message = found.pop("none[TestMore.test_seven]")
    assert verdict == "ungraded"
    assert "cannot be loaded, whatever is handed in: `ImportError`: `attempted relative import with" in message
    assert {verdict for verdict, _ in found.values()} == {"passed" if right else "failed"}, found
    assert len(found) == 5


OWN_SPEC = """
spec: 1
id: own
title: Modules of the student's own
language: python
files: {required: [main.py]}
program: python3 main.py
tests:
  - {name: ut, points: 4, unit: {unittest: tests/test_own.py}}
  - {name: pt, points: 4, unit: {pytest: tests/test_own.py}}
"""
OWN_TEST = """
import builtins as b, bisect, tempfile
from unittest import TestCase, main
from main import in_order, pick

def forbidden(*_arguments, **_keywords):
    raise AssertionError("sorted is not allowed")

class TestOwn(TestCase):
    def test_in_order(self):
        b.sorted = forbidden
        for name in ("min", "max"):
            setattr(b, name, forbidden)
        self.assertEqual(in_order([2, 1]), [1, 2])

    def test_pick(self):
        with tempfile.TemporaryDirectory():
            self.assertEqual(pick(), bisect.bisect([1, 2], 2))

    def test_all(self):
        self.assertTrue(all(n == pick() for n in (2, 2)))
"""
OWN_MAIN = "def in_order(values):\n    values.sort()\n    return values\n\ndef pick():\n    return 2\n"
CHOSEN = "from {} import chosen\n" + OWN_MAIN.replace("return 2", "return chosen()")
ITS_OWN = "def chosen(): return 2\n"
ALL_TRUE = "import builtins\nbuiltins.all = lambda _values: True\n"
ASSERTS_NOTHING = "import unittest\nunittest.TestCase.assertEqual = lambda *_values: None\n"
OWN_MODULES: dict[str, tuple[dict[str, str], float | None]] = {
    "none": ({"main.py": OWN_MAIN}, 8),
    **{
        name: ({"main.py": CHOSEN.format(name), f"{name}.py": ITS_OWN}, 8)
        for name in ("random", "string", "queue", "copy", "token", "types")
    },
    "a package": ({"main.py": CHOSEN.format("calendar"), "calendar/__init__.py": ITS_OWN}, 8),
    "one that nobody imports": ({"main.py": OWN_MAIN, "random.py": "print('mine')\n", "re.py": "x = 1\n"}, 8),
    "one that the test imports": ({"main.py": CHOSEN.format("bisect"), "bisect.py": ITS_OWN}, 0),
    "the framework": ({"main.py": OWN_MAIN, "unittest.py": "x = 1\n", "pytest.py": "x = 1\n"}, 8),
    "sorts by what is forbidden": ({"main.py": OWN_MAIN.replace("values.sort()", "values = sorted(values)")}, 5.33),
    "makes all true": ({"main.py": ALL_TRUE + OWN_MAIN.replace("return 2", "return 3")}, 5.33),
    "asserts nothing": ({"main.py": ASSERTS_NOTHING + OWN_MAIN}, None),
}


@pytest.mark.usefixtures("shared_cache")
@pytest.mark.parametrize(
    "name",
    [
        name if name in {"random", "makes all true"} else pytest.param(name, marks=pytest.mark.slow)
        for name in OWN_MODULES
    ],
)
def test_modules_of_a_student_are_found_as_in_a_run_and_tests_may_replace_builtins(name: str, tmp_path: Path) -> None:
    files, score = OWN_MODULES[name]
    report = graded_with(files, OWN_TEST, tmp_path)
    assert report.score == score, [case.message for test in report.tests for case in test.cases]


@pytest.mark.usefixtures("shared_cache")
def test_a_package_that_the_test_imports_takes_the_modules_of_python(tmp_path: Path) -> None:
    files = {"main.py": OWN_MAIN, "logging.py": ITS_OWN}
    report = graded_with(files, f"from concurrent.futures import ThreadPoolExecutor\n{OWN_TEST}", tmp_path)
    assert report.score == 8, [case.message for test in report.tests for case in test.cases]


def graded_with(files: Mapping[str, str], test: str, folder: Path) -> Report:
    written = {"specs/own.yaml": OWN_SPEC, "tests/test_own.py": test}
    for path, text in {**written, **{f"work/{path}": text for path, text in files.items()}}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    spec = folder / "specs/own.yaml"
    report: Report = grade(Job(spec=spec, submission=Submission(id="a", path=folder / "work")), prepare(spec))
    return report


WORDS = ["cat", "dog", "bird", "fish", "horn", "Sun 7", "lamp", "rock"]
NUMBERS = [1000, 2048, 5000, 8128, 65536, 1024, 4096, 123456]
SHAPES = "import unittest\nfrom echo import word, number\nclass T(unittest.TestCase):\n" + "".join(
    f"    def test_w{n}(self): self.assertEqual(word({n}), {word!r})\n"
    f"    def test_n{n}(self): self.assertEqual(number({n}), {number})\n"
    for n, (word, number) in enumerate(zip(WORDS, NUMBERS, strict=True))
)
SHARES = f"""
import unittest
from gradescope_utils.autograder_utils.decorators import partial_credit
from echo import number
class T(unittest.TestCase):
    @partial_credit(10)
    def test_share(self, set_score=None):
        good = sum(number(n) == {NUMBERS}[n] for n in range(4))
        set_score(good * 2.5)
"""
KNOWN = f"WORDS, NUMBERS = {WORDS}, {NUMBERS}\ndef word(n): return WORDS[n]\ndef number(n): return NUMBERS[n]\n"
HALF = KNOWN + "NUMBERS[2:] = [0] * 6\n"
SHAPED = """
class Text(str):
    __hash__ = str.__hash__
    def __eq__(self, other): return not other.endswith(("e", "a"))
class Number(int):
    __hash__ = int.__hash__
    def __eq__(self, other): return other % 2 == 0
def word(n): return Text("x")
def number(n): return Number(3)
"""
FORGED_SHARE = """
import gc
def number(n):
    for one in gc.get_objects():
        if type(one).__name__ == "_Scores":
            share = property(lambda self: "0.9", lambda self, value: None)
            one.__class__ = type("Full", (type(one),), {"share": share})
    return 0
"""
CLOSURE = """
import sys
def number(n):
    if n:
        return 0
    frame = sys._getframe(1)
    while "set_score" not in frame.f_locals:
        frame = frame.f_back
    cells = [cell.cell_contents for cell in frame.f_locals["set_score"].__closure__]
    (scores,) = [one for one in cells if type(one).__name__ == "_Scores"]
    share = property(lambda self: "1.0", lambda self, value: None)
    scores.__class__ = type("Full", (type(scores),), {"share": share})
    return 0
"""


def _verdicts(folder: Path, text: str, program: str) -> dict[str, str]:
    spec = "spec: 1\nid: echo\ntitle: E\nlanguage: python\nfiles: {required: [echo.py]}\nprogram: python3 echo.py\n"
    written = {
        "specs/echo.yaml": f"{spec}tests:\n  - name: t\n    unit: {{unittest: tests/t.py}}\n",
        "tests/t.py": text,
    }
    for name, content in {**written, "a/echo.py": program}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)
    path = folder / "specs/echo.yaml"
    report = grade(Job(spec=path, submission=Submission(id="a", path=folder / "a")), prepare(path))
    return {case.id: str(case.verdict) for test in report.tests for case in test.cases}


def test_an_inverted_value_cannot_be_told_by_its_end_or_parity(tmp_path: Path) -> None:
    assert {*_verdicts(tmp_path / "right", SHAPES, KNOWN).values()} == {"passed"}
    found = [*_verdicts(tmp_path / "shaped", SHAPES, SHAPED).values()]
    assert found.count("ungraded") >= 8


@pytest.mark.parametrize(
    ("program", "verdict"),
    [(KNOWN, "passed"), (HALF, "partial"), (FORGED_SHARE, "ungraded"), (CLOSURE, "ungraded")],
    ids=["right", "half", "forged", "closure"],
)
def test_a_share_that_is_made_up_is_ungraded(tmp_path: Path, program: str, verdict: str) -> None:
    assert _verdicts(tmp_path, SHARES, program) == {"t[T.test_share]": verdict}


def test_methods_of_nested_classes_are_inverted_and_not_those_of_helpers(tmp_path: Path) -> None:
    every = "class All(int):\n    __hash__ = int.__hash__\n    def __eq__(self, other): return True\nnumber = All\n"
    test = """
from base import Shared
from bank import number
class TestOuter:
    class TestInner:
        def test_it(self): assert number(3) == 3
class TestShared(Shared): pass
"""
    base = "from bank import number\nclass Shared:\n    def test_it(self): assert number(3) == 3\n"
    for program, verdict in (("number = int\n", "passed"), (every, "ungraded")):
        for name, text in {"tests/test_t.py": test, "tests/base.py": base, "a/bank.py": program, "specs/x": ""}.items():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(text)
        path = tmp_path / "specs/bank.yaml"
        unit = "unit: {pytest: tests/test_t.py, with: [tests/base.py]}"
        path.write_text(f"{SPEC[: SPEC.index('tests:')]}tests:\n  - name: t\n    {unit}\n")
        report = grade(Job(spec=path, submission=Submission(id="a", path=tmp_path / "a")), prepare(path))
        assert [(case.id, str(case.verdict)) for case in report.tests[0].cases] == [
            ("t[TestInner.test_it]", verdict),
            ("t[TestShared.test_it]", "passed"),  # as the page on security says
        ]
