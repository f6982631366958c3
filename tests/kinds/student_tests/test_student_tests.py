"""Tests of students with the programs of a course: what counts, what is said, and suites that only look right."""

import re
from collections import Counter
from collections.abc import Collection, Generator, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from grader.check.runner import asking, examine
from grader.core.model.execution import Execution, Launch
from grader.core.model.layout import Submission
from grader.core.model.report import Job, Report, Verdict
from grader.core.model.spec import Case
from grader.core.pipeline import Course, grade, prepare
from grader.kinds.student_tests import run
from grader.kinds.student_tests.model import StudentSuite, SuiteFacts, TestedProgram
from grader.kinds.student_tests.run import _with_unsteady

BANK = """\
class Account:
    def __init__(self):
        self.balance = 0

    def deposit(self, amount):
        self.balance += amount

    def withdraw(self, amount):
        if amount < 0 or amount > self.balance:
            raise ValueError(amount)
        self.balance -= amount
"""
OTHER_BANK = BANK.replace("if amount < 0 or amount > self.balance:", "if not self.balance >= amount >= 0:")
WRONG = {
    "forgets.py": BANK.replace("+=", "="),
    "negative.py": BANK.replace("amount < 0 or ", ""),
    "overdrawn/bank.py": BANK.replace(" or amount > self.balance", ""),
}
SPEC = """\
spec: 1
id: bank
title: Tests of an account
language: python
files: {required: [test_bank.py]}
program: python3 test_bank.py
tests:
  - name: own
    points: 6
    limits: {cpu: 2 s, time: 20 s}
    student-tests:
      RUN
      right: [reference/bank.py, reference/other/bank.py]
      wrong: wrong
      about: {negative: "`withdraw` takes a negative amount"}
"""
START = "import unittest, bank\nclass T(unittest.TestCase):\n"
GOOD = (
    START
    + """\
    def test_sum(self):
        a = bank.Account(); a.deposit(3); a.deposit(4)
        self.assertEqual(a.balance, 7)
    def test_limit(self):
        with self.assertRaises(ValueError): bank.Account().withdraw(1)
"""
)
NEGATIVE = """\
    def test_negative(self):
        with self.assertRaises(ValueError): bank.Account().withdraw(-1)
"""
FALSE_ALARM = """\
    def test_zero(self):
        with self.assertRaises(ValueError): bank.Account().deposit(0)
"""
MISSED = "Your tests notice 2 of 3 wrong programs; they miss one in which `withdraw` takes a negative amount."
NONE = "This wrong program is not noticed, because none of your tests counts."
ALL_FAIL = "All your tests fail with the right program, so none of them counts"
READS = "    def test_it(self): self.assertIn('{}', open('bank.py').read(), open('bank.py').read())\n"
SUITES: tuple[tuple[str, str, float, dict[str, str]], ...] = (
    ("whole", GOOD + NEGATIVE, 6, {}),
    ("misses one", GOOD, 4, {"own[wrong program 2]": MISSED}),
    (
        "has a false alarm",
        GOOD + FALSE_ALARM,
        4,
        {
            "own[right program]": "`test_zero` fails with the right program, so it does not count.",
            "own[wrong program 2]": MISSED,
        },
    ),
    ("fails always", START + "    def test_it(self): self.fail()\n", 0, {"own[right program]": f"{ALL_FAIL}."}),
    ("reads the source", START + READS.format("amount < 0 or"), 0, {"own[right program]": f"{ALL_FAIL}."}),
    (
        "is skipped with some",
        START + "    def test_it(self):\n        a = bank.Account(); a.deposit(1); a.deposit(1)\n"
        "        if a.balance != 2: self.skipTest('odd')\n",
        0,
        {"own[wrong program 1]": "Your tests notice 0 of 3 wrong programs; they miss this one."},
    ),
    ("has none", "import bank\n", 0, {"own[right program]": "Your file has no tests, or none that is run."}),
    (
        "fails by chance with one test",
        START
        + "    def test_chance(self):\n        import random; self.assertLess(random.random(), 0.5)\n"
        + GOOD.removeprefix(START)
        + NEGATIVE,
        6,
        {},
    ),
    (
        "is skipped",
        START + "    @unittest.skip('later')\n    def test_it(self): self.fail()\n",
        0,
        {"own[right program]": "All your tests are skipped with the right program, so none of them counts."},
    ),
    (
        "prints what reports have",
        START
        + "    def test_it(self): print('not ok 1 - a', '1..0', flush=True)\n"
        + GOOD.removeprefix(START)
        + NEGATIVE,
        6,
        {},
    ),
    (
        "ends before them",
        "import bank, os\nos._exit(0)\n",
        0,
        {"own[right program]": "None of your tests could be run."},
    ),
    (
        "ends as if no command were there",
        "import bank, os\nos._exit(127)\n",
        0,
        {"own[right program]": "None of your tests could be run.", "own[wrong program 3]": NONE},
    ),
    (
        "cannot be read",
        "import bank\ndef test(:\n",
        0,
        {
            "own[right program]": "None of your tests could be run: SyntaxError (test_bank.py:2).",
            "own[wrong program 3]": NONE,
        },
    ),
    (
        "fails at the second import",
        START + "    def test_it(self):\n        import importlib, sys\n        del sys.modules['bank']\n"
        "        importlib.import_module('bank'); assert False\n",
        0,
        {"own[right program]": f"{ALL_FAIL}."},
    ),
)


