"""Students with the same mistake: whose wrong output in the same case is the same up to blanks, the most first.

`likeness` in a case's record is a digest of what the program wrote, without blanks. A mistake rarely shows in one case
only, so clusters of one test are put together when the same is said of them (the verdict, the deviations) and at least
half of the smaller one's students are in both; those of several tests, when the very same sentence is said of them. Two
clusters of one case stay apart: their outputs differ. Submissions that were not built are clusters when they failed
with the same words.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from grader.gradebook.statistics import is_built
from grader.model import Verdict
from grader.model.gradebook import Grade, Gradebook
from grader.model.report import Report, ReportedCase, ReportedTest
from grader.report.view import NAME_LIMIT, story
from grader.text import listed, one_line, sentence

_FEWEST_MEMBERS = 2
"""submissions that make a cluster"""

_TESTS_NAMED = 3

_MistakeKind = tuple[str, ...]
_AnyValue = TypeVar("_AnyValue")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """Some submissions, and what is wrong with all of them."""

    tests: tuple[str, ...]
    """the names of the tests; none for the build"""
    is_visible: bool
    """whether students may know of it"""
    cases: tuple[str, ...]
    """the ids of the cases where it shows"""
    grades: tuple[Grade, ...]
    sentence: str
    example: Grade
    """the submission of which the sentence is said, in the first of the cases"""

    @property
    def where(self) -> str:
        """The names of the tests, as many as a sentence takes."""
        return listed([one_line(name, NAME_LIMIT) for name in self.tests], most=_TESTS_NAMED) or "the build"

    @property
    def students(self) -> int:
        """How many people that are: a team has several."""
        return sum(len(grade.entry.students) for grade in self.grades)


@dataclass(slots=True, kw_only=True)
class _Growing:
    """A cluster in the making: for each case, which of the book's grades have the same wrong output there."""

    story: _MistakeKind
    is_visible: bool
    cases: dict[str, dict[int, ReportedCase]]
    members: set[int]


def clusters_of(book: Gradebook) -> list[Cluster]:
    """Find the clusters, largest first; among equals, what shows in more cases comes first, then the spec's order."""
    found = _across_tests(_finished(group, book) for group in _put_together(_of_single_cases(book)))
    found += _unbuilt(book)
    return sorted(found, key=lambda cluster: (-cluster.students, -len(cluster.cases)))


def _of_single_cases(book: Gradebook) -> Iterator[_Growing]:
    """Yield the clusters of single cases, the largest of each case first."""
    found: dict[tuple[str, str], dict[str, dict[int, tuple[ReportedTest, ReportedCase]]]] = {}
    for number, test, case in _numbered_cases(book):
        of_case = found.setdefault((test.name, case.id), {})  # of a right one too: so they are in the spec's order
        if case.likeness and case.verdict not in {Verdict.PASSED, Verdict.UNGRADED}:
            of_case.setdefault(case.likeness, {})[number] = (test, case)
    for of_case in found.values():
        large = (alike for alike in of_case.values() if len(alike) >= _FEWEST_MEMBERS)
        for alike in sorted(large, key=lambda alike: (-len(alike), min(alike))):
            test, case = next(iter(alike.values()))
            yield _Growing(
                story=_most_frequent(_kind_of(*one) for one in alike.values()),
                is_visible=test.visibility == "visible",
                cases={case.id: {number: case for number, (_, case) in alike.items()}},
                members=set(alike),
            )


def _numbered_cases(book: Gradebook) -> Iterator[tuple[int, ReportedTest, ReportedCase]]:
    for number, grade in enumerate(book.grades):
        for test in grade.report.tests if grade.report else ():
            for case in test.cases:
                yield number, test, case


def _kind_of(test: ReportedTest, case: ReportedCase) -> _MistakeKind:
    kinds = (f"{deviation.kind} {deviation.stream}" for deviation in case.deviations)
    return (test.name, case.verdict, *kinds)


def _most_frequent(values: Iterable[_AnyValue]) -> _AnyValue:
    """Return the value that comes most often; among equals, the one that comes first."""
    return Counter(values).most_common(1)[0][0]


def _put_together(groups: Iterable[_Growing]) -> list[_Growing]:
    made: list[_Growing] = []
    where: defaultdict[tuple[_MistakeKind, int], list[_Growing]] = defaultdict(list)
    for group in groups:
        known = [other for member in group.members for other in where[group.story, member]]
        joined = _most_shared(group, known)
        if joined is None:
            joined = group
            made.append(group)
            new = group.members
        else:
            new = group.members - joined.members
            joined.cases.update(group.cases)
            joined.members.update(new)
        for member in new:
            where[group.story, member].append(joined)
    return made


def _most_shared(group: _Growing, known: Sequence[_Growing]) -> _Growing | None:
    """Pick the group that shares most members, if they are enough; `known` has a group once for each shared member."""
    shared = Counter(map(id, known))
    others = {id(other): other for other in known if not group.cases.keys() & other.cases.keys()}
    best = max(others.values(), key=lambda other: shared[id(other)], default=None)
    if best is None or 2 * shared[id(best)] < min(len(group.members), len(best.members)):
        return None
    return best


def _finished(group: _Growing, book: Gradebook) -> Cluster:
    first = next(iter(group.cases.values()))
    stories = {number: story(case) for number, case in first.items()}
    told = _most_frequent(stories.values())
    return Cluster(
        tests=group.story[:1],
        is_visible=group.is_visible,
        cases=tuple(group.cases),
        grades=tuple(book.grades[member] for member in sorted(group.members)),
        sentence=told,
        example=book.grades[min(number for number, story in stories.items() if story == told)],
    )


def _across_tests(clusters: Iterable[Cluster]) -> list[Cluster]:
    """Put clusters of several tests together, of which the same sentence is said."""
    told: defaultdict[tuple[str, bool], list[Cluster]] = defaultdict(list)
    for cluster in clusters:
        known = told[cluster.sentence, cluster.is_visible]
        theirs = {grade.entry.id for grade in cluster.grades}
        for place, other in enumerate(known):
            ids = {grade.entry.id for grade in other.grades}
            enough = 2 * len(ids & theirs) >= min(len(ids), len(theirs))
            if enough and cluster.tests[0] not in other.tests:
                new = [grade for grade in cluster.grades if grade.entry.id not in ids]
                known[place] = replace(
                    other,
                    tests=other.tests + cluster.tests,
                    cases=other.cases + cluster.cases,
                    grades=(*other.grades, *new),
                )
                break
        else:
            known.append(cluster)
    return [cluster for known in told.values() for cluster in known]


def _unbuilt(book: Gradebook) -> Iterator[Cluster]:
    groups: defaultdict[str, list[Grade]] = defaultdict(list)
    for grade in book.grades:
        if grade.report and grade.report.verdict is not Verdict.UNGRADED and not is_built(grade.report):
            groups[_why(grade.report)].append(grade)
    for why, grades in groups.items():
        if len(grades) >= _FEWEST_MEMBERS:
            yield Cluster(tests=(), is_visible=True, cases=(), grades=tuple(grades), sentence=why, example=grades[0])


def _why(record: Report) -> str:
    told = (case.message for test in record.tests for case in test.cases if case.verdict is Verdict.BUILD_FAILED)
    return sentence(record.build.message or next(told, "")) or "The build failed."
