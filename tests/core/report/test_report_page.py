import ast
import base64
import hashlib
import re
from collections import Counter
from fractions import Fraction
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Literal

import jinja2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html as lxml_html
from markupsafe import Markup
from msgspec.structs import replace

from grader.core.model.execution import Execution, TranscriptEntry
from grader.core.model.report import Contrast, Deviation, Judgement, Verdict, summarise
from grader.core.report import html
from grader.core.report.document import inline_pieces
from grader.core.report.html import ASSETS_IN, fill_in, frame, read_asset
from grader.core.report.json import to_report, to_reported_test
from grader.core.report.view import Lines, Text, case_blocks, case_summary, describe_groups, is_shown, names
from grader.core.text import show
from tests.support.report_samples import (
    HOSTILE,
    broken_report,
    case_result,
    deviation,
    dialogue_report,
    full_report,
    hostile_report,
    report_of,
    scored_test,
    to_page,
)
from tests.support.rows import each_row

ATTRIBUTE = re.compile(r"[A-Za-z0-9 .#,:;='/+_-]*")
"""what an attribute of ours may hold"""

TEMPLATES = sorted(path.name for folder in ASSETS_IN for path in folder.glob("*.html"))


class _Markup(HTMLParser):
    """All that is markup in a page, and its text."""

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self.tags: list[tuple[str, tuple[tuple[str, str | None], ...]]] = []
        self.others: list[str] = []
        self.text = ""
        self.feed(data.decode())
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, tuple(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_comment(self, data: str) -> None:
        self.others.append(data)

    def handle_pi(self, data: str) -> None:
        self.others.append(data)

    def unknown_decl(self, data: str) -> None:
        self.others.append(data)


def known() -> set[tuple[str, frozenset[str]]]:
    """Collect the elements of our own, each with the names of its attributes, from reports with nothing hostile."""
    reports = [full_report(), broken_report(), dialogue_report(), hostile_report(b"plain `code`\ntext")]
    hinted = scored_test("a", (case_result(),), Verdict.FAILED)
    hinted = replace(
        hinted, test=replace(hinted.test, hint={"default": "| a | b |\n|---|---|\n| `c` | d |\n\n    e\n"})
    )
    reports += [report_of(hinted)]
    return {
        (tag, frozenset(dict(attributes)))
        for report in reports
        for tag, attributes in _Markup(to_page(to_report(report))).tags
    }


KNOWN = known()


def assert_inert(data: bytes) -> None:
    markup = _Markup(data)
    assert {(tag, frozenset(dict(attributes))) for tag, attributes in markup.tags} <= KNOWN
    assert markup.others == []
    values = [(name, value or "") for _, attributes in markup.tags for name, value in attributes if name != "content"]
    assert all(ATTRIBUTE.fullmatch(value) for _, value in values)
    assert all(value.startswith("#") for name, value in values if name in {"href", "src", "action", "data"})
    assert Counter(tag for tag, _ in markup.tags)["style"] == 1
    assert not {"script", "link", "img", "iframe", "object", "form"} & {tag for tag, _ in markup.tags}


@pytest.mark.parametrize("data", HOSTILE)
@pytest.mark.parametrize("verdict", [Verdict.FAILED, Verdict.CRASHED, Verdict.UNGRADED])
def test_hostile_bytes_make_no_markup(data: bytes, verdict: Verdict) -> None:
    page = to_page(to_report(hostile_report(data, verdict)))
    assert_inert(page)
    assert page.decode().replace("\n", "").isprintable()


@given(st.binary())
def test_whatever_a_student_prints_makes_no_markup(data: bytes) -> None:
    assert_inert(to_page(to_report(hostile_report(data))))


@given(st.text(st.characters(), min_size=1))
def test_whatever_anything_is_called_makes_no_markup(text: str) -> None:
    turns = (TranscriptEntry(time=0.1, stream="stdout", text=text.encode("utf-8", "surrogatepass")),)
    case = replace(case_result(text, message=text, command=text), run=summarise(Execution(transcript=turns)))
    result = scored_test(text, (case,), Verdict.FAILED)
    test = replace(result.test, about=text, hint={"default": text})
    report = report_of(replace(result, test=test), student=text)
    assert_inert(to_page(to_report(replace(report, spec=replace(report.spec, title=text, course=text, id=text)))))


@pytest.mark.parametrize("data", [data for data in HOSTILE if b"\n" not in data])
def test_hostile_bytes_are_read_as_they_are_shown(data: bytes) -> None:
    text = lxml_html.fromstring(to_page(to_report(hostile_report(data))).decode()).find(".//main").text_content()
    assert text.count(show(data).strip()) >= 6


@pytest.mark.parametrize("report", [full_report(), dialogue_report()])
def test_for_each_failure_there_is_all_that_there_is_to_tell(report: Judgement) -> None:
    text = lxml_html.fromstring(to_page(to_report(report)).decode()).find(".//main").text_content()
    shown = [result for result in report.tests if is_shown(result.test)]
    groups = [group for result in shown for group in describe_groups(to_reported_test(result))]
    wanted = [one.message for one in report.findings]
    wanted += [part for result in shown for part in (result.test.about, to_reported_test(result).hint)]
    for group in groups:
        wanted += [names(group), case_summary(group[0])]
        wanted += [part.text for part in case_blocks(group[0]) if isinstance(part, Text)]
        wanted += [line for part in case_blocks(group[0]) if isinstance(part, Lines) for line in part.lines]
    assert len(groups) > 0
    assert [part for part in wanted if part.replace("`", "") not in text] == []


def test_a_failed_build_is_told_with_its_log_and_its_command() -> None:
    text = lxml_html.fromstring(to_page(to_report(broken_report())).decode()).find(".//main").text_content()
    assert "Your program does not compile\nQueens.java:3: error: ';' expected\nTo repeat it" in text
    assert "\n    int n = 4\n             ^\n1 error\n" in text


def test_a_drawing_keeps_its_lines() -> None:
    case = case_result(deviations=(replace(deviation(), drawing="Q . .\n. . Q\n"),))
    page = lxml_html.fromstring(to_page(to_report(report_of(scored_test("a", (case,), Verdict.FAILED)))).decode())
    assert page.find(".//section/pre").text_content() == "\nQ . .\n. . Q\n"


def secret_report(verdict: Verdict, visibility: Literal["hidden", "after-due"]) -> Judgement:
    """Whatever belongs to the cases of a test that is not shown has a mark in it."""
    mark = b"2680 solutions\n"
    text = mark.decode()
    case = case_result(f"secret[{text}]", verdict, text, stdout=mark, stderr=mark, expected=mark, command=f"q {text}")
    assert case.run
    case = replace(
        case,
        expected_stderr=show(mark),
        deviations=tuple(replace(one, message=text, drawing=text) for one in (_wrong("stdout"), _wrong("stderr"))),
        contrasts=(Contrast(name=text, expected=show(mark * 9), actual=show(mark * 8)),),
        run=replace(case.run, transcript=(TranscriptEntry(time=0.1, stream="stdout", text=mark),)),
    )
    result = scored_test("secret", (case, case), verdict)
    test = replace(result.test, visibility=visibility, about=text, hint={"default": text})
    return report_of(replace(result, test=test), verdict=verdict)


def _wrong(stream: Literal["stdout", "stderr"]) -> Deviation:
    return replace(deviation(), stream=stream)


@pytest.mark.parametrize("verdict", Verdict)
@pytest.mark.parametrize(("visibility", "after_due"), [("hidden", False), ("hidden", True), ("after-due", False)])
def test_of_a_test_that_is_not_shown_there_is_its_name_and_its_points(
    verdict: Verdict,
    visibility: Literal["hidden", "after-due"],
    after_due: bool,  # noqa: FBT001  a table
) -> None:
    page = to_page(to_report(secret_report(verdict, visibility)), after_due=after_due).decode()
    assert "2680" not in page
    row = lxml_html.fromstring(page).find(".//tbody/tr")
    assert [" ".join(cell.text_content().split()) for cell in row] == ["secret", "hidden", "0 of 10"]
    assert row.find(".//a") is None


def test_after_the_due_date_a_test_is_shown_that_waited_for_it() -> None:
    assert to_page(to_report(secret_report(Verdict.FAILED, "after-due")), after_due=True).count(b"2680") > 5


def test_the_policy_allows_the_style_that_is_there_and_nothing_else() -> None:
    page = lxml_html.fromstring(to_page(to_report(full_report())).decode())
    style = page.findtext(".//style")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    first, second = page.findall(".//meta")[:2]
    assert first.get("charset") == "utf-8"
    assert second.get("http-equiv") == "Content-Security-Policy"
    assert second.get("content") == (
        f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    )
    assert "url(" not in style
    assert "@import" not in style
    assert "<" not in style


def test_a_script_is_allowed_by_its_hash_too() -> None:
    digest = base64.b64encode(hashlib.sha256(b"let a = 1").digest()).decode()
    assert f"; script-src &#39;sha256-{digest}&#39;;" in frame("a", Markup(""), "a {}", "let a = 1")
    assert "script-src" not in frame("a", Markup(""), "a {}")


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_has_nothing_that_the_policy_forbids(name: str) -> None:
    text = read_asset(name)
    assert not re.search(r"\s(style|on\w+)\s*=|javascript:|autoescape|Markup", text)
    assert not re.search(r"https?:|(src|srcset|poster)\s*=", text)
    assert not re.search(r"\|\s*safe", text)
    assert not re.search(r"=\{\{|=[^\"\s>{}]+\{\{", text), "an attribute without quotes"


def test_a_pattern_of_the_page_stands_in_the_source_and_has_nothing_that_the_policy_forbids() -> None:
    tree = ast.parse(Path(html.__file__).read_text())
    filled = [
        call.args[0] for call in ast.walk(tree) if isinstance(call, ast.Call) and ast.unparse(call.func) == "_fill"
    ]
    texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and "<" in str(node.value)]
    assert len(filled) > 15
    # A constant, or the name of one: nothing that is put together from what a student wrote.
    assert {type(pattern) for pattern in filled} <= {ast.Constant, ast.Name, ast.Subscript}
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) and "<" in ast.unparse(node)]
    for text in map(str, texts):
        assert not re.search(r"\s(style|on\w+)\s*=|javascript:|https?:|(src|srcset|poster)\s*=", text)
        assert not re.search(r"=\{|=[^\"\s>{}]+\{", text), "an attribute without quotes"


