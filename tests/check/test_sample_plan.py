"""Samples of which the same is stated share the runs, and what is left out is counted and told."""

import json
import time
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from grader.check import samples as statements
from grader.check.samples import Sample, Stated, expected_score, plan_samples, read_samples
from grader.check.verification import Verification, describe_verification, verify_spec
from grader.core.model.layout import Submission
from grader.core.model.spec import Spec
from grader.core.pipeline import prepare
from grader.core.reader.spec import load, read
from grader.core.text import points
from tests.support.courses import course, submission
from tests.support.expected import ROOT
from tests.support.rows import each_row, read_data

DATA = read_data(__file__)
SPEC = DATA["SPEC"]
ECHO = "import sys\nprint(sys.argv[1])\n"
SAMPLES = {
    "right1": f"{ECHO}# 1\n",
    "right2": f"{ECHO}# 2\n",
    "right3": f"{ECHO}# 3\n",
    "three1": ECHO.replace("print(", "print(sys.argv[1] == '3 3' and 'x' or "),
    "three2": ECHO.replace("print(", "print('y' if sys.argv[1] == '3 3' else "),
    "spaces": ECHO.replace("argv[1]", "argv[1].replace(' ', '  ')"),
}
STATED = DATA["STATED"]
EVERY = ("one", "two", "more")


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = course(tmp_path, SPEC, ECHO)
    for name, source in SAMPLES.items():
        submission(tmp_path / "sample_submissions", name, source)
    (tmp_path / "sample_submissions" / "echo" / "expected.yaml").write_text(STATED)
    return path


def verified(path: Path, **more: Any) -> tuple[Verification, int]:
    """What a verification finds, and how many cases it starts with samples."""
    begun: list[str] = []
    ready = replace(prepare(path), on_case_start=lambda case: begun.append(case.id))
    return verify_spec(path, ready, most=0, **more), len(begun)


@pytest.mark.slow
def test_what_is_stated_alike_is_run_once_and_the_rest_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statements, "MAX_CASE_RUNS", 41)
    short, few = verified(path)
    assert short.plan is not None
    # What `spaces` loses in `one` depends on `two`: the deviation is charged once.
    assert short.plan.tests == {"right1": EVERY, "three1": ("two",), "spaces": ("one", "two")}
    assert few == 7 + 4 + 6
    assert not any(one.differences for one in short.samples)
    summary = describe_verification(short)
    assert (
        "25 of 42 runs of cases with samples were not made: of 6 samples 3 were not graded, and 2 in some tests only, "
        "since the same is stated of others; --all grades them all."
    ) in "\n".join(summary.lines)
    assert "samples: 3 of 3 as expected, 2 of them in part (3 not graded)" in summary.summary
    told = json.loads(summary.json)
    assert told["complete"] is False
    shown = [(one["name"], one["score"], one["expected"], one.get("tests")) for one in told["samples"]]
    assert shown[1:] == [("three1", "3", "3", ["two"]), ("spaces", "6", "6", ["one", "two"])]
    assert told["not_run"] == {
        "mutants": short.untried.total(),
        "mutants_by_change": dict(short.untried),
        "case_runs": 25,
        "samples": ["right2", "right3", "three2"],
        "tests": {"three1": ["one", "more"], "spaces": ["more"]},
        "statements": [],
    }

    full, more = verified(path, everything=True)
    assert more == 42 - few  # the others are in the cache
    assert [one.sample.submission.id for one in full.samples] == list(SAMPLES)
    assert not any(one.differences for one in full.samples)
    assert [(one.mutant.name, one.outcome) for one in full.trials] == [
        (one.mutant.name, one.outcome) for one in short.trials
    ]
    assert json.loads(describe_verification(full).json)["not_run"]["samples"] == []


@pytest.mark.slow
def test_a_sample_in_some_tests_is_held_to_what_is_stated_of_these(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statements, "MAX_CASE_RUNS", 0)
    expected = path.parents[1] / "sample_submissions" / "echo" / "expected.yaml"
    expected.write_text(STATED.replace("{score: 9, tests: {two: {score: 3", "{score: 8, tests: {two: {score: 3"))
    found, _ = verified(path)
    (three,) = [one for one in found.samples if one.sample.submission.id == "three1"]
    assert three.differences == ("the score should be 2 in these tests, and is 3",)
    assert not found.is_right


