import re

import pytest
from msgspec.structs import replace
from rich.cells import cell_len

from grader.core.model.layout import Finding
from grader.core.model.report import SandboxInfo, Verdict
from tests.support.report_samples import (
    HOSTILE,
    case_result,
    deviation,
    full_report,
    hostile_report,
    on_screen,
    report_of,
    scored_test,
)


@pytest.mark.parametrize("width", [40, 80])
@pytest.mark.parametrize("data", HOSTILE)
def test_hostile_bytes_reach_no_terminal_and_no_ci_system(data: bytes, width: int) -> None:
    text = on_screen(hostile_report(data), width)
    assert text.replace("\n", "").isprintable()
    for line in text.splitlines():
        assert cell_len(line) <= width
        assert not line.lstrip().startswith("::")
        assert not re.search(r"##\w*\[", line)


@pytest.mark.parametrize("width", range(30, 60))
def test_a_command_cannot_be_wrapped_to_the_start_of_a_line(width: int) -> None:
    padded = b"x" * 25 + b" ::error::boo" * 9
    assert not re.search(r"(?m)^\s*::", on_screen(hostile_report(padded), width))


def test_markup_of_students_is_text() -> None:
    assert "[red]markup[/red]" in on_screen(hostile_report(b"[red]markup[/red] :smile:"))


def test_without_colours_there_is_no_escape_and_the_words_say_it() -> None:
    text = on_screen(full_report())
    assert "\x1b" not in text
    words = ("part of the points", "full marks", "no points", "skipped", "crashed", "timeout")
    assert [word for word in words if word not in text] == []
    assert not re.search(r"\b(passed|failed|partial)\b", text)


def test_with_colours_the_text_is_the_same() -> None:
    coloured = on_screen(full_report(), colour=True)
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == on_screen(full_report())


def test_many_sentences_of_one_test_are_cut() -> None:
    cases = tuple(case_result(f"a[{n}]", message=f"Sentence {'abcdefg'[n - 1]}.") for n in range(1, 8))
    text = on_screen(report_of(scored_test("a", cases, Verdict.FAILED)))
    assert "Sentence c." in text
    assert "Sentence d." not in text
    assert "and 4 more" in text


def test_a_missing_sandbox_is_said() -> None:
    report = replace(report_of(), sandbox=SandboxInfo(level="none", warnings=("Files of yours were readable.",)))
    text = on_screen(report)
    assert "without a sandbox" in text
    assert "Files of yours were readable." in text
    assert "sandbox" not in on_screen(report_of())


def test_a_wrapped_line_keeps_its_bar() -> None:
    report = report_of(scored_test("a", (case_result(message="word " * 40),), Verdict.FAILED))
    text = on_screen(report, 40)
    assert len([line for line in text.splitlines() if "word" in line]) > 3
    assert all(line.startswith("  │ ") for line in text.splitlines() if "word" in line)


def test_one_crash_in_many_tests_is_told_once_and_its_hints_with_it() -> None:
    trace = "".join(f"\tat Queens.f(Queens.java:{n})\n" for n in range(900))
    remarks = ("where nothing is typed.", "but arguments are given: `4`.", "but arguments are given: `5`.")
    told = (
        "Your program ended with an uncaught exception: `E` in line 7 of `Queens.java`, `f();`. Your program "
        "reads input, "
    )
    tests = []
    for name in ("usage", "count", "speed"):
        cases = [
            replace(case_result(f"{name}[{n}]", Verdict.CRASHED, told + remark), expected_stderr=trace)
            for n, remark in enumerate(remarks, 1)
        ]
        result = scored_test(name, tuple(cases), Verdict.CRASHED)
        tests.append(replace(result, test=replace(result.test, hint={"default": f"About {name}."})))
    text = on_screen(report_of(*tests))
    assert text.count("in line 7") == 1
    assert "usage[1], usage[2], usage[3]: crashed\n" in text
    assert "\ncount: the same as in `usage`\n\nspeed: the same as in `usage`\n" in text
    assert re.findall("About (.*)\\.", text) == ["usage"]
    assert len(text.splitlines()) < 30


def test_many_failures_are_told_in_a_bounded_space() -> None:
    tests = [
        scored_test(
            f"t{n}",
            tuple(
                case_result(f"t{n}[{m}]", message=f"{word}.", stdout=b"a\n" * 99, expected=b"b\n" * 99)
                for m, word in enumerate(("Wrong", "Odd", "Bad"))
            ),
            Verdict.FAILED,
        )
        for n in range(12)
    ]
    text = on_screen(report_of(*tests))
    assert text.count("+ a") < 20
    assert [n for n in range(12) if f"t{n}[2]: " not in text] == []
    assert text.endswith("\n  What the programs wrote in further tests is left out here.\n")


def test_what_costs_nothing_comes_last_and_is_short() -> None:
    case = case_result("a[1]", Verdict.PASSED, stdout=b"x", expected=b"x\n", deviations=(deviation(keeps=1),))
    overlooked = [replace(case, id=f"a[{n}]") for n in range(1, 5)]
    right = scored_test("a", tuple(overlooked), Verdict.PASSED, 10)
    report = report_of(right, scored_test("b", (case_result("b"),), Verdict.FAILED))
    findings = tuple(Finding(kind="layout", message=f"Found {n}.") for n in range(9))
    text = on_screen(replace(report, findings=findings))
    assert text.index("\nb: 0 of") < text.index("\nNoticed in the submission\n")
    assert text[text.index("Noticed") :].splitlines()[1].startswith("  │ a[1], a[2], a[3] and 1 more: ")
    assert "- x" not in text
    assert text.endswith("Found 3.\n  and 5 more\n")
