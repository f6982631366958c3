"""Statistics of a class: scores, the pass rate of each test, its discrimination; mistakes in common; who needs help.

Only what was graded or decided by hand has a score; what has none is counted and in no mean. What was decided by hand
is in no figure of a single test. The discrimination of a test is the correlation of its points with those of all other
tests (the corrected item-total correlation: S. Henrysson, Psychometrika 28, 1963; for a test with two outcomes it is
the point-biserial one), without the submissions that could not be built: no test has run their program.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import sqrt
from statistics import correlation, fmean, median, mode, quantiles
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from grader.core.model.gradebook import Grade, Gradebook
from grader.core.model.report import Report, ReportedCase, ReportedTest, Verdict
from grader.core.report.view import EXCUSED, NAME_LIMIT, case_summary, cause_of, own_deviations
from grader.core.text import listed, one_line, percent, round_score, sentence
from grader.results.view import DECIDED, DOUBTFUL, NOTHING, WAITING, grade_view

BINS = 10  # number of bins from 0 to the maximum
SMALL_GROUP = 20
"""number of built submissions below which a correlation means nothing: with 20, its standard error is still 0.2"""

LOW_DISCRIMINATION = 0.2
"""a discrimination below which a test is poor (R. L. Ebel, Essentials of Educational Measurement, 1972)"""

_OUTCOMES = (DECIDED, Verdict.UNGRADED, WAITING, DOUBTFUL, Verdict.NOT_READABLE, NOTHING, EXCUSED)


def whole_percent(share: float | None) -> str:
    """Format a share in whole percent; empty when it is not known."""
    return "" if share is None else f"{round_score(share, 1)} %"


class Spread(NamedTuple):
    """The distribution of the scores, in points; the quartiles are interpolated between scores."""

    mean: float
    median: float
    lower: float
    upper: float
    lowest: float
    highest: float
    full: int  # how many have the maximum or more


class TestFigures(Struct, frozen=True):
    """One test over all graded submissions."""

    test: ReportedTest  # of the first of them
    count: int
    passed: int
    mean: float  # points
    discrimination: float | None  # from -1 to 1; None when there is none
    remark: str  # why there is none, or what is wrong with a bad one; else empty


class Statistics(Struct, frozen=True, kw_only=True):
    """The counts of a class. `spread` is None while nothing is graded."""

    outcomes: Mapping[str, int]  # the number of entries by outcome, in the order in which they are shown
    unbuilt: int  # the graded ones without a program, because the build failed
    spread: Spread | None
    bins: tuple[tuple[float, float, int], ...]
    """how many scores are from how many points up to how many; the last bin holds those of the maximum and more, too"""

    tests: tuple[TestFigures, ...]

    @property
    def counts(self) -> list[str]:
        """The numbers of submissions by outcome; outcomes that do not occur are omitted."""
        return [f"{count} {what}" for what, count in self.outcomes.items() if count or what == "graded"]


def statistics_of(book: Gradebook) -> Statistics:
    """Compute the statistics of a class; the work of nobody on its roster is counted, and in no other figure."""
    grades = [grade for grade in book.grades if not grade.entry.is_unknown]
    reports = (grade.report for grade in grades if grade.report)
    graded = [report for report in reports if report.score is not None and not report.is_excused]
    scores = [grade.counted for grade in grades if grade.counted is not None]
    names = dict.fromkeys(test.name for record in graded for test in record.tests)
    # A test without points is worth 1 to those who passed it.
    built = [
        {it.name: it.score or 0.0 if it.points else float(it.verdict is Verdict.PASSED) for it in record.tests}
        for record in graded
        if is_built(record)
    ]
    outcomes, most = Counter(grade_view(grade).outcome for grade in grades), book.max_score
    places = Counter(min(max(int(score * BINS / most), 0), BINS - 1) for score in scores) if most > 0 else Counter()
    return Statistics(
        outcomes={
            "graded": len(graded),
            **{word: outcomes[word] for word in _OUTCOMES},
            "of nobody on the roster": len(book.grades) - len(grades),
        },
        unbuilt=sum(not is_built(record) for record in graded),
        spread=_spread_of(scores, most) if scores else None,
        bins=tuple((n * most / BINS, (n + 1) * most / BINS, places[n]) for n in range(BINS)) if most > 0 else (),
        tests=tuple(_test_figures(name, graded, built) for name in names),
    )


def _spread_of(scores: Sequence[float], most: float) -> Spread:
    lower, _, upper = quantiles(scores, n=4, method="inclusive") if len(scores) > 1 else (scores[0],) * 3
    full = sum(score >= most for score in scores)
    return Spread(fmean(scores), median(scores), lower, upper, min(scores), max(scores), full)


def is_built(record: Report) -> bool:
    """Whether there was a program to run."""
    cases = (case for test in record.tests for case in test.cases)
    return record.build.ok and all(case.verdict is not Verdict.BUILD_FAILED for case in cases)


def _test_figures(name: str, graded: Sequence[Report], built: Sequence[Mapping[str, float]]) -> TestFigures:
    results = [test for record in graded for test in record.tests if test.name == name]
    passed = sum(result.verdict is Verdict.PASSED for result in results)
    mean = fmean(result.score or 0.0 for result in results)
    return TestFigures(results[0], len(results), passed, mean, *_discrimination(name, built))


def _discrimination(name: str, built: Sequence[Mapping[str, float]]) -> tuple[float | None, str]:
    pairs = [(it[name], sum(worth for test, worth in it.items() if test != name)) for it in built if name in it]
    if len(pairs) < SMALL_GROUP:
        return None, "too few submissions"
    if any(min(side) == max(side) for side in zip(*pairs, strict=True)):  # which the mean of floats may not show
        return None, "no differences" if len(built[0]) > 1 else "the only test"
    coefficient = correlation(*zip(*pairs, strict=True))
    is_negative = coefficient < -2 / sqrt(len(pairs))  # twice the standard error, or else it may be chance
    return coefficient, "negative" if is_negative else "low" if coefficient < LOW_DISCRIMINATION else ""


# ---------------------------------------------------------------- the same mistake

_MIN_MEMBERS = 2  # submissions that make a cluster
_SAME_STUDENTS = 0.75  # correlation of two mistakes from which they likely have one cause
_TESTS_NAMED = 3


class Cluster(Struct, frozen=True, kw_only=True):
    """Submissions with the same mistake."""

    tests: tuple[str, ...] = ()  # the names of the tests; none for the build
    kinds: frozenset[tuple[str, ...]] = frozenset()  # a test, a verdict and its deviations each
    is_visible: bool = True  # whether students may know of it
    cases: tuple[str, ...] = ()  # the ids of the cases with the mistake
    members: Mapping[str, Grade]  # by their ids, in the order of these
    sentence: str
    example: Grade  # the submission that the sentence describes, in the first of the cases
    also: tuple["Cluster", ...] = ()
    """what the same students do wrong in other tests, which likely has the same cause; it is in `tests`, too"""

    @property
    def where(self) -> str:
        """The names of the tests of the sentence, at most three."""
        elsewhere = {test for cluster in self.also for test in cluster.tests}
        tests = [one_line(name, NAME_LIMIT) for name in self.tests if name not in elsewhere]
        return listed(tests, most=_TESTS_NAMED) or "the build"

    @property
    def everywhere(self) -> str:
        """The same with the tests of `also`."""
        return ", ".join([self.where, *(cluster.where for cluster in self.also)])

    @property
    def students(self) -> int:
        """The number of students: a team has several."""
        return sum(len(grade.entry.students) for grade in self.members.values())

    @property
    def lost(self) -> float:
        """The mean points that they lost in these tests; for a failed build, in all."""
        return fmean(_loss(grade, self.tests) for grade in self.members.values())


def clusters_of(book: Gradebook) -> list[Cluster]:
    """Find the clusters, largest first; among equals, those with more cases come first, then the spec's order."""
    total = sum(grade.report is not None for grade in book.grades)
    clusters = _merge(_case_clusters(book), _is_one_mistake)
    clusters = _merge(clusters, lambda first, second: _has_same_students(first, second, total), is_also=True)
    return sorted([*clusters, *_build_clusters(book)], key=lambda cluster: (-cluster.students, -len(cluster.cases)))