def test_a_value_that_is_missing_is_an_error() -> None:
    with pytest.raises(jinja2.UndefinedError, match="title"):
        fill_in("review_message.html", "")


def test_what_a_page_has_to_say_of_itself() -> None:
    page = lxml_html.fromstring(to_page(to_report(full_report())).decode())
    metas = {meta.get("name"): meta.get("content") for meta in page.findall(".//meta")}
    assert page.get("lang") == "en"
    assert page.findtext(".//title") == "Müller, Anna: All solutions of N-Queens, by recursion"
    assert metas["viewport"] == "width=device-width, initial-scale=1"
    assert metas["referrer"] == "no-referrer"
    assert metas["color-scheme"] == "light dark"


@pytest.mark.parametrize("report", [full_report(), broken_report(), dialogue_report(), report_of()])
def test_the_structure_is_one_that_can_be_read_aloud(report: Judgement) -> None:
    page = lxml_html.fromstring(to_page(to_report(report)).decode())
    assert len(page.findall(".//main")) == 1
    levels = [int(heading.tag[1]) for heading in page.iter("h1", "h2", "h3", "h4")]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert page.findtext(".//table/caption") == "Tests"
    assert {header.get("scope") for header in page.iterfind(".//thead//th")} == {"col"}
    assert {header.get("scope") for header in page.iterfind(".//tbody//th")} <= {"row"}
    marks = [element.get("id") for element in page.iterfind(".//*[@id]")]
    assert len(marks) == len(set(marks))
    targets = [
        name for element in page.iter() for name in (element.get("aria-labelledby"), element.get("href")) if name
    ]
    assert {target.removeprefix("#") for target in targets} <= set(marks)
    assert [one.findtext(".//bdi") for one in page.iterfind(".//summary")] in ([], ["What each run took"])


