"""The further runs of a method that passed: how many there are, what is in them, and what they come to."""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from grader.core.errors import GraderError, GradingStoppedError, HostError
from grader.core.model import Case, CaseResult, Execution, Launch, Spec, Verdict
from grader.core.reader import load
from grader.kinds.base import PassedRun, Rechecking
from grader.kinds.unit_tests.model import UnitRun
from grader.kinds.unit_tests.probe import methods_of, with_unit_request
from grader.kinds.unit_tests.probe import test_file_of as file_of
from grader.kinds.unit_tests.recheck import _join_launches, _shown_by, chooser, recheck
from tests.support.courses import course
from tests.support.payloads import unit_in

SPEC = """
spec: 1
id: echo
title: Twice
language: python
files: {required: [echo.py]}
program: python3 echo.py
tests:
  - name: seen
    points: 1
    unit: {pytest: tests/test_twice.py, only: [test_seen]}
  - name: secret
    points: 1
    unit: {pytest: tests/test_twice.py, only: [test_secret]}
    visibility: hidden
"""
TWICE = """
from echo import twice

def test_seen():
    assert twice(4) == 8

def test_secret():
    assert twice(71) == 142
"""
PASSED = CaseResult(id="seen[test_seen]", verdict=Verdict.PASSED, credit=Fraction(1), command="")
FAILED = CaseResult(id="seen[test_seen]", verdict=Verdict.FAILED, credit=Fraction(0), command="")


@pytest.fixture
def seen(tmp_path: Path) -> tuple[Spec, Case, Launch]:
    path = course(tmp_path, SPEC)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/test_twice.py").write_text(TWICE)
    spec = load(path)
    case = spec.tests[0].cases[0]
    return spec, case, with_unit_request(Launch(argv=("x",), stdin=b"given"), unit_in(case), spec, {}, "secret")


def asked(seen: tuple[Spec, Case, Launch], answers: list[bool | BaseException]) -> tuple[str, list[Launch]]:
    """Return what comes of further runs with these results, and the runs."""
    spec, case, launch = seen
    launches: list[Launch] = []
    left: Iterator[bool | BaseException] = iter(answers)

    def run_again(again: Launch) -> CaseResult:
        launches.append(again)
        found = next(left)
        if isinstance(found, BaseException):
            raise found
        return PASSED if found else FAILED

    only_spec: Any = SimpleNamespace(spec=spec)
    further = Rechecking(run_again=run_again, ask=lambda case: HostError(case.id))
    return recheck(case, launch, PASSED, only_spec, further), launches


@pytest.mark.parametrize(
    ("answers", "runs", "is_forged"),
    [
        ([False], 1, False),
        ([True, False], 2, False),  # it answers at random
        ([True, True, False], 3, False),
        ([True, True, True, True, True], 5, True),
        ([True, HostError("no time")], 2, True),  # which a liar can use up
    ],
)
def test_a_lie_is_one_in_every_run(
    seen: tuple[Spec, Case, Launch], answers: list[bool | BaseException], runs: int, *, is_forged: bool
) -> None:
    reason, launches = asked(seen, answers)
    assert (bool(reason), len(launches)) == (is_forged, runs)
    assert not reason or "test_twice.py:5" in reason


@pytest.mark.parametrize(
    ("before", "error"), [([], HostError("no room")), ([], GradingStoppedError()), ([True], GradingStoppedError())]
)
def test_no_run_is_no_answer(seen: tuple[Spec, Case, Launch], before: list[bool], error: BaseException) -> None:
    with pytest.raises(type(error)):
        asked(seen, [*before, error])


def test_hidden_methods_are_in_no_run(seen: tuple[Spec, Case, Launch]) -> None:
    _, launches = asked(seen, [True] * 5)
    name = file_of(unit_in(seen[1]))
    assert [launch.files.get(name, b"").count(b"== 9") for launch in launches] == [1, 0, 1, 0, 1]
    assert not [launch for launch in launches if b"142" in b"".join(launch.files.values())]


def test_each_run_has_a_secret_of_its_own_and_the_same_input(seen: tuple[Spec, Case, Launch]) -> None:
    _, launches = asked(seen, [True] * 5)
    requests = [launch.stdin for launch in (seen[2], *launches)]
    assert len(set(requests)) == len({launch.collect for launch in launches}) + 1 == len(requests)
    assert {request[-5:] for request in requests} == {b"given"}


def test_what_is_chosen_depends_on_the_secret() -> None:
    first, again, other = chooser(b"a"), chooser(b"a"), chooser(b"b")
    numbers = [first(1000) for _ in range(8)]
    assert numbers == [again(1000) for _ in range(8)] != [other(1000) for _ in range(8)]
    assert len(set(numbers)) > 4