def _case_clusters(book: Gradebook) -> Iterator[Cluster]:
    """Yield the clusters of single cases in the spec's order, the largest of each case first."""
    by_case = defaultdict[tuple[str, str], defaultdict[str, list[tuple[Grade, ReportedTest, ReportedCase]]]](
        lambda: defaultdict(list)
    )
    for view in map(grade_view, book.grades):
        for test in view.tests:
            for case in test.cases:
                of_case = by_case[test.name, case.id]  # also of a passed one, for the order
                is_repaired = case.deviations and not own_deviations(case)  # by the repair of the whole work alone
                if case.likeness and not is_repaired and case.verdict not in {Verdict.PASSED, Verdict.UNGRADED}:
                    is_named = case.deviations and all(deviation.kind != "wrong" for deviation in case.deviations)
                    of_case[" ".join(cause_of(case)) if is_named else case.likeness].append((view.grade, test, case))
    for (name, id_), of_case in by_case.items():
        for alike in sorted(of_case.values(), key=len, reverse=True):
            if len(alike) >= _MIN_MEMBERS:
                cases = [case for _, _, case in alike]
                kinds = ((case.verdict, *(f"{it.kind} {it.stream}" for it in case.deviations)) for case in cases)
                summaries = list(map(case_summary, cases))
                yield Cluster(
                    tests=(name,),
                    kinds=frozenset({(name, *mode(kinds))}),
                    is_visible=alike[0][1].visibility == "visible",
                    cases=(id_,),
                    members={grade.entry.id: grade for grade, _, _ in alike},
                    sentence=mode(summaries),
                    example=alike[summaries.index(mode(summaries))][0],
                )