def _course(folder: Path, run: str, more: str = "", files: Mapping[str, str] = {}) -> Course:
    written = {"reference/bank.py": BANK, "reference/other/bank.py": OTHER_BANK, **files}
    for name, text in {**written, **{f"wrong/{name}": text for name, text in WRONG.items()}}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / "specs").mkdir()
    (folder / "specs/bank.yaml").write_text(SPEC.replace("RUN", run) + more)
    return prepare(folder / "specs/bank.yaml")


def _graded(folder: Path, course: Course, name: str, text: str) -> Report:
    work = folder / "work" / name.replace(" ", "-")
    work.mkdir(parents=True)
    (work / "test_bank.py").write_text(text)
    (work / "bank.py").write_text("raise SystemExit('my own')\n")
    job = Job(spec=folder / "specs/bank.yaml", submission=Submission(id=work.name, path=work))
    return grade(job, course)


def _messages(report: Report) -> dict[str, str]:
    (test,) = report.tests
    return {case.id: case.message for case in test.cases if case.message}


@pytest.mark.usefixtures("shared_cache")
def test_suites_count_by_what_they_notice(tmp_path: Path) -> None:
    course = _course(tmp_path, "unittest: test_bank.py")
    for name, text, score, messages in SUITES:
        report = _graded(tmp_path, course, name, text)
        assert (name, report.score) == (name, score)
        found = _messages(report)
        assert {case: found.get(case) for case in messages} == messages
        assert "amount < 0" not in str(report)  # of the right program


@pytest.mark.usefixtures("shared_cache")
def test_many_tests_that_fail_by_chance_notice_nothing(tmp_path: Path) -> None:
    course = _course(tmp_path, "unittest: test_bank.py")
    chance = "for n in range(80):\n    setattr(T, f'test_{n}', lambda self: self.assertLess(random.random(), 0.75))\n"
    report = _graded(tmp_path, course, "by chance", f"import random\n{START}    pass\n{chance}")
    assert (report.verdict, report.score) == (Verdict.FAILED, 0)
    found = _messages(report)
    assert "pass and fail by chance with the right program" in found["own[right program]"]
    assert found["own[wrong program 1]"] == NONE


def test_a_test_that_failed_only_later_is_named(tmp_path: Path) -> None:
    (tmp_path / "test_bank.py").write_text("def test_one(): pass\ndef test_two(): pass\n")
    facts = SuiteFacts(false_alarms=("test_two",))
    assert _with_unsteady(facts, frozenset({"t.test_one"}), tmp_path).false_alarms == ("test_two", "test_one")
    assert _with_unsteady(SuiteFacts(), frozenset({"t.made"}), tmp_path).unnamed_alarms == 1
    assert "by chance" in _with_unsteady(SuiteFacts(), frozenset({""}), tmp_path).problem
    assert _with_unsteady(facts, frozenset(), tmp_path) == facts


@pytest.mark.usefixtures("shared_cache")
def test_pytest_names_what_fails_and_only_as_the_student_wrote_it(tmp_path: Path) -> None:
    course = _course(tmp_path, "pytest: test_bank.py")
    values = "@pytest.mark.parametrize('line', [open('bank.py').read()])"
    leak = f"import pytest\n{values}\ndef test_leak(line): assert not line\n"
    report = _graded(tmp_path, course, "leaks", f"{leak}{GOOD}")
    assert report.score == 4
    assert _messages(report)["own[right program]"] == "`test_leak` fails with the right program, so it does not count."
    assert "amount < 0" not in str(report)


@pytest.mark.usefixtures("shared_cache")
def test_a_command_counts_by_its_status(tmp_path: Path) -> None:
    course = _course(tmp_path, "command: python3 test_bank.py")
    size = len(BANK)
    for name, text, score, first in (
        ("whole", f"{GOOD}{NEGATIVE}unittest.main()\n", 6, None),
        (
            "knows the size",
            f"import os\nassert os.path.getsize('bank.py') == {size}\n",
            0,
            "Your tests fail with the right",
        ),
        ("exits early", f"raise SystemExit\n{GOOD}unittest.main()\n", 0, None),
        ("never ends", "while True: pass\n", 0, "With the right program the run of your tests "),
    ):
        report = _graded(tmp_path, course, name, text)
        assert (name, report.score) == (name, score)
        found = _messages(report).get("own[right program]", "")
        assert found.startswith(first or "")
        assert bool(found) == bool(first)


@pytest.mark.usefixtures("shared_cache")
def test_what_cannot_be_run_here_is_no_zero(tmp_path: Path) -> None:
    course = _course(tmp_path, "command: no-such-runner test_bank.py")
    report = _graded(tmp_path, course, "any", GOOD)
    assert report.verdict is Verdict.UNGRADED
    assert report.score is None


