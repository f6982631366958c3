"""What each sample submission must get: `expected.yaml`, and its comparison with a report.

The samples of an assignment lie in `sample_submissions/<spec-id>/`, a folder each; `expected.yaml` there states
their scores. A test that it does not name must have full marks, and no deviation, even of those that cost nothing.
Where only a score is stated, and it is below full marks, only the score is compared. `score: partial` is any score
between nothing and full marks.

Samples of which the same is stated share the runs. A small set of samples is graded whole. Otherwise a test runs with
one sample for each statement about it, and the first right sample is graded whole, since it shows what is right and
what it takes. The choice is the same each time.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from grader.core import oracle
from grader.core.errors import HostError, UsageError
from grader.core.kind import kind_of
from grader.core.model.layout import Submission
from grader.core.model.report import Report, ReportedTest, Verdict
from grader.core.model.spec import Spec
from grader.core.reader.files import read_top, unless_wrong
from grader.core.run.start import or_failure
from grader.core.text import listed, one_line, points
from grader.core.yaml.types import key, keys_of, read_found
from grader.core.yaml.value import Keys, Value, each_of, entries, fields, keyword, text, unwanted, wrong

_MAX_COMPARED_BYTES, _MAX_MESSAGES = 2**20, 5
# Points: stated scores are rounded, each of them, and a part of the tests is reckoned from several.
_ROUNDING = Fraction(5, 100)
PARTIAL = "partial"  # in place of a score: more than nothing and less than full marks


class Stated(Struct, frozen=True, kw_only=True):
    """What a test must get; what is None is that of full marks."""

    score: str | None = None
    verdicts: tuple[str, ...] = ()  # seen in the test's cases, without `passed`
    deviations: tuple[str, ...] = ()
    score_alone: bool = False  # whether only the score is compared


class Sample(Struct, frozen=True, kw_only=True):
    """A sample submission with what it must get."""

    submission: Submission
    score: str  # as it is shown
    about: str = ""
    tests: Mapping[str, Stated] = {}  # by name; of the others all is right
    score_alone: bool = False  # whether nothing is stated of the tests

    def is_right(self, spec: Spec) -> bool:
        """Whether it must have full marks, and no deviation."""
        is_other = any(stated != Stated(score_alone=True) for stated in self.tests.values())
        return self.score == points(spec.max_score) and not is_other

    def stated_of(self, test: str) -> Stated:
        """Return what the test with this name must get."""
        return self.tests.get(test, Stated())

    @property
    def may_hang(self) -> bool:
        """Whether it may run out of time somewhere, by what is stated: in a case, or while it is built."""
        return any({Verdict.TIMEOUT, Verdict.BUILD_FAILED}.intersection(test.verdicts) for test in self.tests.values())


def read_samples(spec: Spec) -> tuple[Sample, ...]:
    """Read what the samples of an assignment must get; none when there is no folder of samples.

    Raises UsageError when nothing is stated, and SpecError for all mistakes in what is.
    """
    where = spec.root / "sample_submissions" / spec.id
    path = where / "expected.yaml"
    found = where.iterdir() if where.is_dir() else ()
    names = {entry.name for entry in found if entry.name != path.name and not entry.name.startswith(".")}
    if not names:
        return ()
    example = f"{{score: {points(spec.max_score)}}}"
    if not path.exists():
        problem = f"it says what each sample must get: {listed([one_line(name) for name in sorted(names)], most=3)}"
        line = f"Write a line for each, such as `{one_line(min(names))}: {example}`"
        raise UsageError(f"there is no {path}; {problem}. {line}")
    stated = entries(top := read_top(path))
    for name in sorted(names - stated.keys()):
        problem = f"the sample {one_line(name)} is not stated; say what it must get"
        wrong(top, f"{problem}, such as `{one_line(name)}: {example}`")
    for name in stated.keys() - names:
        wrong(stated[name][0], f"there is no such sample in {where}")
    samples = [_read_sample(spec, Submission(id=name, path=where / name), stated[name][1]) for name in stated]
    return unless_wrong(top, tuple(samples))


def _read_score(value: Value) -> str:
    if re.fullmatch(r"\d+(?:\.\d+)?", written := text(value)):
        return points(Fraction(written))
    if written != PARTIAL:
        unwanted(value, f"a number of points, or {PARTIAL}")
    return PARTIAL


def _read_names(value: Value) -> tuple[str, ...]:
    return tuple(sorted(each_of(text)(value)))


_OF_TEST: Keys = keys_of(
    key("score", "points", "What is given: a number, or `partial`.", read=_read_score),
    key("verdicts", "names", "What comes of the cases that are not right.", read=_read_names),
    key("deviations", "names", "The deviations that are named.", read=_read_names),
)
_OF_SAMPLE: Keys = {
    **_OF_TEST,
    "score": replace(_OF_TEST["score"], required=True),
    **key("about", "text", "What it does.", read=text, default=""),
    **key("tests", "a mapping", "What tests must get that are not right, by name; or `all`."),
}


def _read_sample(spec: Spec, submission: Submission, value: Value) -> Sample:
    keys = fields(value, _OF_SAMPLE)
    said = read_found(keys, [name for name in keys.known if name != "tests"])
    score, about = said.pop("score"), said.pop("about")
    if "tests" in keys and keyword(keys["tests"]) == "all":  # nothing when the score is 0, else full marks
        stated = {test.name: Stated(score="0" if score == "0" else None, **said) for test in spec.tests}
    else:
        tests = {name: known for test in spec.tests for name, known in key(test.name).items()}
        given = fields(keys["tests"], tests) if "tests" in keys else {}
        stated = {name: Stated(**read_found(fields(entry, _OF_TEST))) for name, entry in given.items()}
        for name in said:
            wrong(keys[name], f"{name} belong to a test, or to `tests: all`")
    # Programs of the course give full marks also with cases that are not right; beside them, some are worth nothing.
    has_scoring = any(test.scoring for test in spec.tests)
    for test in (test for test in spec.tests if test.scoring or (has_scoring and not test.points)):
        expected = stated.get(test.name, Stated())
        stated[test.name] = replace(expected, score_alone=not (expected.verdicts or expected.deviations))
    score_alone = keys.keys() <= {"score", "about"} and score != points(spec.max_score)
    return Sample(submission=submission, score=score, about=about, tests=stated, score_alone=score_alone)


# ---------------------------------------------------------------- a report


def sample_differences(report: Report, sample: Sample, partial_score: Fraction | None = None) -> tuple[str, ...]:
    """Return all in which a report is not what is stated, a line each; nothing when it is.

    A report of some tests only has to have the `partial_score`.
    """
    score, got = report.score, _shown_score(report.score)
    if partial_score is not None:
        wanted = f"{points(partial_score)} in these tests"
        is_right = score is not None and abs(Fraction(score) - partial_score) < _ROUNDING
    elif sample.score == PARTIAL:
        wanted = "more than 0 and less than full marks"
        is_right = score is not None and 0 < score < report.max_score
    else:
        wanted, is_right = sample.score, got == sample.score
    differences = [] if is_right else [f"the score should be {wanted}, and is {got}"]
    for result in () if sample.score_alone else report.tests:
        differences += _test_differences(result, sample.stated_of(result.name))
    return tuple(differences)


def _test_differences(result: ReportedTest, stated: Stated) -> list[str]:
    verdicts = {str(case.verdict) for case in result.cases} - {Verdict.PASSED}
    deviations = {deviation.kind for case in result.cases for deviation in case.deviations}
    score = points(result.points) if stated.score is None else stated.score
    found = [("score should be", "is", score, _shown_score(result.score))]
    if not stated.score_alone:
        found += [
            ("verdicts should be", "are", ", ".join(stated.verdicts), ", ".join(sorted(verdicts))),
            ("deviations should be", "are", ", ".join(stated.deviations), ", ".join(sorted(deviations))),
        ]
    differences = [
        f"{result.name}: the {what} {want or 'none'}, and {verb} {have or 'none'}"
        for what, verb, want, have in found
        if want != have
    ]
    # What was found in the cases: that is what the statement is not about.
    failed = [f"  {case.id}: {case.verdict}: {one_line(case.message)}" for case in result.cases if case.message]
    more = [f"  and {len(failed) - _MAX_MESSAGES} more"] if len(failed) > _MAX_MESSAGES else []
    return [*differences, *failed[:_MAX_MESSAGES], *more] if differences else []


def _shown_score(score: float | None) -> str:
    return "none" if score is None else points(score)


# ---------------------------------------------------------------- which of them are not the reference itself


def find_copies(spec: Spec, stated: Sequence[Sample]) -> tuple[Sequence[str], int]:
    """Return the names of the right samples that are the reference itself, and how many others are right.

    Of what other programs get, a copy proves nothing.
    """
    right = [sample for sample in stated if sample.is_right(spec)]
    own = frozenset(_normalised(content) for content in files_of_reference(spec).values() if content.strip())
    copies = [sample.submission.id for sample in right if own and _is_made_of(sample.submission.path, own)]
    return copies, len(right) - len(copies)


def files_of_reference(spec: Spec) -> Mapping[str, bytes]:
    """Return the files of all references; none where one is missing, of which another rule tells."""
    files = or_failure(oracle.answers.reference_files, spec) if spec.has_references else {}
    return {} if isinstance(files, HostError) else files


def _is_made_of(path: Path, contents: frozenset[bytes]) -> bool:
    """Whether every file of a sample, which is a folder or a file, is one of the reference, whatever its name."""
    files = [file for file in sorted(path.rglob("*")) if file.is_file()] if path.is_dir() else [path]
    if not files or any(file.is_symlink() or file.stat().st_size > _MAX_COMPARED_BYTES for file in files):
        return False
    return all(_normalised(file.read_bytes()) in contents for file in files)


def _normalised(content: bytes) -> bytes:
    """Return a text without what editors change by themselves: line ends, and spaces at the ends."""
    return b"\n".join(line.rstrip() for line in content.strip().splitlines())


# ---------------------------------------------------------------- which of them are graded, and in which tests

MAX_CASE_RUNS = 300  # all samples are graded in all cases as long as that takes no more runs

_Statement = tuple[str, Stated | str]
"""the name of a test, and what is stated of it or the only sample for it; or no name, and the repairs or the score"""


class SamplePlan(Struct, frozen=True, kw_only=True):
    """The tests that each sample is graded in."""

    samples: Mapping[str, Sample] = {}  # those that are graded, in this order
    tests: Mapping[str, tuple[str, ...]]
    """the name of a sample -> names of tests in the spec's order; without the samples that are not graded"""
    ungraded: tuple[str, ...] = ()  # the samples that are not graded at all
    partial: tuple[str, ...] = ()  # the samples that are graded in some tests only
    skipped_runs: int = 0  # runs of cases that are left out
    all_runs: int = 0