@each_row
def test_each_score_has_a_bar_when_it_is_known(
    score: Fraction | int | None,
    bonus: bool,  # noqa: FBT001  a table
    points: int,
    bars: list[tuple[str, str, str]],
) -> None:
    result = scored_test("a", (), Verdict.FAILED, score, points)
    page = lxml_html.fromstring(
        to_page(to_report(report_of(replace(result, test=replace(result.test, bonus=bonus))))).decode()
    )
    found = page.findall(".//tbody//meter")
    assert [(bar.get("min"), bar.get("max"), bar.get("value")) for bar in found] == bars


def test_ungraded_is_our_fault_and_says_so() -> None:
    text = _Markup(
        to_page(to_report(replace(broken_report(Verdict.UNGRADED), verdict=Verdict.UNGRADED, score=None)))
    ).text
    assert "? of 10" in text
    assert "The grader failed on this submission, so there is no score yet; nothing is lost." in text
    assert "nothing is lost" not in _Markup(to_page(to_report(broken_report()))).text


def test_a_difference_is_marked_by_sign_and_by_element() -> None:
    page = lxml_html.fromstring(to_page(to_report(full_report())).decode())
    assert {line.text[0] for line in page.find_class("expected")} == {"-"}
    assert {line.text[0] for line in page.iter("mark")} == {"+"}
    assert "(2,·4,·1,·3)⏎" in page.text_content()
    style = read_asset("page.css")
    assert [re.findall(rf"\.{name} {{ color: var\(--(\w+)\)", style) for name in ("expected", "yours")] == [
        ["bad"],
        ["good"],
    ]


