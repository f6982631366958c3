import json
import os
import subprocess
from io import StringIO
from pathlib import Path
from typing import Literal

import pytest
from msgspec.structs import replace
from rich.console import Console

from grader.core.model.gradebook import Entry, Grade, Student
from grader.core.model.layout import Finding
from grader.core.model.report import Report, ReportedBuild, ReportedCase, ReportedCause, Verdict
from grader.core.report.json import from_json, to_json, to_report
from grader.results.explain import Explanation, arithmetic, explain_grade, explanation_to_json
from grader.results.store import ReportKey, Results
from grader.results.terminal import MAX_COMMANDS, command_lines, lay_out_explanation
from tests.support.past_samples import book, case, grade, record, scored
from tests.support.report_samples import HOSTILE, full_report, hostile_report
from tests.support.rows import each_row, from_data, read_data

DATA = read_data(__file__)


def text(explanation: Explanation, width: int = 60) -> str:
    file = StringIO()
    console = Console(file=file, width=width, highlight=False, markup=False, emoji=False)
    console.print(*lay_out_explanation(explanation))
    return file.getvalue() + "".join(f"{line}\n" for line in command_lines(explanation))


def results_with(only: Grade, folder: str, reference: str | None = "beef" * 16) -> Results:
    """Return results of one grade; without a reference, of `grader run`."""
    key = ReportKey(submission="", spec="", reference=reference or "", toolchain="", grader="")
    keys = None if reference is None else {only.entry.id: key}
    return Results(path=Path(folder), book=book(only), file=lambda _grade, _name: None, keys=keys)


def explained(report: Report | None, *students: Student, hidden: bool = False, path: str | None = "x") -> Explanation:
    only = grade("alice", report, *students, path=path)
    return explain_grade(only, results_with(only, "reports/pa1"), hidden=hidden)


@each_row
def test_the_arithmetic_is_written_out(points: float, score: float | None, credits_: list[float], line: str) -> None:
    test = scored("usage", score, points, [case(credit, name=f"usage[{n}]") for n, credit in enumerate(credits_)])
    assert arithmetic(test) == line


def test_cases_of_one_story_are_told_together_with_what_each_deviation_keeps() -> None:
    both = {"inner-space": 0.9, "order": 0.5}
    cases = [case(0.45, "Two things.", f"usage[{n}]", keeps=both) for n in range(5)]
    cases += [case(0, "Bad."), case(1, "Newline.", "late", keeps={"final-newline": 1}), case(1, name="fine")]
    shown = text(explained(record(scored("usage", 4.06, 10, cases))), 80)
    assert "  usage[0], usage[1], usage[2] and 2 more: part of the points, keeps 45 %\n  │ Two things.\n" in shown
    assert "  │ inner-space (stdout) keeps 90 %\n  │ order (stdout) keeps 50 %\n  │ together 45 %\n" in shown
    assert "  usage: no points, keeps 0 %\n  │ Bad.\n" in shown
    assert "  late: full marks, keeps 100 %\n  │ Newline.\n" in shown
    assert "fine" not in shown


def test_all_that_a_grade_was_made_from_is_named() -> None:
    student = Student(id="1001", name="Alice Müller", email="alice@example.org")
    report = replace(
        record(scored("usage", 5, 10, [case(0.5, "Half.")])),
        findings=(Finding(kind="x", message="There was a backup."),),
        build=ReportedBuild(ok=True, command="make", message=""),
    )
    entry = Entry(id="alice", path=Path("pa1/a lice"), students=(student,), notes=("attempt 2 of 2 was graded",))
    only = Grade(entry=entry, report=report, folder="alice")
    explanation = explain_grade(only, results_with(only, "out"))
    assert explanation.provenance == from_data(DATA["PROVENANCE"], dict[str, tuple[str, ...]])
    assert (explanation.repeat, explanation.commands) == ("grader run 'pa1/a lice' --spec pa1", ("make", "./x usage"))
    shown = text(explanation)
    assert shown.startswith("alice  5 of 10  part of the points\n  Alice Müller (1001, alice@example.org)\n")
    for part in ("There was a backup.", "attempt 2 of 2", "  $ make\n  $ ./x usage\n", "  $ grader run 'pa1/a lice'"):
        assert part in shown


def test_a_single_report_does_not_know_its_submission() -> None:
    only = grade("alice", record(scored("usage", 10)))
    explanation = explain_grade(only, results_with(only, "out", reference=None))
    assert explanation.provenance["submission"] == ("its path is not recorded", "c0de")
    assert explanation.provenance["reference"] == ("not recorded",)
    assert explanation.repeat == "grader run SUBMISSIONS/alice --spec pa1"


def test_who_handed_in_nothing_has_no_points_and_no_commands() -> None:
    explanation = explained(None, path=None)
    assert (explanation.words, explanation.score, explanation.repeat) == ("nothing handed in", None, "")
    assert "alice  ? of 10  nothing handed in" in text(explanation)
    waiting = explained(None)
    assert (waiting.words, waiting.repeat) == ("not graded yet", "grader run class/x --spec pa1")


@pytest.mark.parametrize("visibility", ["hidden", "after-due"])
def test_of_a_hidden_test_only_the_points_are_told(visibility: Literal["hidden", "after-due"]) -> None:
    secret = scored("secret", 0, 5, [case(0, "canary", "canary", keeps={"canary": 0})], visibility)
    report = record(replace(secret, hint="canary", about="canary"))
    explanation = explained(report)
    assert "canary" not in text(explanation) + explanation_to_json(explanation).decode()
    assert f"secret: 0 of 5, {visibility}\n" in text(explanation)
    assert "canary" in text(explained(report, hidden=True))


