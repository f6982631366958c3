"""Statistics of a class, and the words for them.

The distribution of scores, the pass rate of each test, and its discrimination. Only what was graded or decided by hand
has a score. Ungraded, waiting, missing and excused submissions are counted but excluded from the means, so that a
failure of the grader changes no mean. What was decided by hand is in no figure of a single test. The discrimination of
a test is the correlation of its points with the points of all other tests (the corrected item-total correlation:
S. Henrysson, Psychometrika 28, 1963; for a test with two outcomes it is the point-biserial one). Submissions that could
not be built are excluded from it: no test has run their program.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import sqrt
from statistics import StatisticsError, correlation, fmean, median, quantiles
from typing import Literal, TypeVar

from grader.core.model.gradebook import Grade, Gradebook
from grader.core.model.judgement import Verdict
from grader.core.model.report import Report, ReportedCase, ReportedTest
from grader.core.report.view import (
    EXCUSED,
    NAME_LIMIT,
    case_summary,
    cause_of,
    own_deviations,
)
from grader.core.text import listed, one_line, points, round_score, sentence
from grader.results.view import DECIDED, DOUBTFUL, NOTHING, WAITING, grade_view

BINS = 10
"""number of bins from 0 to the maximum"""

SMALL_GROUP = 20
"""number of built submissions below which a correlation means nothing: with 20, its standard error is still 0.2"""

LOW_DISCRIMINATION = 0.2
"""a discrimination below which a test is poor (R. L. Ebel, Essentials of Educational Measurement, 1972)"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """Scores from `low` up to `high`, in points; the last bin holds the maximum and what bonus points add to it."""

    low: float
    high: float
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """The distribution of the scores, in points; the quartiles are interpolated between scores."""

    mean: float
    median: float
    lower: float
    """the lower quartile"""
    upper: float
    lowest: float
    highest: float
    full: int
    """how many have the maximum or more"""


@dataclass(frozen=True, slots=True, kw_only=True)
class TestFigures:
    """One test over all graded submissions."""

    __test__ = False

    name: str
    points: float
    bonus: bool
    visibility: Literal["visible", "hidden", "after-due"]
    count: int
    passed: int
    mean: float
    """points"""
    discrimination: float | None
    """from -1 to 1; None when there is none"""
    remark: str
    """why there is none, or what is wrong with a bad one; else empty"""

    @property
    def passed_percent(self) -> str:
        """How many passed, in whole percent."""
        return f"{round_score(self.passed / self.count, 1)} %"

    @property
    def mean_points(self) -> str:
        """The mean points, of the maximum."""
        if not self.points:
            return "not scored"
        return f"{points(self.mean, self.points)} of {points(self.points)}" + (" (bonus)" if self.bonus else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """The counts of a class. `spread` is None while nothing is graded."""

    submissions: int
    graded: int
    ungraded: int
    waiting: int
    """handed in and not graded yet"""
    doubtful: int
    """handed in, but it is ambiguous which of several uploads counts"""
    unreadable: int
    """handed in, but the files cannot be read"""
    nothing: int
    """entries for which nothing was handed in"""
    decided: int
    """entries whose score somebody gave by hand, where the grading gave none"""
    excused: int
    strangers: int
    """the work of nobody on the roster"""
    unbuilt: int
    """the graded ones without a program, because the build failed"""
    spread: Spread | None
    bins: tuple[Bin, ...]
    tests: tuple[TestFigures, ...]

    @property
    def counts(self) -> list[str]:
        """The numbers of submissions by outcome; outcomes that do not occur are omitted."""
        parts = {
            "graded": self.graded,
            DECIDED: self.decided,
            "ungraded": self.ungraded,
            WAITING: self.waiting,
            DOUBTFUL: self.doubtful,
            Verdict.NOT_READABLE: self.unreadable,
            NOTHING: self.nothing,
            EXCUSED: self.excused,
            "of nobody on the roster": self.strangers,
        }
        return [f"{count} {what}" for what, count in parts.items() if count or what == "graded"]


def statistics_of(book: Gradebook) -> Statistics:
    """Compute the statistics of a class; the work of nobody on its roster is counted, and in no other figure."""
    strangers = sum(grade.entry.is_unknown for grade in book.grades)
    book = replace(book, grades=tuple(grade for grade in book.grades if not grade.entry.is_unknown))
    records = [grade.report for grade in book.grades if grade.report is not None]
    graded = [record for record in records if record.score is not None and not record.is_excused]
    scores = [grade.counted for grade in book.grades if grade.counted is not None]
    first: dict[str, ReportedTest] = {}
    for record in graded:
        for test in record.tests:
            first.setdefault(test.name, test)
    # A test without points is worth 1 to those who passed it.
    built = [
        {one.name: one.score or 0.0 if one.points else float(one.verdict is Verdict.PASSED) for one in record.tests}
        for record in graded
        if is_built(record)
    ]
    views = list(map(grade_view, book.grades))
    outcomes = Counter(view.outcome for view in views)
    return Statistics(
        submissions=sum(view.was_handed_in for view in views),
        graded=len(graded),
        ungraded=outcomes[Verdict.UNGRADED],
        waiting=outcomes[WAITING],
        doubtful=outcomes[DOUBTFUL],
        unreadable=outcomes[Verdict.NOT_READABLE],
        nothing=outcomes[NOTHING],
        decided=outcomes[DECIDED],
        excused=outcomes[EXCUSED],
        strangers=strangers,
        unbuilt=sum(not is_built(record) for record in graded),
        spread=_spread_of(scores, book.max_score) if scores else None,
        bins=_bins_of(scores, book.max_score) if book.max_score > 0 else (),
        tests=tuple(_test_figures(test, graded, built) for test in first.values()),
    )


def _spread_of(scores: Sequence[float], most: float) -> Spread:
    lower, _, upper = quantiles(scores, n=4, method="inclusive") if len(scores) > 1 else (scores[0],) * 3
    return Spread(
        mean=fmean(scores),
        median=median(scores),
        lower=lower,
        upper=upper,
        lowest=min(scores),
        highest=max(scores),
        full=sum(score >= most for score in scores),
    )


def _bins_of(scores: Sequence[float], most: float) -> tuple[Bin, ...]:
    counts = Counter(min(max(int(score * BINS / most), 0), BINS - 1) for score in scores)
    return tuple(Bin(low=n * most / BINS, high=(n + 1) * most / BINS, count=counts[n]) for n in range(BINS))


def is_built(record: Report) -> bool:
    """Whether there was a program to run."""
    cases = (case for test in record.tests for case in test.cases)
    return record.build.ok and all(case.verdict is not Verdict.BUILD_FAILED for case in cases)


def _test_figures(test: ReportedTest, graded: Sequence[Report], built: Sequence[Mapping[str, float]]) -> TestFigures:
    found = [other for record in graded for other in record.tests if other.name == test.name]
    discrimination, remark = _discrimination(test.name, built)
    return TestFigures(
        name=test.name,
        points=test.points,
        bonus=test.bonus,
        visibility=test.visibility,
        count=len(found),
        passed=sum(other.verdict is Verdict.PASSED for other in found),
        mean=fmean(other.score or 0.0 for other in found),
        discrimination=discrimination,
        remark=remark,
    )


def _discrimination(name: str, built: Sequence[Mapping[str, float]]) -> tuple[float | None, str]:
    pairs = [(worths[name], sum(worths.values()) - worths[name]) for worths in built if name in worths]
    if len(pairs) < SMALL_GROUP:
        return None, "too few submissions"
    if max(map(len, built)) == 1:
        return None, "the only test"
    own, others = zip(*pairs, strict=True)
    if min(own) == max(own):
        return None, "the same for all"
    try:
        found = correlation(own, others)
    except StatisticsError:
        return None, "nothing else differs"
    is_negative = found < -2 / sqrt(len(pairs))  # twice the standard error, or else it may be chance
    return found, "negative" if is_negative else "low" if found < LOW_DISCRIMINATION else ""


# ---------------------------------------------------------------- the same mistake

_MIN_MEMBERS = 2
"""submissions that make a cluster"""

_SAME_STUDENTS = 0.75
"""correlation of two mistakes from which they likely have one cause"""

_TESTS_NAMED = 3

_MistakeKind = tuple[str, ...]
_Claim = tuple[str, object]
"""a case, and a member of a group for it"""
_Claims = tuple[Iterable[str], Iterable[object]]
"""the cases of a group, and its members"""
_AnyValue = TypeVar("_AnyValue")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """Submissions with the same mistake."""

    tests: tuple[str, ...]
    """the names of the tests; none for the build"""
    is_visible: bool
    """whether students may know of it"""
    cases: tuple[str, ...]
    """the ids of the cases with the mistake"""
    grades: tuple[Grade, ...]
    sentence: str
    example: Grade
    """the submission that the sentence describes, in the first of the cases"""
    also: tuple["Cluster", ...] = ()
    """what the same students do wrong in other tests, which likely has the same cause; it is in `tests`, too"""

    @property
    def where(self) -> str:
        """The names of the tests of the sentence, at most three."""
        elsewhere = {test for other in self.also for test in other.tests}
        tests = [one_line(name, NAME_LIMIT) for name in self.tests if name not in elsewhere]
        return listed(tests, most=_TESTS_NAMED) or "the build"

    @property
    def students(self) -> int:
        """The number of students: a team has several."""
        return sum(len(grade.entry.students) for grade in self.grades)


@dataclass(slots=True, kw_only=True)
class _ClusterBuilder:
    """A cluster in the making: for each case, which of the book's grades have the same wrong output there."""

    mistake: _MistakeKind
    is_visible: bool
    cases: dict[str, dict[int, ReportedCase]]
    members: set[int]