@pytest.mark.usefixtures("shared_cache")
def test_lint_tries_the_programs_by_the_other_tests(tmp_path: Path) -> None:
    more = """\
  - name: program
    unit: {unittest: tests/test_it.py}
"""
    own = GOOD.replace("class T(", "class TestIt(")
    _course(tmp_path, "unittest: test_bank.py", more, {"tests/test_it.py": own})
    found = examine(tmp_path / "specs/bank.yaml", asking("auto", 1)).remarks
    told = [one.message for one in found if one.rule == "wrong-program"]
    assert len(told) == 1
    assert told[0].startswith("`negative` gets all points by the other tests, so nothing shows that it is wrong: ")


JAVA_BANK = "public class Bank { public int twice(int n) { return 2 * n; } }\n"
JAVA_TEST = """\
import static org.junit.jupiter.api.Assertions.assertEquals;
import org.junit.jupiter.api.Test;
class BankTest {
    @Test void one() { assertEquals(2, new Bank().twice(1)); }
    @Test void odd() { assertEquals(3, new Bank().twice(1)); }
}
"""


@pytest.mark.slow
@pytest.mark.usefixtures("shared_cache")
def test_junit_compiles_the_tests_with_each_program(tmp_path: Path) -> None:
    files = {
        "bank/Bank.java": JAVA_BANK,
        "wrong/Bank.java": JAVA_BANK.replace("2 *", "1 +").replace("1 + n", "n"),
        "work/BankTest.java": JAVA_TEST,
        "broken/BankTest.java": JAVA_TEST.replace("assertEquals(3", "asserted(3"),
        "specs/bank.yaml": SPEC.replace("RUN", "junit: BankTest.java")
        .replace("language: python", "language: java")
        .replace("test_bank.py", "BankTest.java")
        .replace("[reference/bank.py, reference/other/bank.py]", "bank")
        .replace("limits: {cpu: 2 s, time: 20 s}", "limits: {cpu: 60 s}")
        .replace('\n      about: {negative: "`withdraw` takes a negative amount"}', ""),
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    spec = tmp_path / "specs/bank.yaml"
    course = prepare(spec)
    whole, broken = (
        grade(Job(spec=spec, submission=Submission(id=name, path=tmp_path / name)), course)
        for name in ("work", "broken")
    )
    assert (whole.score, broken.score) == (6, 0)
    assert _messages(whole) == {"own[right program]": "`odd` fails with the right program, so it does not count."}
    assert (
        _messages(broken)["own[right program]"]
        == "None of your tests could be run: there is an error at BankTest.java:5."
    )


def _order(seed: str, failing: Collection[int] = ()) -> list[int]:
    """Return the places of the programs in the order in which they are run, of which two are right."""
    suite = StudentSuite(commands=(("test",),), right=({"bank.py": BANK.encode()}, {"bank.py": OTHER_BANK.encode()}))
    cases = [Case(id=f"{at}", payload=TestedProgram(suite=suite, files=suite.right[at % 2])) for at in range(9)]
    launches = [Launch(argv=(f"{at}",)) for at in range(9)]
    order = list[int]()

    def measure(given: Sequence[Launch], **_how: object) -> Generator[Execution, None, None]:
        for launch in given:
            order.append(int(launch.argv[0]))
            yield Execution(status=int(order[-1] in failing))

    course: Any = SimpleNamespace(measure_each=measure, ledger=SimpleNamespace(charge_run=id))
    found = run._run_in_any_order(cases, launches, course, seed=seed, rights=2)
    assert [*found] == order
    return order


def test_the_order_does_not_show_which_program_is_right() -> None:
    orders = [_order(f"{seed}") for seed in range(300)]
    assert all(sorted(one) == [*range(9)] for one in orders)
    for place in range(9):
        often = Counter(one[place] for one in orders)
        assert often.keys() == {*range(9)}
        assert max(often.values()) < 60  # where 33 are expected
    # Once no test passes with the right ones that were run, the others tell nothing more.
    stopped = [_order(f"{seed}", failing={0, 1}) for seed in range(20)]
    assert all({0, 1} & {*one[-1:]} and not {0, 1} & {*one[:-1]} for one in stopped)
    once = [_order(f"{seed}", failing={1}) for seed in range(20)]
    assert all(one[-1] == 1 for one in once)


def test_every_program_is_disguised_in_each_run() -> None:
    suite = StudentSuite(commands=(("test",),), right=({"bank.py": BANK.encode(), "words.txt": b"a"},))
    programs = (suite.right[0], {"bank.py": WRONG["forgets.py"].encode()}, {"more.py": b"pass"})
    cases = [Case(id="a", payload=TestedProgram(suite=suite, files=files)) for files in programs]
    texts = [TestedProgram.of(run._disguise(case, f"seed {number}")) for number, case in enumerate(cases * 2)]
    files = [program.files for program in texts if program]
    assert len({one["bank.py"] for one in files}) == len(files) == 6
    assert all(re.search(rb"\n# [0-9a-f]{8,}\n$", one["bank.py"]) for one in files)
    assert {one["words.txt"] for one in files} == {b"a"}
    assert b"\n# " in files[2]["more.py"]
