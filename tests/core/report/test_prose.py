"""Hints: which of them fit how a program failed, and how what is in them is shown."""

import re
from collections.abc import Iterator

from msgspec.structs import replace

from grader.core.model.report import Deviation, Verdict
from grader.core.report.document import inline_pieces
from grader.core.report.json import to_report, to_reported_test
from grader.core.report.plain import plain_lines
from grader.core.report.view import TableCell, Text, TextTable, hint_blocks
from grader.core.text import show
from tests.support.report_samples import case_result, deviation, report_of, scored_test, to_feedback, to_page
from tests.support.rows import each_row

HINTS = {"timeout": "T", "order": "O", "default": "D"}
ORDER, NEWLINE = (deviation("order"),), (deviation("final-newline", keeps=1),)


@each_row
def test_a_hint_stands_where_it_fits(
    hints: dict[str, str], cases: list[tuple[Verdict, tuple[Deviation, ...]]], told: str
) -> None:
    results = tuple(
        replace(case_result(f"a[{place}]", verdict), deviations=found) for place, (verdict, found) in enumerate(cases)
    )
    result = scored_test("a", results, Verdict.FAILED)
    assert to_reported_test(replace(result, test=replace(result.test, hint=hints))).hint == told


TABLE = "| n | ways |\n|---|-----:|\n| 4 | 2 |\n| 10 | `724` |"


@each_row
def test_a_hint_keeps_its_lines_where_they_matter(text: str, lines: list[str]) -> None:
    assert [line.rstrip() for line in plain_lines(hint_blocks(text))] == [line.rstrip() for line in lines]


def texts_in(hint: str) -> Iterator[str]:
    for block in hint_blocks(hint):
        if isinstance(block, TextTable):
            yield from (cell.text for row in block.rows for cell in row)
        elif isinstance(block, Text):
            yield block.text


@each_row
def test_addresses_are_links(text: str, links: list[str]) -> None:
    found = [piece for text in texts_in(text) for piece in inline_pieces(text, is_prose=True)]
    assert [piece for kind, piece in found if kind == "link"] == links


def test_a_table_has_a_head_where_a_line_is_under_it() -> None:
    hint = [Text("", "hint", label="Hint")]
    assert list(hint_blocks("|4|2|")) == [*hint, TextTable((), [[TableCell("4"), TableCell("2")]])]
    assert list(hint_blocks("|4|2|\n|-|-|")) == [*hint, TextTable(["4", "2"], [])]


EVERYTHING = f"Read https://example.org/a?b&c.\n\n    x <y>\n\n{TABLE}\n\nThen `make *` or *not*."


def test_code_tables_and_addresses_are_shown_as_such_on_every_page() -> None:
    result = scored_test("a", (case_result("a"),), Verdict.FAILED)
    report = to_report(report_of(replace(result, test=replace(result.test, hint={"default": EVERYTHING}))))
    page, feedback = to_page(report).decode(), to_feedback(report)
    assert '<a href="https://example.org/a?b&amp;c" rel="noreferrer">https://example.org/a?b&amp;c</a>.' in page
    assert '<span class="line">x &lt;y&gt;\n</span>' in page
    assert re.search(r"<tr><th [^>]*>n</th><th [^>]*>ways</th></tr>", page)
    assert re.search(r"<tr><td [^>]*>10</td><td [^>]*><code>724</code></td></tr>", page)
    assert "<code>make *</code> or *not*." in page
    assert "**Hint:** Read <https://example.org/a?b&c>." in feedback
    assert "\n```text\nx <y>\n```\n" in feedback
    assert "\n| n | ways |\n|:--|:--|\n| 4 | 2 |\n| 10 | `724` |\n" in feedback
    assert r"Then `make *` or \*not\*." in feedback


@each_row
def test_nothing_in_a_hint_ends_a_page(text: str) -> None:
    assert all(line.isprintable() for line in plain_lines(hint_blocks(show(text))))
    result = scored_test("a", (case_result("a"),), Verdict.FAILED)
    page = to_page(to_report(report_of(replace(result, test=replace(result.test, hint={"default": text})))))
    assert b"<script>" not in page
