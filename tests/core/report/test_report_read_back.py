import json
from fractions import Fraction

import pytest

from grader.core.errors import HostError
from grader.core.model.report import fraction
from grader.core.report.json import from_json, to_json, to_report
from tests.support.report_samples import (
    HOSTILE,
    full_report,
    hostile_report,
    to_feedback,
)


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
