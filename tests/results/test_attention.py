"""Who needs help, what to teach again, and one cause in two tests."""

from msgspec.structs import replace

from grader.core.model.report import Judgement, Verdict
from grader.results.class_files import to_class_page
from grader.results.statistics import clusters_of, needs_help, to_teach
from tests.support.class_samples import class_of
from tests.support.report_samples import broken_report, case_result, deviation, report_of, scored_test


def work(**outputs: str) -> Judgement:
    """Return a report with a test of each name; `ok` passes, any other output is wrong."""
    tests = []
    for name, output in outputs.items():
        verdict = Verdict.PASSED if output == "ok" else Verdict.FAILED
        wrong = () if output == "ok" else (deviation("wrong"),)
        case = case_result("x", verdict, f"{name} is {output}.", stdout=output.encode(), deviations=wrong)
        score = 10 if output == "ok" else 0
        tests.append(scored_test(name, (replace(case, id=f"{name}[1]"),), verdict, score))
    return report_of(*tests, score=sum(10 for output in outputs.values() if output == "ok"))


RIGHT = work(read="ok", sort="ok", show="ok")


def test_one_cause_in_two_tests_is_one_cluster_by_the_students_in_common() -> None:
    one_cause = work(read="off by one", sort="shifted", show="ok")
    reports = {f"r{number}": RIGHT for number in range(9)} | {f"w{number}": one_cause for number in range(4)}
    reports["x"] = work(read="off by one", sort="ok", show="ok")  # nearly the same students
    (cluster,) = clusters_of(class_of(reports).book)
    assert (cluster.tests, cluster.students) == (("read", "sort"), 5)
    assert (cluster.where, [(one.where, one.sentence) for one in cluster.also]) == (
        "read",
        [("sort", "sort is shifted.")],
    )
    assert "The same students in" in to_class_page(class_of(reports).book, lambda _grade, _name: None).decode()


def test_two_mistakes_that_nearly_everybody_has_are_two() -> None:
    both, first, second = work(read="a", sort="b"), work(read="a", sort="ok"), work(read="ok", sort="b")
    reports = {f"s{number}": both for number in range(16)}
    reports |= {"t0": first, "t1": first, "u0": second, "u1": second}
    assert [cluster.tests for cluster in clusters_of(class_of(reports).book)] == [("read",), ("sort",)]


def test_who_needs_help_is_named_once_and_the_most_urgent_first() -> None:
    reports = {f"r{number}": RIGHT for number in range(6)} | {
        "built": broken_report(),
        "zero": work(read="a", sort="b", show="c"),
        "low": work(read="ok", sort="b", show="c"),
        "half": work(read="ok", sort="ok", show="c"),
    }
    book = class_of(reports, nothing=["gone"], waiting=["later"]).book
    found = {reason: [grade.entry.id for grade in grades] for reason, grades in needs_help(book).items()}
    assert list(found.values()) == [["gone"], ["built"], ["zero"], ["low"]]
    assert next(reversed(found)).startswith("Among the lowest quarter, with ")
    assert needs_help(class_of({}).book) == {}
    assert needs_help(class_of({"a": RIGHT}).book) == {}


def test_what_to_teach_costs_the_class_most() -> None:
    common, rare = work(read="ok", sort="ok", show="c"), work(read="a", sort="b", show="ok")
    reports = {f"r{number}": RIGHT for number in range(30)} | {f"c{number}": common for number in range(8)}
    reports |= {f"d{number}": rare for number in range(5)}
    book = class_of(reports).book
    clusters = clusters_of(book)
    lessons = to_teach(book, clusters)
    points = book.grades[0].report.tests[0].points  # type: ignore[union-attr]
    assert {(one.tests, one.students, one.lost) for one in lessons} == {
        (("show",), 8, points),
        (("read", "sort"), 5, 2 * points),
    }
