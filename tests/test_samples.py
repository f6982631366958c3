"""Every sample submission gets exactly what its `expected.yaml` states, and the reference's answers are the truth.

Of the samples that show what no sample before them shows, CI runs the first of each assignment and each twelfth after
it. Of the cases in which one is stated to do the same, all right or all wrong in one way, a few are run: one in
`SHARE`, other ones for the next sample. What is stated of a part of a test takes the whole test, and the first sample
of an assignment runs all. `make soak` runs all of everybody, and on a busy machine a few of who could lose by that:
those who are right, and those who never end.
"""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache

import pytest
from msgspec.structs import replace

from grader.check.samples import Sample, Stated, read_samples, sample_differences
from grader.core.model.report import Job
from grader.core.model.spec import Case, Spec, Test
from grader.core.pipeline import Course, grade, prepare
from grader.core.reader.spec import load
from grader.core.text import points
from tests.support.busy import busy_machine
from tests.support.expected import ROOT
from tests.support.rows import from_data, read_data
from tests.support.sampled import in_sample
from tests.support.telling import telling

SPECS = {path.stem: path for path in sorted((ROOT / "specs").glob("*.yaml"))}
STATED = {name: read_samples(load(path)) for name, path in SPECS.items()}
SHARE = 10
EACH = 12
"""of so many samples of an assignment, CI runs one"""
DATA = read_data(__file__)
ENDLESS: Mapping[str, tuple[str, ...]] = from_data(DATA["ENDLESS"], Mapping[str, tuple[str, ...]])
"""who never end in these cases, or in any, however much time they have: a quarter of it shows the same"""


@cache
def course(spec_id: str) -> Course:
    return prepare(SPECS[spec_id])


def is_the_same_in_each_case(spec: Spec, test: Test, stated: Stated) -> bool:
    """Whether a statement about a test is one about any of its cases: full marks, or none for one reason alone.

    A repair is one of the build, and so of every case.
    """
    if stated.score is None or stated.score == points(test.points):
        return not stated.verdicts and {repair.name for repair in spec.repairs}.issuperset(stated.deviations)
    one_reason = len(stated.verdicts) == 1 and len(stated.deviations) <= 1 and "skipped" not in stated.verdicts
    return stated.score == "0" and one_reason and not test.all_or_nothing


def thinned(spec: Spec, sample: Sample, place: int) -> tuple[Spec, Sample]:
    """The spec with a part of the cases, and the statement less the points of the tests of which none is left."""
    told = {test.name: sample.stated_of(test.name) for test in spec.tests}
    why_skipped = {name for test in spec.tests if "skipped" in told[test.name].verdicts for name in test.needs}
    alike = {test.name for test in spec.tests if is_the_same_in_each_case(spec, test, told[test.name])} - why_skipped
    turn = {case.id for case in [case for test in spec.tests for case in test.cases][place % SHARE :: SHARE]}
    kept = {
        test.name: tuple(case for case in test.cases if test.in_order or test.name not in alike or case.id in turn)
        for test in spec.tests
    }
    score = Fraction(sample.score)
    for test in spec.tests:
        stated = told[test.name].score
        if not kept[test.name]:
            score -= test.points if stated is None else Fraction(stated)
    tests = tuple(replace(test, cases=kept[test.name]) for test in spec.tests if kept[test.name])
    return replace(spec, tests=tests), replace(sample, score=points(score))


def hurried(spec: Spec, names: tuple[str, ...]) -> Spec:
    """The spec with a quarter of the time in these cases; without names, in every case and for the build."""

    def with_less(case: Case) -> Case:
        if names and case.id not in names:
            return case
        return replace(case, limits={**case.limits, "time": case.limits.get("time", 10) / 4})

    tests = tuple(replace(test, cases=tuple(map(with_less, test.cases))) for test in spec.tests)
    build = spec.build if names else spec.build and replace(spec.build, limits={"time": 5})
    return replace(spec, tests=tests, build=build)


def describe_of(spec_id: str, sample: Sample, spec: Spec) -> tuple[str, ...]:
    job = Job(spec=SPECS[spec_id], submission=sample.submission)
    return sample_differences(grade(job, replace(course(spec_id), spec=spec)), sample)


SOME = {name: telling(samples, least=SHARE + 1) for name, samples in STATED.items()}
EVERYBODY = [
    pytest.param(spec_id, place, id=f"{spec_id}-{sample.submission.id}")
    for spec_id, samples in STATED.items()
    for place, sample in enumerate(samples)
]
RIGHT = {name: points(sum(test.points for test in load(path).tests)) for name, path in SPECS.items()}
LOSING_BY_LOAD = [
    pytest.param(spec_id, place, id=name)
    for spec_id, samples in STATED.items()
    for place, sample in enumerate(samples)
    if (name := f"{spec_id}-{sample.submission.id}") in ENDLESS or sample.score == RIGHT[spec_id]
]


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("spec_id", "place"),
    [
        pytest.param(
            spec_id,
            place,
            id=f"{spec_id}-{sample.submission.id}",
            marks=[] if in_sample(place, EACH) else [pytest.mark.soak],
        )
        for spec_id, samples in SOME.items()
        for place, sample in enumerate(samples)
    ],
)
def test_a_sample_gets_what_is_stated(spec_id: str, place: int) -> None:
    check_some_cases(spec_id, place, SOME[spec_id][place])


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("spec_id", "place"), LOSING_BY_LOAD)
def test_a_sample_gets_what_is_stated_under_load(spec_id: str, place: int) -> None:
    with busy_machine():
        check_some_cases(spec_id, place, STATED[spec_id][place])


def check_some_cases(spec_id: str, place: int, sample: Sample) -> None:
    spec = course(spec_id).spec
    name = f"{spec_id}-{sample.submission.id}"
    if name in ENDLESS:
        spec = hurried(spec, ENDLESS[name])
    if place:
        spec, sample = thinned(spec, sample, place)
    told = describe_of(spec_id, sample, spec)
    assert not told, "\n".join(told)


@pytest.mark.soak
@pytest.mark.timeout(300)
@pytest.mark.parametrize(("spec_id", "place"), EVERYBODY)
def test_a_sample_gets_what_is_stated_in_every_case(spec_id: str, place: int) -> None:
    sample = STATED[spec_id][place]
    told = describe_of(spec_id, sample, course(spec_id).spec)
    assert not told, "\n".join(told)


@pytest.mark.parametrize("spec_id", SPECS)
def test_every_case_is_run_by_several_samples(spec_id: str) -> None:
    spec = load(SPECS[spec_id])
    parts = [spec, *(thinned(spec, sample, place)[0] for place, sample in enumerate(SOME[spec_id]) if place)]
    run = Counter(case.id for part in parts for test in part.tests for case in test.cases)
    assert all(run[case.id] > 1 for test in spec.tests for case in test.cases)
    assert run.total() < len(parts) * sum(len(test.cases) for test in spec.tests)


@pytest.mark.parametrize("spec_id", SPECS)
def test_every_assignment_has_samples_and_one_of_them_is_right(spec_id: str) -> None:
    stated = STATED[spec_id]
    assert any(not sample.tests for sample in stated)
    assert any(sample.tests for sample in stated)