def clusters_of(book: Gradebook) -> list[Cluster]:
    """Find the clusters, largest first; among equals, those with more cases come first, then the spec's order."""
    found = _merge_across_tests(_to_cluster(group, book) for group in _merge_groups(_case_clusters(book)))
    found = _merge_same_students(found, sum(grade.report is not None for grade in book.grades))
    found += [*_unbuilt_clusters(book), *_repaired_clusters(book)]
    return sorted(found, key=lambda cluster: (-cluster.students, -len(cluster.cases)))


def _case_clusters(book: Gradebook) -> Iterator[_ClusterBuilder]:
    """Yield the clusters of single cases, the largest of each case first."""
    found: dict[tuple[str, str], dict[str, dict[int, tuple[ReportedTest, ReportedCase]]]] = {}
    every = (
        (number, test, case)
        for number, grade in enumerate(book.grades)
        for test in (grade.report.tests if grade.report else ())
        for case in test.cases
    )
    for number, test, case in every:
        of_case = found.setdefault((test.name, case.id), {})  # also for a passed case, to keep the spec's order
        is_repaired = case.deviations and not own_deviations(case)  # the repair is one cluster, of the whole work
        if case.likeness and not is_repaired and case.verdict not in {Verdict.PASSED, Verdict.UNGRADED}:
            of_case.setdefault(_mistake(case), {})[number] = (test, case)
    for of_case in found.values():
        large = (alike for alike in of_case.values() if len(alike) >= _MIN_MEMBERS)
        for alike in sorted(large, key=lambda alike: (-len(alike), min(alike))):
            test, case = next(iter(alike.values()))
            kinds: list[_MistakeKind] = [
                (test.name, one.verdict, *(f"{deviation.kind} {deviation.stream}" for deviation in one.deviations))
                for _, one in alike.values()
            ]
            yield _ClusterBuilder(
                mistake=_most_frequent(kinds),
                is_visible=test.visibility == "visible",
                cases={case.id: {number: case for number, (_, case) in alike.items()}},
                members=set(alike),
            )