def by_value(passed: tuple[int, ...], verdict: Verdict = Verdict.PARTIAL) -> CaseResult:
    return replace(FAILED, verdict=verdict, execution=Execution(facts=UnitRun(values=4, passed=passed)))


@pytest.mark.parametrize(
    ("turned", "reference", "is_forged"),
    [
        ((), (), False),
        ((3,), (), False),  # it did not pass as it was
        ((2,), (), True),
        ((1, 2), (1,), True),
        ((1, 2), (1, 2), False),  # no assertion of these is turned
        ((2,), None, False),  # nobody knows what the reference does
    ],
)
def test_each_value_that_passed_has_to_fail(
    seen: tuple[Spec, Case, Launch], turned: tuple[int, ...], reference: tuple[int, ...] | None, *, is_forged: bool
) -> None:
    spec, case, launch = seen
    asked: list[bytes] = []

    def ask(other: Case) -> Execution | GraderError:
        asked.append(unit_in(other).source)
        return HostError("none") if reference is None else Execution(facts=UnitRun(values=4, passed=reference))

    def run_again(again: Launch) -> CaseResult:
        return by_value(turned if b"== 9" in again.files.get(file_of(unit_in(case)), b"") else (0, 1, 2))

    own = replace(case, payload=replace(unit_in(case), by_value=True))
    only_spec: Any = SimpleNamespace(spec=spec)
    try:
        reason = recheck(own, launch, by_value((0, 1, 2)), only_spec, Rechecking(run_again=run_again, ask=ask))
    except HostError:
        assert reference is None
        return
    assert bool(reason) == is_forged
    assert len(asked) == bool({0, 1, 2} & set(turned))
    assert all(b"== 9" in source for source in asked)


def test_what_is_shown_of_a_method_in_mixed_runs() -> None:
    rows: list[tuple[list[frozenset[int] | None], list[frozenset[int] | None], frozenset[int] | None]] = [
        ([frozenset({0, 2})], [frozenset(), frozenset({1})], frozenset({0, 2})),
        ([frozenset({0, 2}), frozenset({0})], [frozenset()], None),
        ([frozenset({0, 2})], [frozenset({2})], None),
        ([None], [frozenset()], None),
        ([frozenset({0})], [None], None),
    ]
    for passed, turned, shown in rows:
        assert _shown_by(passed, turned) == shown


SHELVES = b"""
import unittest
class Both:
    def test_both(self): self.assertTrue(self.shelf)
class TestA(Both, unittest.TestCase):
    shelf = [1]
    def test_short(self): self.assertEqual(1, 1)
    def test_other(self): self.assertEqual(2, 2)
    def test_long(self): self.assertEqual(3, 3)
class TestB(Both, unittest.TestCase):
    shelf = [2]
    def test_elsewhere(self): self.assertEqual(4, 4)
"""


def test_which_methods_are_run_again_in_one_process(seen: tuple[Spec, Case, Launch]) -> None:
    """Those that took little, of runs that differ in nothing else, and of which none shows how another is turned."""
    spec, case, _ = seen
    unit = replace(unit_in(case), framework="unittest", source=SHELVES)
    rows = {"TestA.test_short": (3, 90, 88), "TestA.test_other": (3, 3, 0), "TestA.test_long": (3, 90, 0)}
    rows |= {f"{name}.test_both": (3, 3, 0) for name in ("TestA", "TestB")}
    runs = list[PassedRun]()
    for method, (cpu, time, waited) in [
        *rows.items(),
        ("TestA.test_short", (3, 3, 0)),
        ("TestB.test_elsewhere", (3, 3, 0)),
    ]:
        own = replace(unit, method=method)
        given = Launch(argv=("x",), stdin=b"another" if "else" in method else b"given")
        launch = with_unit_request(given, own, spec, {})
        execution = Execution(facts=UnitRun(cpu=cpu, time=time, waited=waited))
        runs.append(PassedRun(case=replace(case, payload=own), launch=launch, execution=execution))
    joined = _join_launches(runs)
    both = ["TestA.test_short", "TestA.test_other"]
    assert {
        (runs[place].launch.stdin, *methods_of(joined[unit_in(runs[place].case).method, runs[place].launch.stdin]))
        for place in (0, 1, 5)
    } == {(runs[place].launch.stdin, *both) for place in (0, 1, 5)}
    assert [methods_of(one) for (method, _), one in joined.items() if method not in both] == [["TestB.test_elsewhere"]]
