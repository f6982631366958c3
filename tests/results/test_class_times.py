"""How the time of a class grows with the number that a test's cases go through."""

import re
from fractions import Fraction

from msgspec.structs import replace

from grader.core.model.execution import Execution
from grader.core.model.report import Judgement, Verdict, summarise
from grader.results.class_files import growths_of, to_class_page
from tests.support.export_samples import request_of
from tests.support.report_samples import case_result, report_of, scored_test


def took(*seconds: float | None) -> Judgement:
    """Build the report of somebody whose runs for 2, 10, ... took so long; None for one that was stopped."""
    cases = tuple(
        replace(
            case_result(f"count[n={2 + 8 * number}]", Verdict.PASSED, ""),
            run=summarise(Execution(cpu=10.0 if time is None else time, limit="cpu" if time is None else None)),
        )
        for number, time in enumerate(seconds)
    )
    other = scored_test("words", (case_result("words[n=2,m=3]"), case_result("words[a=x]")), Verdict.FAILED)
    return report_of(scored_test("count", cases, Verdict.PASSED), other, verdict=Verdict.FAILED, score=Fraction(1))


def test_times_are_told_by_the_number_with_those_that_were_stopped_apart() -> None:
    request = request_of({"ada": took(0.25, 2.0), "bo": took(0.75, None), "cy": took(0.5, None), "dee": None})
    (growth,) = growths_of(request.book)
    assert (growth.test, growth.variable) == ("count", "n")
    assert growth.times == {2: [0.25, 0.75, 0.5], 10: [2.0, None, None]}
    page = to_class_page(request.book, request.file).decode()
    assert '<meter aria-hidden="true" min="0" max="2.00" value="0.50"></meter>' in page
    assert re.findall(r'<span class="took">(.*?)</span>', page) == ["0.50 s", "0.75 s", "2.00 s", "2.00 s"]
    assert re.findall(r'</td>\n<td class="number">(\d*)</td></tr>', page.partition('id="times"')[2])[:2] == ["", "2"]
    assert '<h2 id="times" tabindex="-1">Times</h2>' in page


def test_a_single_number_makes_no_chart() -> None:
    assert growths_of(request_of({"ada": took(0.25)}).book) == []