def test_all_are_graded_in_all_tests_while_that_takes_few_runs(path: Path) -> None:
    plan = plan_samples(load(path), read_samples(load(path)))
    assert (plan.ungraded, plan.partial, plan.skipped_runs) == ((), (), 0)
    assert set(plan.tests.values()) == {EVERY}


def repairs_of(spec: Spec, sample: Sample) -> frozenset[str]:
    """The repairs of the build that are stated of a sample."""
    stated = {kind for what in sample.tests.values() for kind in what.deviations}
    return frozenset(stated.intersection(repair.name for repair in spec.repairs))


def without_repairs(spec: Spec, sample: Sample, test: str) -> Stated:
    """What is stated of a test, without what a repair of the build is called, and without full marks."""
    what, repairs = sample.stated_of(test), repairs_of(spec, sample)
    full = next(str(points(one.points)) for one in spec.tests if one.name == test)
    own = tuple(kind for kind in what.deviations if kind not in repairs)
    return replace(what, score=None if what.score == full else what.score, deviations=own)


@pytest.mark.parametrize("file", sorted((ROOT / "specs").glob("*.yaml")), ids=lambda file: file.stem)
def test_each_statement_about_a_test_is_shown_by_a_sample(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statements, "MAX_CASE_RUNS", 0)
    spec = load(file)
    stated = read_samples(spec)
    plan = plan_samples(spec, stated)
    assert plan == plan_samples(spec, stated)
    shown = {
        (name, without_repairs(spec, sample, name))
        for sample in stated
        for name in plan.tests.get(sample.submission.id, ())
    }
    assert {(test.name, without_repairs(spec, sample, test.name)) for sample in stated for test in spec.tests} <= shown
    assert {repairs_of(spec, sample) for sample in stated} == {
        repairs_of(spec, sample) for sample in stated if sample.submission.id in plan.tests
    }
    assert 2 * plan.skipped_runs > plan.all_runs
    follows = {test.name: set(test.follows) for test in spec.tests}
    assert all(follows[name] <= set(some) for some in plan.tests.values() for name in some)
    for sample in stated:
        some = plan.tests.get(sample.submission.id, ())
        # What a repair of the build costs is taken from the sum of any tests.
        assert expected_score(spec, sample, some) <= sum(test.points for test in spec.tests if test.name in some)


@each_row
def test_a_repair_is_tried_in_one_test_that_is_worth_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, costs: str, stated: dict[str, dict[str, Any]], shown: list[str]
) -> None:
    monkeypatch.setattr(statements, "MAX_CASE_RUNS", 0)
    repair = f"repairs: [{{name: by-hand, about: Built., when: build-failed, run: ls, {costs}}}]\n"
    text = f"{SPEC.replace('tests:', 'build: {run: ls}', 1).partition('build:')[0]}build: {{run: ls}}\n{repair}"
    spec = read(f"{text}tests:{SPEC.partition('tests:')[2]}".encode(), "echo.yaml", tmp_path)
    tests = {name: Stated(**{**what, "deviations": ("by-hand",)}) for name, what in stated.items()}
    right = Sample(submission=Submission(id="right", path=tmp_path), score="10")
    samples = [right, Sample(submission=Submission(id="repaired", path=tmp_path), score="7", tests=tests)]
    assert plan_samples(spec, samples).tests == {"right": EVERY, "repaired": tuple(shown)}


def test_many_samples_of_many_tests_are_planned_in_seconds(tmp_path: Path) -> None:
    tests = "".join(f"  - {{name: t{n}, points: 1, args: ['{n}'], expect: {{stdout: '{n}'}}}}\n" for n in range(150))
    spec = read(f"{SPEC.partition('tests:')[0]}tests:\n{tests}".encode(), "echo.yaml", tmp_path)
    wrong = {f"t{n}": Stated(score="0", verdicts=("failed",)) for n in range(0, 150, 2)}
    samples = [Sample(submission=Submission(id=f"s{n}", path=tmp_path), score="75", tests=wrong) for n in range(100)]
    before = time.process_time()
    assert len(plan_samples(spec, samples).tests) == 1
    assert time.process_time() - before < 3