def _mistake(case: ReportedCase) -> str:
    """Return a key that is equal for the same mistake in a case: a named cause, or a digest of the output."""
    is_named = case.deviations and all(deviation.kind != "wrong" for deviation in case.deviations)
    return " ".join(cause_of(case)) if is_named else case.likeness


def _most_frequent(values: Iterable[_AnyValue]) -> _AnyValue:
    """Return the most frequent value; among equals, the first."""
    return Counter(values).most_common(1)[0][0]


def _merge_groups(groups: Iterable[_ClusterBuilder]) -> list[_ClusterBuilder]:
    """Merge groups of different cases that share enough members.

    A member without the mistake in some of the cases may be in a group for them, but only in one.
    """
    every = list(groups)
    claimed: set[_Claim] = {pair for group in every for pair in product(group.cases, group.members)}
    made: list[_ClusterBuilder] = []
    where: defaultdict[tuple[_MistakeKind, int], list[_ClusterBuilder]] = defaultdict(list)
    for group in every:
        known = [other for member in group.members for other in where[group.mistake, member]]
        joined = _most_shared(group, known, claimed)
        if joined is None:
            joined = group
            made.append(group)
            new = group.members
        else:
            new = group.members - joined.members
            joined.cases.update(group.cases)
            joined.members.update(new)
            claimed.update(product(joined.cases, joined.members))
        for member in new:
            where[group.mistake, member].append(joined)
    return made


def _most_shared(
    group: _ClusterBuilder, known: Sequence[_ClusterBuilder], claimed: set[_Claim]
) -> _ClusterBuilder | None:
    """Pick the group that shares most members, if they are enough; `known` has a group once for each shared member."""
    shared = Counter(map(id, known))
    others = {
        id(other): other
        for other in known
        if not group.cases.keys() & other.cases.keys()
        and _are_free((group.cases, group.members), (other.cases, other.members), claimed)
    }
    best = max(others.values(), key=lambda other: shared[id(other)], default=None)
    if best is None or 2 * shared[id(best)] < min(len(group.members), len(best.members)):
        return None
    return best


def _are_free(one: _Claims, other: _Claims, claimed: set[_Claim]) -> bool:
    """Whether merging these two would put no member into a second group for a case."""
    new = {*product(one[0], other[1]), *product(other[0], one[1])} - {*product(*one), *product(*other)}
    return new.isdisjoint(claimed)


