"""The inverted run of a method: what is in it, when it comes, and what two results come to."""

from collections import Counter
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from grader.core.errors import GraderError, HostError
from grader.core.model.execution import Execution, Launch
from grader.core.model.report import CaseResult, Verdict
from grader.core.model.spec import Case, Spec
from grader.core.pipeline import Inverted
from grader.core.reader.spec import load
from grader.kinds.unit_tests.audit import MAX_INVERTED_TOGETHER, doubt, inherited_methods, invert
from grader.kinds.unit_tests.model import UnitRun
from grader.kinds.unit_tests.probe import methods_of, with_unit_request
from grader.kinds.unit_tests.probe import test_file_of as file_of
from tests.support.courses import course
from tests.support.payloads import unit_in
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
TWICE = DATA["TWICE"]
MANY = "import unittest\nclass T(unittest.TestCase):\n" + "".join(
    f"    def test_{n:02}(self): self.assertEqual(f(), {n}00000)\n" for n in range(1, 13)
)
PASSED = CaseResult(id="seen[test_seen]", verdict=Verdict.PASSED, credit=Fraction(1), command="")
FAILED = replace(PASSED, verdict=Verdict.FAILED, credit=Fraction(0))


@pytest.fixture
def spec(tmp_path: Path) -> Spec:
    path = course(tmp_path, DATA["SPEC"])
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/test_twice.py").write_text(TWICE)
    (tmp_path / "tests/many.py").write_text(MANY)
    return load(path)


def inverted(spec: Spec, case: Case, seed: str = "") -> tuple[Launch, Inverted]:
    only_spec: Any = SimpleNamespace(spec=spec, run=repr)
    secret = f"{seed:5>32}"
    launch = with_unit_request(Launch(argv=("x",), stdin=b"given"), unit_in(case), spec, {}, secret)
    (found,) = invert([(case, launch)], only_spec)
    assert found
    return launch, found


def test_it_differs_in_the_value_alone_and_hidden_methods_are_not_in_it(spec: Spec) -> None:
    case = spec.tests[0].cases[0]
    launch, found = inverted(spec, case)
    name = file_of(unit_in(case))
    text, plain = found.launch.files[name].decode(), TWICE.partition("def test_secret")[0]
    assert text.startswith(plain.partition("8000")[0])
    assert "8000" not in text
    assert "142" not in text
    assert found.place == "test_twice.py:5"
    assert replace(found.launch, stdin=b"", collect=(), files={}) == replace(launch, stdin=b"", collect=(), files={})
    assert found.launch.stdin != launch.stdin
    assert found.launch.stdin[-5:] == launch.stdin[-5:] == b"given"
    assert len(found.launch.stdin) == len(launch.stdin)
    assert found.launch.collect != launch.collect
    assert methods_of(found.launch) == methods_of(launch)


def test_whether_it_comes_first_is_drawn_for_each(spec: Spec) -> None:
    case = spec.tests[0].cases[0]
    turns = Counter(inverted(spec, case, f"{seed}")[1].turn for seed in range(200))
    assert turns.keys() == {-1, 1}
    assert 60 < turns[-1] < 140
    again = [inverted(spec, case, "a")[1] for _ in range(2)]
    assert again[0] == again[1]


def test_of_methods_of_one_process_some_are_inverted_around_the_run_that_counts(spec: Spec) -> None:
    """The run that counts has each place among the others as often: so two runs that look alike are alike."""
    cases, only_spec = spec.tests[2].cases, SimpleNamespace(spec=spec, run=repr)
    names = [unit_in(case).method for case in cases]
    before, chosen, first = Counter[int](), Counter[str](), Counter[str]()
    for seed in range(300):
        launch = with_unit_request(
            Launch(argv=("x",), stdin=b""), unit_in(cases[0]), spec, {}, f"{seed}", methods=names
        )
        found = invert([(case, launch) for case in cases], only_spec)  # type: ignore[arg-type]
        made = {name: one for name, one in zip(names, found, strict=True) if one}
        turns = sorted(one.turn for one in made.values())
        early = [turn for turn in turns if turn < 0]
        assert len(made) == MAX_INVERTED_TOGETHER
        assert turns == [*range(-len(early), 0), *range(1, len(turns) - len(early) + 1)]
        before[len(early)] += 1
        chosen.update([*made])
        first.update([min(made, key=lambda name: made[name].turn)])
        for name, one in made.items():
            (text,) = (text for path, text in one.launch.files.items() if path.endswith("many.py"))
            missing = [other for other in names if f", {int(other[-2:])}00000)".encode() not in text]
            assert missing == [name]
            assert methods_of(one.launch) == names
    assert before.keys() == {*range(MAX_INVERTED_TOGETHER + 1)}
    assert max(before.values()) < 60  # of 300, where 33 are expected
    assert chosen.keys() == first.keys() == {*names}
    assert min(chosen.values()) > 150


def of(passed: tuple[int, ...], verdict: Verdict = Verdict.PARTIAL, share: str = "") -> CaseResult:
    return replace(FAILED, verdict=verdict, whole=Execution(facts=UnitRun(values=4, passed=passed, share=share)))


def doubted(spec: Spec, first: CaseResult, again: CaseResult, share: str = "") -> str:
    _, found = inverted(spec, spec.tests[0].cases[0])
    return doubt(replace(found, share=share), first, again, lambda: HostError("none"))


def test_what_passes_both_ways_is_not_believed(spec: Spec) -> None:
    assert "test_twice.py:5 inverted" in doubted(spec, PASSED, PASSED)
    assert doubted(spec, PASSED, FAILED) == ""
    assert doubted(spec, FAILED, PASSED) == ""


@each_row
def test_a_share_is_that_which_the_inverted_test_sets(spec: Spec, first: str, again: str, *, is_forged: bool) -> None:
    found = doubted(spec, of((), Verdict.PARTIAL, first), of((), Verdict.FAILED, again), "0.25")
    assert bool(found) == is_forged
    assert doubted(spec, of((), Verdict.PARTIAL, first), of((), Verdict.PARTIAL, again)) == ""


@each_row
def test_each_value_that_passed_has_to_fail(
    spec: Spec, turned: tuple[int, ...], reference: tuple[int, ...] | None, *, is_forged: bool
) -> None:
    case = replace(spec.tests[0].cases[0], payload=replace(unit_in(spec.tests[0].cases[0]), by_value=True))
    _, found = inverted(spec, case)
    assert b"8000" not in unit_in(found.case).source  # what the reference is asked
    asked = list[Case]()

    def ask() -> Execution | GraderError:
        asked.append(found.case)
        return HostError("none") if reference is None else Execution(facts=UnitRun(values=4, passed=reference))

    try:
        reason = doubt(found, of((0, 1, 2)), of(turned), ask)
    except HostError:
        assert reference is None
        return
    assert bool(reason) == is_forged
    assert len(asked) == bool({0, 1, 2} & set(turned))


SHELVES = DATA["SHELVES"].encode()


def test_methods_that_several_classes_inherit_are_known(spec: Spec) -> None:
    unit = replace(unit_in(spec.tests[0].cases[0]), framework="unittest", source=SHELVES)
    assert inherited_methods(unit, ["TestA.test_own", "TestB.test_elsewhere", "TestA.test_both"]) is None
    both = ["TestA.test_both", "TestB.test_both"]
    assert inherited_methods(unit, ["TestA.test_own", *both]) == (*both,)