def test_a_quotation_is_code_without_its_backticks() -> None:
    case = case_result(message="It wrote `a b`, not `` or `c`d`; `e` is wanted, and ` `.")
    page = lxml_html.fromstring(to_page(to_report(report_of(scored_test("a", (case,), Verdict.FAILED)))).decode())
    told = page.find_class("sentence")[0]
    assert [code.text for code in told.iter("code")] == ["a b", "c`d", "e", " "]
    assert told.text_content() == "It wrote a b, not `` or c`d; e is wanted, and  ."


@pytest.mark.parametrize("said", ["found `= literal' in conditional", "undefined method `to_x' for nil", "a`b", "it's"])
def test_what_a_runtime_quotes_is_within_the_quotation(said: str) -> None:
    assert [piece for piece in inline_pieces(f"`{said}`, and `c`.", is_prose=False) if piece[0] == "code"] == [
        ("code", said),
        ("code", "c"),
    ]


def test_only_a_word_that_is_very_long_is_broken_in_a_table() -> None:
    tests = [scored_test(name, (case_result(),), Verdict.FAILED) for name in ("interpolation", "x" * 40)]
    page = lxml_html.fromstring(to_page(to_report(report_of(*tests))).decode())
    assert [cell.text_content() for cell in page.find_class("long") if cell.tag == "th"] == ["x" * 40]


def test_a_long_dialogue_is_shown_from_its_end_with_when_and_who() -> None:
    text = lxml_html.fromstring(to_page(to_report(dialogue_report(40))).decode()).find(".//figure").text_content()
    assert "The last 16 of 40 turns of the dialogue" in text
    assert len(text.strip().split("\n")) == 16 + 2
    text = to_page(to_report(dialogue_report(2))).decode()
    assert "  0.02 s  program  Enter n:·" in text
    assert "  0.50 s  grader   4" in text


def _colours(style: str) -> dict[str, dict[str, str]]:
    light, dark = (
        dict(re.findall(r"--([\w-]+): (#\w{6});", block)) for block in re.findall(r":root \{(.*?)\}", style, re.DOTALL)
    )
    return {"light": light, "dark": dark}


def _contrast(one: str, other: str) -> float:
    dark, light = sorted(map(_luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@each_row
def test_every_ink_can_be_read_on_its_papers(scheme: str, ink: str, papers: tuple[str, ...], least: float) -> None:
    colours = _colours(read_asset("page.css"))[scheme]
    assert {paper: _contrast(colours[ink], colours[paper]) >= least for paper in papers} == dict.fromkeys(papers, True)


def test_the_page_has_what_each_run_took_beside_its_limit() -> None:
    page = to_page(to_report(full_report())).decode()
    table = page.partition("What each run took")[2]
    rows = re.findall(r'<td class="theirs">([^<]*)<', table)
    report = to_report(full_report())
    shown = [
        case for test in report.tests if test.visibility == "visible" for case in test.cases if case.time is not None
    ]
    assert len(rows) == 3 * len(shown) > 0
    assert all(" of " in row for row in rows)
    assert "covert" not in table
