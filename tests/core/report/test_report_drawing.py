"""What a check draws below its sentence is shown line by line, bounded, and as harmless as everything else."""

import json
import xml.etree.ElementTree as ET

import pytest
from msgspec.structs import replace

from grader.core.model.report import Judgement, Verdict
from grader.core.report.json import to_json, to_report
from grader.core.report.junit import to_junit
from grader.core.report.view import Lines, case_blocks
from tests.support.report_samples import (
    HOSTILE,
    case_result,
    deviation,
    on_screen,
    report_of,
    reported,
    scored_test,
    to_feedback,
)

SENTENCE = "The queens in row 1 and row 2 attack each other."
BOARD = "  Q .  <-\n  . Q  <-"


def drawn(drawing: str = BOARD) -> Judgement:
    wrong = replace(deviation(message=SENTENCE), drawing=drawing)
    case = case_result("board[n=2]", message=SENTENCE, stdout=b"1 0\n0 1\n", deviations=(wrong,))
    return report_of(scored_test("board", (case,), Verdict.FAILED))


def test_on_a_terminal_it_stands_below_the_sentence() -> None:
    lines = on_screen(drawn()).splitlines()
    at = lines.index(f"  │ {SENTENCE}")
    assert lines[at + 1 : at + 3] == ["  │   Q .  <-", "  │   . Q  <-"]


def test_no_blank_in_it_is_marked_as_in_an_output() -> None:
    text = to_feedback(to_report(drawn("Q .  \n\t. Q ")))
    assert "\n```text\nQ .\n    . Q\n```\n" in text


def test_in_the_feedback_it_is_a_block_of_its_own() -> None:
    text = to_feedback(to_report(drawn()))
    assert f"{SENTENCE}\n\n```text\n{BOARD}\n```\n" in text


def test_in_junit_the_message_is_the_sentence_and_the_body_has_it_all() -> None:
    failure = ET.fromstring(to_junit(to_report(drawn()))).find(".//failure")  # noqa: S314 - our own
    assert failure is not None
    assert failure.get("message") == SENTENCE
    assert (failure.text or "").startswith(f"{SENTENCE}\n{BOARD}\n")


def test_in_json_it_belongs_to_the_deviation() -> None:
    case = json.loads(to_json(to_report(drawn())))["tests"][0]["cases"][0]
    assert case["message"] == SENTENCE
    assert case["deviations"][0]["message"] == f"{SENTENCE}\n{BOARD}"


@pytest.mark.parametrize("drawing", ["Q\n" * 100_000, "Q" * 1_000_000])
def test_it_is_bounded(drawing: str) -> None:
    (case,) = drawn(drawing).tests[0].cases
    lines = next(block for block in case_blocks(reported(case)) if isinstance(block, Lines)).lines
    assert len(lines) <= 40 + 1
    assert sum(map(len, lines)) < 20_000


@pytest.mark.parametrize("data", HOSTILE)
def test_it_is_harmless(data: bytes) -> None:
    text = data.decode("utf-8", "surrogateescape")
    shown = on_screen(drawn(text))
    assert shown.replace("\n", "").isprintable()
    assert not any(line.lstrip().startswith("::") for line in shown.splitlines())
    ET.fromstring(to_junit(to_report(drawn(text))))  # noqa: S314 - our own
    feedback = to_feedback(to_report(drawn(text)))
    assert feedback.replace("\n", "").isprintable()
    fences = [line for line in feedback.splitlines() if line.startswith("```")]
    assert len(fences) >= 4