def _merge(
    clusters: Iterable[Cluster], is_same: Callable[[Cluster, Cluster], bool], *, is_also: bool = False
) -> list[Cluster]:
    """Merge each cluster into the one before it of those that are the `same` with which it shares most members.

    A member without the mistake in some of the cases may be in a cluster for them, but only in one.
    """
    ordered = list(clusters)
    claimed = {claim for cluster in ordered for claim in product(cluster.cases, cluster.members)}
    distinct: list[Cluster] = []
    for cluster in ordered:
        places = [
            place
            for place, partner in enumerate(distinct)
            if is_same(partner, cluster)
            and not {*partner.cases} & {*cluster.cases}
            and claimed.isdisjoint(product(partner.cases, cluster.members.keys() - partner.members.keys()))
            and claimed.isdisjoint(product(cluster.cases, partner.members.keys() - cluster.members.keys()))
        ]
        if not places:
            distinct.append(cluster)
            continue
        best = max(places, key=lambda place: len(distinct[place].members.keys() & cluster.members.keys()))
        partner = distinct[best]
        distinct[best] = merged = replace(
            partner,
            tests=tuple(dict.fromkeys(partner.tests + cluster.tests)),
            kinds=partner.kinds | cluster.kinds,
            cases=partner.cases + cluster.cases,
            members=dict(sorted({**partner.members, **cluster.members}.items())),
            also=(*partner.also, cluster) if is_also else (),
        )
        claimed.update(product(merged.cases, merged.members))
    return distinct


def _is_one_mistake(first: Cluster, second: Cluster) -> bool:
    """Whether two clusters that share enough members are of one kind in a test, or of one sentence in several."""
    has_same_words = first.sentence == second.sentence and first.is_visible == second.is_visible
    is_alike = (has_same_words and second.tests[0] not in first.tests) or first.kinds & second.kinds
    shared = len(first.members.keys() & second.members.keys()) if is_alike else 0
    return 0 < min(len(first.members), len(second.members)) <= 2 * shared


