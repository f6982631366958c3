"""A course with a style tool, from its spec to reports, handout and public copy; and what findings cost, in words."""

import json
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import pytest

from grader.author.handout import to_handout
from grader.author.public import make_public
from grader.check.samples import Sample, read_samples, sample_differences
from grader.check.verification import describe_verification, verify_spec
from grader.core.model.report import Examined, Job, Judgement, Spot, Verdict
from grader.core.model.spec import Case
from grader.core.pipeline import Course, assess, prepare
from grader.core.reader.spec import load
from grader.core.report.formats import render
from grader.core.report.json import to_report
from grader.exports.registry import make_export
from grader.kinds.style.model import STYLE_TOOLS, StyleCheck
from grader.kinds.style.run import judge_style
from tests.support.expected import ROOT
from tests.support.export_samples import request_of
from tests.support.packages import lay
from tests.support.rows import each_row, read_data

SPEC = ROOT / "examples" / "style-findings" / "specs" / "temperatures.yaml"


Graded = tuple[Course, Mapping[str, tuple[Sample, Judgement]]]


@pytest.fixture(scope="module")
def graded() -> Graded:
    course = prepare(SPEC)
    return course, {
        sample.submission.id: (sample, assess(Job(spec=SPEC, submission=sample.submission), course))
        for sample in read_samples(course.spec)
    }


def test_each_sample_gets_what_its_style_deserves(graded: Graded) -> None:
    course, reports = graded
    differences = {name: sample_differences(to_report(found), sample) for name, (sample, found) in reports.items()}
    assert differences == dict.fromkeys(("ada", "ben", "cleo", "dora"), ())
    case = reports["cleo"][1].tests[1].cases[0]
    assert case.message.text == (
        "Ruff has 6 findings (1 free), which cost 3 points; the first is temperatures.py:2: "
        "Multiple imports on one line (E401): `import sys, os, re  # noqa: E401, F401`."
    )
    assert case.command == "ruff check --config=ruff.toml --ignore-noqa *.py"
    assert reports["ada"][1].toolchain["ruff"].startswith("ruff ")
    assert reports["ada"][1].tests[1].cases[0].message.text == ""
    assert course.spec.attached.keys() == {"style/ruff.toml"}


def test_every_report_has_file_line_rule_and_message(graded: Graded) -> None:
    judged = graded[1]["ben"][1]
    for name, written in render(to_report(judged)).items():
        text = written.decode()
        for line, told in ((1, "imported but unused"), (4, "Function name")):
            assert told in text, name
            assert f"temperatures.py:{line}" in text or f'"line":{line}' in text.replace(" ", ""), name
    (run,) = json.loads(make_export("sarif", request_of({"ben": judged})).content)["runs"]
    found = [
        (one["ruleId"], one["message"]["text"].partition(":")[0], one["locations"][0]["physicalLocation"]["region"])
        for one in run["results"]
    ]
    assert [(rule, name, region["startLine"]) for rule, name, region in found] == [
        ("style", "E401", 1),
        ("style", "F401", 1),
        ("style", "N802", 4),
    ]


def test_students_are_told_what_is_asked_and_how_to_run_it(graded: Graded) -> None:
    course, _ = graded
    told = to_handout(course)
    assert (
        "`ruff` looks at `temperatures.py`. 1 finding costs nothing, each further one costs 1 point, all together "
        "3 points at most.\nIts rules are in `ruff.toml`.\nComments that turn it off count for nothing."
    ) in told
    assert "\n    ruff check --config=ruff.toml --ignore-noqa temperatures.py\n" in told
    public = make_public(course)
    assert (SPEC.parents[1] / "style" / "ruff.toml").read_bytes() in public.files.values()


def test_verify_says_what_samples_do_not_show_and_what_the_reference_breaks(tmp_path: Path) -> None:
    spec = lay(tmp_path, read_data(__file__)["COURSE"]) / "specs/echo.yaml"
    found = verify_spec(spec, prepare(spec))
    assert not found.is_right
    assert found.unmet == ("unused", "recursion")
    lines = "\n".join(describe_verification(found).lines)
    unmet = "no sample meets this rule, so perhaps no right program can; compare it with a right sample"
    assert f"unused: {unmet}" in lines
    assert f"recursion: {unmet}" in lines
    assert "long: no sample breaks this rule; add one that does, which shows that it is noticed." in lines
    assert "unused: ruff has 1 finding in the reference, as in echo.py:1: F401 `os` imported but unused" in lines


# ---------------------------------------------------------------- what findings cost, in words


@each_row
def test_what_findings_cost(row: tuple[int, int, int, str | None, str | None, str, str | None]) -> None:
    total, points, free, costs, at_most, left, told = row
    check = StyleCheck(
        tool=STYLE_TOOLS["ruff"],
        options=(),
        free=free,
        costs=None if costs is None else Fraction(costs),
        at_most=None if at_most is None else Fraction(at_most),
        points=Fraction(points),
    )
    spots = tuple(Spot(file="a.py", line=line, what="x", rule="E1") for line in range(1, total + 1))
    result = judge_style(
        Case(id="style", kind="style", payload=check), Examined(spots=spots, total=total, files=("a.py",))
    )
    assert result.credit == Fraction(left)
    verdict = {1: Verdict.PASSED, 0: Verdict.FAILED}.get(int(result.credit)) if result.credit in (0, 1) else None
    assert result.verdict is (verdict or Verdict.PARTIAL)
    assert (told or "") in result.message.text
    assert bool(result.message.text) == (total > 0)


def test_hostile_words_of_a_tool_stay_words() -> None:
    check = StyleCheck(tool=STYLE_TOOLS["ruff"], options=())
    spot = Spot(file="a\n`.py", line=1, what="`x\x1b[31m\n<b>", rule="E\n1", source="`" * 9)
    for examined in (
        Examined(spots=(spot,), total=1, files=("a",)),
        Examined(),
        Examined(refused="It is too much.", files=("a",)),
    ):
        result = judge_style(Case(id="style", kind="style", payload=check), examined)
        assert result.credit == 0
        assert "\n" not in result.message.text
        assert "\x1b" not in result.message.text + result.deviations[0].drawing
    assert load(SPEC).tests[1].cases[0].payload