def _to_cluster(group: _ClusterBuilder, book: Gradebook) -> Cluster:
    first = next(iter(group.cases.values()))
    summaries = {number: case_summary(case) for number, case in first.items()}
    sentence_of_most = _most_frequent(summaries.values())
    return Cluster(
        tests=group.mistake[:1],
        is_visible=group.is_visible,
        cases=tuple(group.cases),
        grades=tuple(book.grades[member] for member in sorted(group.members)),
        sentence=sentence_of_most,
        example=book.grades[min(number for number, summary in summaries.items() if summary == sentence_of_most)],
    )


def _merge_across_tests(clusters: Iterable[Cluster]) -> list[Cluster]:
    """Merge clusters of different tests with the same sentence."""
    every = list(clusters)
    claimed: set[_Claim] = {pair for one in every for pair in product(one.cases, _ids_in(one))}
    by_sentence: defaultdict[tuple[str, bool], list[Cluster]] = defaultdict(list)
    for cluster in every:
        found = by_sentence[cluster.sentence, cluster.is_visible]
        theirs = _ids_in(cluster)
        for place, other in enumerate(found):
            ids = _ids_in(other)
            enough = 2 * len(ids & theirs) >= min(len(ids), len(theirs))
            is_free = _are_free((other.cases, ids), (cluster.cases, theirs), claimed)
            if enough and is_free and cluster.tests[0] not in other.tests:
                new = [grade for grade in cluster.grades if grade.entry.id not in ids]
                found[place] = replace(
                    other,
                    tests=other.tests + cluster.tests,
                    cases=other.cases + cluster.cases,
                    grades=(*other.grades, *new),
                )
                claimed.update(product(found[place].cases, ids | theirs))
                break
        else:
            found.append(cluster)
    return [cluster for found in by_sentence.values() for cluster in found]


def _merge_same_students(clusters: Sequence[Cluster], of: int) -> list[Cluster]:
    """Merge clusters of different tests whose students are the same beyond chance, among `of` submissions.

    Where nearly everybody has two mistakes, they are nearly the same students without a common cause: so not the share
    of them counts, but the correlation of having the one and the other.
    """
    claimed: set[_Claim] = {pair for one in clusters for pair in product(one.cases, _ids_in(one))}
    found: list[Cluster] = []
    for cluster in clusters:
        theirs = _ids_in(cluster)
        for place, other in enumerate(found):
            ids = _ids_in(other)
            is_alike = other.is_visible == cluster.is_visible and not {*other.tests} & {*cluster.tests}
            if (
                is_alike
                and _is_correlated(ids, theirs, of)
                and _are_free((other.cases, ids), (cluster.cases, theirs), claimed)
            ):
                found[place] = replace(
                    other,
                    tests=other.tests + cluster.tests,
                    cases=other.cases + cluster.cases,
                    grades=(*other.grades, *(grade for grade in cluster.grades if grade.entry.id not in ids)),
                    also=(*other.also, cluster),
                )
                claimed.update(product(found[place].cases, ids | theirs))
                break
        else:
            found.append(cluster)
    return found


def _is_correlated(one: set[str], other: set[str], of: int) -> bool:
    """Whether being in two groups is correlated (phi coefficient), among `of` submissions."""
    if one == other:
        return True
    both, neither = len(one & other), of - len(one | other)
    if both < _MIN_MEMBERS:
        return False
    spread = len(one) * len(other) * (of - len(one)) * (of - len(other))
    return spread > 0 and (both * neither - len(one - other) * len(other - one)) / sqrt(spread) >= _SAME_STUDENTS


def _ids_in(cluster: Cluster) -> set[str]:
    return {grade.entry.id for grade in cluster.grades}


def _unbuilt_clusters(book: Gradebook) -> Iterator[Cluster]:
    groups: defaultdict[str, list[Grade]] = defaultdict(list)
    for grade in book.grades:
        record = grade.report
        if record and record.score is not None and not is_built(record):
            failed = (case for test in record.tests for case in test.cases if case.verdict is Verdict.BUILD_FAILED)
            why = record.build.message or next((case.message for case in failed), "")
            groups[sentence(why) or "Your program cannot be built."].append(grade)
    yield from _build_clusters(groups)


def _repaired_clusters(book: Gradebook) -> Iterator[Cluster]:
    groups: defaultdict[str, list[Grade]] = defaultdict(list)
    for grade in book.grades:
        if grade.report and grade.report.build.repair:
            groups[sentence(grade.report.build.repair.message)].append(grade)
    yield from _build_clusters(groups)


def _build_clusters(groups: Mapping[str, list[Grade]]) -> Iterator[Cluster]:
    for why, grades in groups.items():
        if len(grades) >= _MIN_MEMBERS:
            yield Cluster(tests=(), is_visible=True, cases=(), grades=tuple(grades), sentence=why, example=grades[0])