def plan_samples(spec: Spec, stated: Sequence[Sample], *, everything: bool = False) -> SamplePlan:
    """Choose what is graded, `everything` or the least that shows each statement."""
    cases = {test.name: len(test.cases) for test in spec.tests}
    all_runs = len(stated) * sum(cases.values())
    is_whole = everything or all_runs <= MAX_CASE_RUNS
    chosen = {sample.submission.id: {*cases} for sample in stated} if is_whole else _choose(spec, stated, cases)
    tests = {name: tuple(test for test in cases if test in picked) for name, picked in chosen.items() if picked}
    ranked = sorted(stated, key=partial(_rank, spec))
    return SamplePlan(
        samples={name: sample for sample in ranked if (name := sample.submission.id) in tests},
        tests=tests,
        ungraded=tuple(name for name in chosen if name not in tests),
        partial=tuple(name for name, picked in tests.items() if len(picked) < len(cases)),
        skipped_runs=all_runs - sum(cases[test] for picked in tests.values() for test in picked),
        all_runs=all_runs,
    )


def plan_right(spec: Spec, stated: Sequence[Sample], tests: Sequence[str]) -> SamplePlan:
    """Choose the first right sample, in these tests alone, if there are any."""
    first = dict([(it.submission.id, it) for it in stated if tests and it.is_right(spec)][:1])
    return SamplePlan(samples=first, tests=dict.fromkeys(first, tuple(tests)), partial=tuple(first))