def test_a_line_break_in_a_text_begins_no_line_of_the_layout() -> None:
    message = "Wrong.\nbold red|Forged\n  |Forged"
    student = Student(id="1", name=message)
    told = record(scored("usage\n|x", 0, 10, [case(0, message)]), tools="1\nbold|2")
    shown = text(explained(replace(told, findings=(Finding(kind="x", message=message),)), student), 200)
    assert "\n  Wrong. bold red|Forged |Forged (1)\n" in shown
    assert shown.count("\n  │ Wrong. bold red|Forged |Forged\n") == 2
    assert "\nusage |x: 0 of 10, no points\n" in shown
    assert "\n  │ cc: 1 bold|2\n" in shown


def test_many_commands_are_not_all_shown() -> None:
    cases: list[ReportedCase] = [case(0, name=f"usage[{n}]") for n in range(MAX_COMMANDS + 5)]
    explanation = explained(record(scored("usage", 0, 10, cases)))
    assert len(explanation.commands) == MAX_COMMANDS + 5
    assert text(explanation).endswith("\n  and 5 more\n")


def test_a_whole_report_is_explained() -> None:
    shown = text(explained(from_json(to_json(to_report(full_report())))), 100)
    assert "usage: 4.17 of 10, part of the points" in shown
    assert "clean: 5 of 5, a bonus, full marks" in shown
    assert "secret[n=11]" not in shown


@pytest.mark.parametrize("data", HOSTILE)
@pytest.mark.parametrize("width", [40, 60, 200])
def test_nothing_that_students_write_gets_through_the_explanation(data: bytes, width: int) -> None:
    raw = data.decode("utf-8", "surrogateescape")
    entry = Entry(
        id=raw, path=Path("class") / raw, students=(Student(id=raw, name=raw, login=raw),), team=raw, notes=(raw,)
    )
    only = Grade(entry=entry, report=from_json(to_json(to_report(hostile_report(data)))), folder="x")
    explanation = explain_grade(only, results_with(only, raw))
    unwrapped = set(command_lines(explanation))
    for line in text(explanation, width).splitlines():
        assert line in unwrapped or len(line) <= width
        assert line.isprintable()
        assert not line.strip().startswith("::")
        assert "##[" not in line
        assert "##vso[" not in line
    assert b"##[" not in explanation_to_json(explanation)
    assert json.loads(explanation_to_json(explanation))["score"] == 0


@pytest.mark.parametrize("data", [b"alice", b"a lice's", b"--help", b"$(touch x)`", *HOSTILE])
def test_a_quoted_path_is_the_path_to_a_shell(data: bytes) -> None:
    path = os.fsdecode(data.replace(b"\0", b""))
    repeat = explained(record(scored("usage", 10)), path=path).repeat
    assert repeat.isprintable()
    word = repeat.removeprefix("grader run ").removesuffix(" --spec pa1")
    done = subprocess.run(
        ["/bin/sh", "-c", f"printf %s {word}"], capture_output=True, check=False, timeout=10, env={"LC_ALL": "C"}
    )
    assert (done.stderr, done.stdout) == (b"", os.fsencode(Path("class") / path))


def test_the_id_of_a_spec_in_a_report_of_others_is_quoted_too() -> None:
    report = record(scored("usage", 10))
    named = replace(report, spec=replace(report.spec, id="x; touch y\n::error::\x1b[31m"))
    assert explained(named).repeat == "grader run class/x --spec \"$(printf 'x; touch y\\n::error::\\033[31m')\""


def test_the_one_cause_is_explained_first_and_that_of_a_hidden_test_to_who_may_see_it() -> None:
    crash = "Your program ended with an uncaught exception: `IndexError: x` in line 7 of `a.py`, `x[9]`."
    cases = [replace(case(0, crash, f"usage[{n}]"), verdict=Verdict.CRASHED, cause="crashed") for n in range(2)]
    cause = ReportedCause(kind="crashed", message=crash, tests=("usage",))
    told = replace(record(scored("usage", 0, 10, cases)), cause=cause)
    shown = " ".join(text(explained(told), 200).split())
    assert shown.index("Your program crashed") < shown.index(crash) < shown.index("usage: 0 of 10")
    assert shown.count(crash) == 1
    assert "keeps 0 %; the cause is at the top" in shown
    found = json.loads(explanation_to_json(explained(told)))["cause"]
    assert (found["title"], found["sentence"]) == ("Your program crashed", crash)
    hidden = replace(told, tests=tuple(replace(test, visibility="hidden") for test in told.tests))
    assert "crashed" not in text(explained(hidden), 200)
    assert "Your program crashed" in text(explained(hidden, hidden=True), 200)


def test_the_log_of_a_build_keeps_its_blanks_and_its_sentence_is_told_once() -> None:
    log = "a.c:4:9: error: expected ;\n    4 |         return x;\n      |         ^~~~~~\n"
    build = ReportedBuild(ok=False, command="gcc a.c", log=log, message="`gcc a.c` failed: expected ;", time=0)
    failed = replace(case(0, "`gcc a.c` failed: expected ;"), verdict=Verdict.BUILD_FAILED)
    told = replace(record(scored("one", 0, 5, [failed]), scored("two", 0, 5, [failed])), build=build)
    shown = text(explained(told), 100)
    assert "\n  │     4 |         return x;\n  │       |         ^~~~~~\n" in shown
    assert shown.count("failed: expected ;") == 1
    assert shown.count("not built, keeps 0 %; the cause is at the top\n") == 2