def _has_same_students(first: Cluster, second: Cluster, total: int) -> bool:
    """Whether the students of two tests' clusters are the same beyond chance (phi coefficient), of `total` submissions.

    Where nearly everybody has two mistakes, they are nearly the same students without a common cause: so not the share
    of them counts, but the correlation of having the one and the other.
    """
    if first.is_visible != second.is_visible or {*first.tests} & {*second.tests}:
        return False
    ours, theirs = first.members.keys(), second.members.keys()
    both, neither = len(ours & theirs), total - len(ours | theirs)
    spread = len(ours) * len(theirs) * (total - len(ours)) * (total - len(theirs))
    return ours == theirs or (
        both >= _MIN_MEMBERS
        and spread > 0
        and (both * neither - len(ours - theirs) * len(theirs - ours)) / sqrt(spread) >= _SAME_STUDENTS
    )


def _build_clusters(book: Gradebook) -> Iterator[Cluster]:
    """Yield the clusters of those whose work was not built for one reason."""
    groups = defaultdict[str, dict[str, Grade]](dict)
    for grade in book.grades:
        record = grade.report
        if record and record.score is not None and not is_built(record):
            failed = (case for test in record.tests for case in test.cases if case.verdict is Verdict.BUILD_FAILED)
            why = sentence(record.build.message or next((case.message for case in failed), ""))
            groups[why or "Your program cannot be built."][grade.entry.id] = grade
    for why, members in groups.items():
        if len(members) >= _MIN_MEMBERS:
            yield Cluster(members=members, sentence=why, example=next(iter(members.values())))


# ---------------------------------------------------------------- what the staff should look at first

_HALF = 0.5  # share of the points below which somebody may need help
_MIN_SHARE = 0.1  # share of the graded submissions with one mistake from which it is worth a lesson
_REASONS = ("Handed in nothing", "Their files cannot be read", "Their program could not be built", "No points")
_MAX_CAUSES = 5


def needs_help(book: Gradebook) -> dict[str, list[Grade]]:
    """Group those who may need help, each by the most urgent reason; the ungraded need us, and are not among them."""
    views = sorted(map(grade_view, book.grades), key=lambda view: view.share or 0)
    shares = [view.share for view in views if view.share is not None]
    quarter = quantiles(shares, n=4, method="inclusive")[0] if len(shares) > 1 else 0
    low = min(quarter, _HALF - 1e-9)  # below half, and in the lowest quarter of the class
    reasons = (*_REASONS, f"Among the lowest quarter, with {percent(round(low, 2))} of the points or less")
    groups: dict[str, list[Grade]] = {reason: [] for reason in reasons}
    for view in views:
        report, share = view.grade.report, view.share
        holds = [
            view.state == "missing",
            view.state == "unreadable",
            share is not None and report is not None and not is_built(report),
            share == 0,
            share is not None and share <= low,
        ]
        if True in holds and not view.grade.entry.is_unknown:
            groups[reasons[holds.index(True)]].append(view.grade)
    return {reason: grades for reason, grades in groups.items() if grades}


def to_teach(book: Gradebook, clusters: Sequence[Cluster]) -> list[Cluster]:
    """Return the mistakes worth a lesson: those that cost the class most, each with its students."""
    graded = sum(grade.report is not None and grade.report.score is not None for grade in book.grades)
    shared = [cluster for cluster in clusters if len(cluster.members) >= max(_MIN_MEMBERS, _MIN_SHARE * graded)]
    worst = sorted(shared, key=lambda cluster: -cluster.students * cluster.lost)
    return [cluster for cluster in worst if cluster.lost > 0][:_MAX_CAUSES]


def _loss(grade: Grade, tests: Sequence[str]) -> float:
    """Return the points that somebody lost in tests; for a failed build, in all."""
    lossy = (test for test in grade_view(grade).tests if not tests or test.name in tests)
    return sum(max(test.points - test.score, 0) for test in lossy if test.score is not None and not test.bonus)
