"""Tests of students with the programs of a course: what counts, what is said, and suites that only look right."""

import re
from collections import Counter
from collections.abc import Collection, Generator, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from grader.check.runner import asking, examine
from grader.core.model.execution import Execution, Launch
from grader.core.model.spec import Case
from grader.core.pipeline import Course, prepare
from grader.kinds.student_tests import run
from grader.kinds.student_tests.model import StudentSuite, SuiteFacts, TestedProgram
from grader.kinds.student_tests.run import _with_unsteady
from tests.support.packages import lay
from tests.support.rows import read_data

DATA = read_data(__file__)
BANK = DATA["BANK"]
OTHER_BANK = BANK.replace("if amount < 0 or amount > self.balance:", "if not self.balance >= amount >= 0:")
WRONG = {
    "forgets.py": BANK.replace("+=", "="),
    "negative.py": BANK.replace("amount < 0 or ", ""),
    "overdrawn/bank.py": BANK.replace(" or amount > self.balance", ""),
}


def _course(folder: Path, run: str, more: str = "", files: Mapping[str, str] = {}) -> Course:
    written = {"reference/bank.py": BANK, "reference/other/bank.py": OTHER_BANK, **files}
    lay(folder, {**written, **{f"wrong/{name}": text for name, text in WRONG.items()}})
    (folder / "specs").mkdir()
    (folder / "specs/bank.yaml").write_text(DATA["SPEC"].replace("RUN", run) + more)
    return prepare(folder / "specs/bank.yaml")


def test_a_test_that_failed_only_later_is_named(tmp_path: Path) -> None:
    (tmp_path / "test_bank.py").write_text("def test_one(): pass\ndef test_two(): pass\n")
    facts = SuiteFacts(false_alarms=("test_two",))
    assert _with_unsteady(facts, frozenset({"t.test_one"}), tmp_path).false_alarms == ("test_two", "test_one")
    assert _with_unsteady(SuiteFacts(), frozenset({"t.made"}), tmp_path).unnamed_alarms == 1
    assert _with_unsteady(SuiteFacts(unnamed_alarms=1), frozenset("ab"), tmp_path).unnamed_alarms == 3
    assert "so they do not count" in _with_unsteady(SuiteFacts(), frozenset({""}), tmp_path).problem
    assert "3 of your tests pass and fail by chance" in _with_unsteady(facts, frozenset("abc"), tmp_path).problem
    assert _with_unsteady(facts, frozenset(), tmp_path) == facts


def test_lint_tries_the_programs_by_the_other_tests(tmp_path: Path) -> None:
    more = """\
  - name: program
    unit: {unittest: tests/test_it.py}
"""
    own = DATA["GOOD"].replace("class T(", "class TestIt(")
    _course(tmp_path, "unittest: test_bank.py", more, {"tests/test_it.py": own})
    found = examine(tmp_path / "specs/bank.yaml", asking("auto", 1)).remarks
    told = [one.message for one in found if one.rule == "wrong-program"]
    assert len(told) == 1
    assert told[0].startswith("`negative` gets all points by the other tests, so nothing shows that it is wrong: ")


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
