import re
from dataclasses import replace
from io import StringIO

import pytest
from rich.cells import cell_len
from rich.console import Console

from grader.model import Judgement, SandboxInfo, Verdict
from grader.report import to_report
from grader.report.terminal import to_renderable
from tests.support.report_samples import HOSTILE, case_result, full_report, hostile_report, report_of, scored_test


def printed(report: Judgement, width: int = 80, *, after_due: bool = False, colour: bool = False) -> str:
    console = Console(file=StringIO(), width=width, force_terminal=colour, color_system="standard" if colour else None)
    console.print(to_renderable(to_report(report), after_due=after_due))
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize("width", [40, 80])
@pytest.mark.parametrize("data", HOSTILE)
def test_hostile_bytes_reach_no_terminal_and_no_ci_system(data: bytes, width: int) -> None:
    text = printed(hostile_report(data), width)
    assert text.replace("\n", "").isprintable()
    for line in text.splitlines():
        assert cell_len(line) <= width
        assert not line.lstrip().startswith("::")
        assert not re.search(r"##\w*\[", line)


@pytest.mark.parametrize("width", range(30, 60))
def test_a_command_cannot_be_wrapped_to_the_start_of_a_line(width: int) -> None:
    padded = b"x" * 25 + b" ::error::boo" * 9
    assert not re.search(r"(?m)^\s*::", printed(hostile_report(padded), width))


def test_markup_of_students_is_text() -> None:
    assert "[red]markup[/red]" in printed(hostile_report(b"[red]markup[/red] :smile:"))


def test_without_colours_there_is_no_escape_and_the_words_say_it() -> None:
    text = printed(full_report())
    assert "\x1b" not in text
    words = ("part of the points", "full marks", "no points", "skipped", "crashed", "timeout")
    assert [word for word in words if word not in text] == []
    assert not re.search(r"\b(passed|failed|partial)\b", text)


def test_with_colours_the_text_is_the_same() -> None:
    coloured = printed(full_report(), colour=True)
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == printed(full_report())


def test_hidden_tests_have_a_name_and_a_score() -> None:
    text = printed(full_report())
    assert re.search(r"secret +hidden +0 of 10", text)
    assert "2680" not in text
    assert "secret[" not in text


def test_what_is_hidden_until_the_due_date_is_shown_after_it() -> None:
    result = scored_test("late", (case_result(message="Now you know."),), Verdict.FAILED)
    report = report_of(replace(result, test=replace(result.test, visibility="after-due")))
    assert "Now you know." not in printed(report)
    assert "Now you know." in printed(report, after_due=True)


def test_many_sentences_of_one_test_are_cut() -> None:
    cases = tuple(case_result(f"a[{n}]", message=f"Sentence {'abcdefg'[n - 1]}.") for n in range(1, 8))
    text = printed(report_of(scored_test("a", cases, Verdict.FAILED)))
    assert "Sentence c." in text
    assert "Sentence d." not in text
    assert "and 4 more" in text


def test_a_missing_sandbox_is_said() -> None:
    report = replace(report_of(), sandbox=SandboxInfo(level="none", warnings=("Files of yours were readable.",)))
    text = printed(report)
    assert "without a sandbox" in text
    assert "Files of yours were readable." in text
    assert "sandbox" not in printed(report_of())


def test_a_wrapped_line_keeps_its_bar() -> None:
    report = report_of(scored_test("a", (case_result(message="word " * 40),), Verdict.FAILED))
    text = printed(report, 40)
    assert len([line for line in text.splitlines() if "word" in line]) > 3
    assert all(line.startswith("  │ ") for line in text.splitlines() if "word" in line)
