from collections import defaultdict
from collections.abc import Callable
from itertools import groupby

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from msgspec.structs import replace

from grader.core.model.layout import BuildResult, Finding
from grader.core.model.report import Verdict
from grader.core.report.document import Document, inline, inline_pieces, to_markdown
from grader.core.report.json import to_report
from grader.core.report.plain import report_text
from grader.core.report.view import Text
from grader.core.text import sentence
from tests.support.examples import examples
from tests.support.report_samples import (
    HOSTILE,
    case_result,
    hostile_report,
    on_screen,
    report_of,
    scored_test,
    to_feedback,
    to_page,
)

PARSER = MarkdownIt("gfm-like", {"linkify": False})


def kinds(text: str) -> list[str]:
    """Name the blocks and inlines that a reader of Markdown makes of it, one after the other."""
    tokens = PARSER.parse(text)
    parts = [part.type for token in tokens for part in (token, *(token.children or []))]
    return [kind for kind in parts if kind not in {"text", "text_special"}]


@pytest.mark.parametrize("data", HOSTILE)
def test_hostile_bytes_make_no_markup(data: bytes) -> None:
    plain = hostile_report(b"x\n" * data.count(b"\n") + b"x" * (not data.endswith(b"\n")))
    text = to_feedback(to_report(hostile_report(data)))
    assert kinds(text) == kinds(to_feedback(to_report(plain)))
    assert text.replace("\n", "").isprintable()


def test_a_fence_cannot_be_closed_from_inside() -> None:
    breaking = b"```\n`````\n# out\n"
    report = report_of(scored_test("a", (case_result(stdout=breaking, expected=b"```\n"),), Verdict.FAILED))
    text = to_feedback(to_report(replace(report, build=BuildResult(ok=False, log=breaking))))
    assert [token.content for token in PARSER.parse(text) if token.type == "fence"] == [
        "```\n`````\n# out\n",
        "  ```\n+ `````\n+ # out\n",
    ]


def test_a_command_with_backticks_is_code() -> None:
    text = to_feedback(to_report(report_of(scored_test("a", (case_result(command="a `b` ``c`"),), Verdict.FAILED))))
    codes = [
        part.content for token in PARSER.parse(text) for part in token.children or [] if part.type == "code_inline"
    ]
    assert codes == ["a `b` ``c`"]


@pytest.mark.parametrize(
    "student", ["- a", "> a", "# a", "+ a", "= a", "a|b", "<b>", "&lt;", "http://x.y", "*a*", "_a_"]
)
def test_a_name_is_shown_as_it_is(student: str) -> None:
    tokens = PARSER.parse(to_feedback(to_report(report_of(student=student))))
    heading = next(token for token in tokens if token.type == "inline" and "points" in token.content)
    shown = "".join(part.content for part in heading.children or [])
    assert shown == f"{student}: 0 of 0 points: wrong"


@pytest.mark.parametrize("message", ["- a", "> a", "# a", "+ a", "=== a"])
def test_a_finding_starts_no_block_of_its_own(message: str) -> None:
    text = to_feedback(to_report(replace(report_of(), findings=(Finding(kind="odd-name", message=message),))))
    plain = to_feedback(to_report(replace(report_of(), findings=(Finding(kind="odd-name", message="a"),))))
    assert kinds(text) == kinds(plain)


@pytest.mark.parametrize("line", ["-|-", "- | -", "--- | ---", ":-|-:", "===", "- a", "1. a", "# a", "> a", "***"])
def test_a_further_line_of_an_item_starts_no_block(line: str) -> None:
    pages = [
        Document(title="", parts=defaultdict(list, after=[Text(f"a | b\n{one}", "item")]), tests=())
        for one in ("a", line)
    ]
    assert len({tuple(kinds(to_markdown(page).decode())) for page in pages}) == 1


@given(st.text(st.sampled_from("aab1 _*[]()`\\<>&|~$:-+=#.!x/;\"'{}^@"), max_size=14))
@settings(max_examples=examples(2000))
def test_a_sentence_is_read_as_it_is(text: str) -> None:
    wanted = [(kind, piece) for kind, piece in inline_pieces(sentence(text), is_prose=False) if piece]
    written = inline(text)
    for page in (written, f"## {written}", f"- {written}", f"| a |\n|---|\n| {inline(text, is_cell=True)} |"):
        tokens = [part for token in PARSER.parse(page) for part in token.children or []][page.startswith("| a") :]
        runs = groupby(
            tokens, lambda token: {"code_inline": "code"}.get(token.type, token.type.removesuffix("_special"))
        )
        read = [(kind, "".join(token.content for token in group)) for kind, group in runs]
        assert [one for one in read if one[1]] == wanted


@pytest.mark.parametrize("text", ["usage[1], count[n=5]", "-v and 5 * 3", "check_queens", "5 < 6 && 7 > 3", "a: b"])
def test_there_is_no_backslash_without_need(text: str) -> None:
    assert inline(text) == text


@pytest.mark.parametrize("write", [to_feedback, to_page, report_text, on_screen])
def test_what_was_noticed_in_a_test_is_shown_with_it(write: Callable[..., str | bytes]) -> None:
    passed = case_result(verdict=Verdict.PASSED, message="Now you know.")
    result = scored_test("late", (passed,), Verdict.PASSED)
    report = to_report(report_of(replace(result, test=replace(result.test, visibility="after-due"))))
    before, after = write(report), write(report, after_due=True)
    told = [text if isinstance(text, str) else text.decode() for text in (before, after)]
    assert ["Now you know." in text for text in told] == [False, True]
