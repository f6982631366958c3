import json
from fractions import Fraction

import pytest
from msgspec.structs import replace

from grader.core.errors import HostError
from grader.core.model.execution import Execution, TranscriptEntry
from grader.core.model.report import Contrast, Deviation, Judgement, Verdict, fraction, summarise
from grader.core.report.json import from_json, to_json, to_report
from tests.support.report_samples import (
    HOSTILE,
    broken_report,
    case_result,
    full_report,
    hostile_report,
    report_of,
    scored_test,
    to_feedback,
)


def with_everything() -> Judgement:
    drawn = Deviation(kind="wrong", stream="call", message="Two queens attack.", drawing="Q . .\n. Q .")
    turns = (
        TranscriptEntry(time=0.1, stream="stdout", text=b"? "),
        TranscriptEntry(time=0.2, stream="stdin", text=b"4\n"),
    )
    case = replace(
        case_result("a[1]", Verdict.CRASHED, deviations=(drawn,)),
        run=summarise(Execution(stdout=b"? ", stderr=b"oh", signal=11, time=0.5, transcript=turns)),
        contrasts=(Contrast(name="argument `B`", expected="[\n  1\n]\n", actual="[\n  2\n]\n"),),
    )
    return report_of(scored_test("a", (case,), Verdict.CRASHED), score=Fraction(1, 10))


@pytest.mark.parametrize("report", [full_report(), broken_report(), with_everything()], ids=["full", "broken", "all"])
def test_a_report_says_the_same_when_it_is_read_back(report: Judgement) -> None:
    written = to_report(report)
    assert from_json(to_json(written)) == written


@pytest.mark.parametrize("data", HOSTILE)
def test_what_is_hostile_stays_escaped(data: bytes) -> None:
    again = from_json(to_json(to_report(hostile_report(data))))
    assert all(character == "\n" or character.isprintable() for character in to_feedback(again))


def test_a_number_is_the_one_that_was_written() -> None:
    assert fraction(0.1) == Fraction(1, 10)
    assert fraction(100) == 100


def test_what_is_no_report_is_refused() -> None:
    data = json.loads(to_json(to_report(full_report())))
    data["tests"][0]["cases"][0]["deviations"][0]["stream"] = "elsewhere"
    for wrong in (json.dumps(data).encode(), b"{}", b""):
        with pytest.raises(HostError):
            from_json(wrong)