def _rank(spec: Spec, sample: Sample) -> tuple[bool, float, int]:
    """Return the rank of a sample: what runs out of time is first, then what waits longest in vain."""
    failing = [case for test in spec.tests if test.name in sample.tests for case in test.cases]
    longest = max((float(case.limits.get("time", 0)) for case in failing), default=0)
    return not sample.may_hang, -longest, len(sample.tests)


def expected_score(spec: Spec, sample: Sample, tests: Sequence[str]) -> Fraction:
    """Return the score of a sample in some of the tests, by what is stated of it and of the others."""
    scores = [(test, sample.stated_of(test.name).score) for test in spec.tests if test.name not in tests]
    rest = sum((test.points if score is None else Fraction(score) for test, score in scores), Fraction(0))
    return max(Fraction(0), Fraction(sample.score) - rest)


def _choose(spec: Spec, stated: Sequence[Sample], cases: Mapping[str, int]) -> Mapping[str, set[str]]:
    """Return the tests of each sample: for each statement those of the sample that shows it with the fewest runs."""
    chosen: dict[str, set[str]] = {sample.submission.id: set() for sample in stated}
    holders: dict[_Statement, dict[str, set[str]]] = {}
    for sample in stated:
        for statement, tests in _statements(spec, sample):
            holders.setdefault(statement, {})[sample.submission.id] = tests
    full = [sample for sample in stated if sample.score == points(spec.max_score)]
    if whole := next((sample for sample in full if sample.is_right(spec)), next(iter(full), None)):
        chosen[whole.submission.id] |= cases.keys()
    # What one sample alone shows comes first: it is graded anyway, and shows some of what others show, too.
    for showing in sorted(holders.values(), key=len):
        further = {name: sum(cases[test] for test in tests - chosen[name]) for name, tests in showing.items()}
        best = min(further, key=lambda name: (further[name], -len(chosen[name])))
        chosen[best] |= showing[best]
    return chosen


