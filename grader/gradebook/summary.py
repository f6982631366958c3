"""`summary.md`: the class at a glance, for the page of a CI job: `cat summary.md >> "$GITHUB_STEP_SUMMARY"`.

Such a page has other readers than the course's staff, so of a hidden test there are its name and its mean and nothing
else, whatever the date, and no grade stands beside a name. GitHub takes 1 MiB; lists are cut long before.
"""

from collections.abc import Iterator, Sequence

from grader.gradebook.clusters import Cluster, clusters_of
from grader.gradebook.grades_csv import NOTHING, WAITING, number, with_verdict
from grader.gradebook.statistics import Spread, Statistics, TestFigures, statistics_of
from grader.model import Verdict
from grader.model.gradebook import Grade, Gradebook
from grader.report.markdown import inline
from grader.report.view import NAME_LIMIT
from grader.text import one_line

CLUSTERS = 10
"""clusters that are told, of those that students may know of"""

NAMES = 100
"""names in a list"""

TESTS = 200

TESTS_OF_ONE = 3
"""tests of one cluster whose names are written out"""


def to_summary(book: Gradebook) -> str:
    """Write the summary."""
    return "\n".join(_lines(book)) + "\n"


def counts(figures: Statistics) -> list[str]:
    """Say how many were graded, and how many not and why; nothing of what there is none of."""
    parts = {
        "graded": figures.graded,
        "ungraded": figures.ungraded,
        WAITING: figures.waiting,
        NOTHING: figures.nothing,
    }
    return [f"{count} {what}" for what, count in parts.items() if count or what == "graded"]


def _lines(book: Gradebook) -> Iterator[str]:
    figures = statistics_of(book)
    part = f", part {inline(book.shard)} of the class" if book.shard else ""
    yield from (f"# {inline(book.spec.title or book.spec.id)}{part}", "")
    yield from (f"**{', '.join(counts(figures))}.**", "")
    if figures.spread:
        yield from (_spread(figures.spread, book.max_score), "")
    yield from _named("Ungraded: the grader failed, grade these again", with_verdict(book, Verdict.UNGRADED))
    yield from _tests(figures.tests)
    yield from _clusters([cluster for cluster in clusters_of(book) if cluster.is_visible])
    yield from _named("Nothing handed in", with_verdict(book, NOTHING))


def _spread(spread: Spread, most: float) -> str:
    middle = f"the middle half from {number(spread.lower)} to {number(spread.upper)}"
    return (
        f"Mean {number(spread.mean)} of {number(most)}, median {number(spread.median)}, {middle}; "
        f"{spread.full} with full marks."
    )


def where(cluster: Cluster) -> str:
    """Name the tests in which a mistake shows."""
    names = [one_line(name, NAME_LIMIT) for name in cluster.tests[:TESTS_OF_ONE]]
    more = len(cluster.tests) - TESTS_OF_ONE
    return (", ".join(names) + (f" and {more} more" if more > 0 else "")) or "the build"


def _named(title: str, grades: Sequence[Grade]) -> Iterator[str]:
    if grades:
        names = [inline(one_line(grade.entry.id, NAME_LIMIT)) for grade in grades[:NAMES]]
        more = [f"and {len(grades) - NAMES} more"] if len(grades) > NAMES else []
        yield from (f"## {title}", "", "- " + ", ".join([*names, *more]), "")


def _tests(tests: Sequence[TestFigures]) -> Iterator[str]:
    if tests:
        yield from ("## Tests", "", "| test | passed | mean points |", "|:--|--:|--:|")
        yield from (f"| {inline(test.name)} | {_passed(test)} | {mean_points(test)} |" for test in tests[:TESTS])
        yield ""


def _passed(test: TestFigures) -> str:
    if test.visibility != "visible":
        return "hidden"
    return f"{test.passed} of {test.count} ({100 * test.passed / test.count:.0f} %)"


def mean_points(test: TestFigures) -> str:
    """Say what was reached on an average, of how much."""
    if not test.points:
        return "not scored"
    return f"{number(test.mean)} of {number(test.points)}" + (" (bonus)" if test.bonus else "")


def _clusters(clusters: Sequence[Cluster]) -> Iterator[str]:
    if clusters:
        yield from ("## The same wrong output", "")
        for cluster in clusters[:CLUSTERS]:
            yield f"- **{cluster.students} students**, {inline(where(cluster))}: {inline(cluster.sentence)}"
        if len(clusters) > CLUSTERS:
            more = len(clusters) - CLUSTERS
            yield f"- and {more} more group{'s' if more > 1 else ''}"
        yield ""
