import json
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from grader.core.model.execution import TranscriptEntry
from grader.core.model.report import CaseResult, Judgement, Verdict
from grader.core.report.json import to_json, to_report
from grader.core.report.junit import to_junit
from grader.core.report.view import evidence
from tests.support.report_samples import HOSTILE, case_result, deviation, report_of, scored_test, to_feedback
from tests.support.rows import from_data, read_data

DATA = read_data(__file__)
TURNS = from_data(DATA["TURNS"], tuple[TranscriptEntry, ...])


def shown(turns: Sequence[TranscriptEntry]) -> list[str]:
    (test,) = to_report(talked(*turns)).tests
    return [line for part in evidence(test.cases[0]) if "dialogue" in part.title for line in part.lines]


def talked(*turns: TranscriptEntry, verdict: Verdict = Verdict.FAILED) -> Judgement:
    case: CaseResult = case_result(verdict=verdict, deviations=(deviation(),))
    assert case.run
    case = replace(case, run=replace(case.run, transcript=turns))
    return report_of(scored_test("talk", (case,), verdict), verdict=verdict)


def test_it_is_laid_out_by_time_and_speaker() -> None:
    assert shown(TURNS) == [
        "  0.02 s  program  Enter n:·",
        "  0.50 s  grader   4",
        "  0.61 s  program  twice: 8",
        "  0.61 s  program  bye",
        " 10.00 s  grader   [ctrl-d]",
        " 12.35 s  grader   [end of input]",
    ]


def test_nothing_said_is_nothing_shown_and_a_key_has_a_name() -> None:
    assert shown(()) == []
    assert shown([TranscriptEntry(time=0, stream="stdin", text=b"\n")]) == ["  0.00 s  grader   [enter]"]


def test_long_dialogues_and_long_turns_are_cut() -> None:
    long = [TranscriptEntry(time=number, stream="stdout", text=b"line\n" * 50 + b"x" * 900) for number in range(100)]
    lines = shown(long)
    assert len(lines) < 120
    assert max(map(len, lines)) < 100


def test_every_report_shows_it() -> None:
    report = talked(*TURNS)
    (case,) = json.loads(to_json(to_report(report)))["tests"][0]["cases"]
    assert case["transcript"] == [
        {"time": 0.021, "who": "program", "stream": "stderr", "text": "Enter n: "},
        {"time": 0.5, "who": "grader", "stream": "stdin", "text": "4\n"},
        {"time": 0.61, "who": "program", "stream": "stdout", "text": "twice: 8\nbye\n"},
        {"time": 10, "who": "grader", "stream": "stdin", "text": "[ctrl-d]"},
        {"time": 12.345, "who": "grader", "stream": "stdin", "text": "[end of input]"},
    ]
    assert "  0.61 s  program  twice: 8\n  0.61 s  program  bye\n" in to_feedback(to_report(report))
    assert "  0.61 s  program  twice: 8\n  0.61 s  program  bye\n" in to_junit(to_report(report)).decode()


@pytest.mark.parametrize("data", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_bytes_are_shown_escaped(data: bytes) -> None:
    report = talked(
        TranscriptEntry(time=0, stream="stdout", text=data * 9), TranscriptEntry(time=1, stream="stderr", text=data)
    )
    for line in shown((TranscriptEntry(time=0, stream="stdout", text=data),)):
        assert line.isprintable()
    for text in (
        to_feedback(to_report(report)),
        to_json(to_report(report)).decode(),
        to_junit(to_report(report)).decode(),
    ):
        assert all(character.isprintable() or character in "\n\t" for character in text)