def _statements(spec: Spec, sample: Sample) -> Iterator[tuple[_Statement, set[str]]]:
    """Yield what is stated of a sample, with the tests that show it.

    A repair of the build that costs points of the whole is one statement, not one about each test. The test that shows
    it is worth more than the repair costs.
    """
    follows = {test.name: test.follows for test in spec.tests}
    # A part of its tests shows nothing where its score alone is stated, or no score that is a number.
    if sample.score_alone or PARTIAL in {sample.score, *(stated.score for stated in sample.tests.values())}:
        yield ("", sample.score), {*follows}
        return
    costs = {repair.name: repair.costs for repair in spec.repairs if repair.keeps == 1}
    charged = [name for name in follows if not set(spec.once).isdisjoint(sample.stated_of(name).deviations)]
    repaired: list[tuple[int, str]] = []  # the tests that show the repairs, by their numbers of cases
    repairs = sorted({kind for what in sample.tests.values() for kind in what.deviations if kind in costs})
    for test in spec.tests:
        what = sample.stated_of(test.name)
        own = tuple(kind for kind in what.deviations if kind not in costs)
        score = test.points if what.score is None else Fraction(what.score)
        if own != what.deviations and score > sum(costs[name] for name in repairs):
            repaired.append((len(test.cases), test.name))
        same = replace(what, score=None if score == test.points else what.score, deviations=own)
        # Where it is not stated which of several rules a sample breaks, it stands for no other: it may be alone.
        is_own = same != Stated() and not all(kind_of(case).has_answer for case in test.cases)
        yield (test.name, sample.submission.id if is_own else same), _related(follows, charged, test.name)
    if repairs:
        yield ("", ", ".join(repairs)), _related(follows, charged, min(repaired)[1] if repaired else "")


def _related(follows: Mapping[str, Sequence[str]], charged: Sequence[str], name: str) -> set[str]:
    """Return a test, or all, with those whose results have a part in its own: what it needs, what is charged once."""
    related, waiting = set[str](), [name] if name else list(follows)
    while waiting:
        test = waiting.pop()
        if test not in related:
            related.add(test)
            waiting += [*follows[test], *(charged if test in charged else ())]
    return related
