import dataclasses
import re

import pytest
from msgspec.structs import replace

from grader.core.model.report import Verdict
from grader.results.class_files import LISTED_NAMES, to_summary
from tests.support.class_samples import STDOUT_SENTENCE, class_of, sample_class
from tests.support.report_samples import HOSTILE, case_result, hostile_report, report_of, scored_test

GITHUB = 2**20
"""bytes that GitHub takes for a step"""


def test_it_tells_of_a_large_class_shortly() -> None:
    text = to_summary(sample_class(300).book)
    assert re.search(r"^\*\*2\d\d graded, \d ungraded, \d+ nothing handed in\.\*\*$", text, re.MULTILINE)
    assert re.search(rf"^- \*\*\d\d students\*\*, usage: {re.escape(STDOUT_SENTENCE)}$", text, re.MULTILINE)
    assert len(text) < 4000


def test_of_a_hidden_test_there_is_the_mean_and_nothing_else() -> None:
    text = to_summary(sample_class(300).book)
    assert re.search(r"^\| boards \| hidden \| \d\.\d+ of 10 \|$", text, re.MULTILINE)
    assert "secret" not in text
    assert "2679" not in text


def test_it_has_no_grade_beside_a_name() -> None:
    text = to_summary(class_of({"alice": report_of(scored_test("a", (case_result(),), Verdict.FAILED))}).book)
    assert "alice" not in text


@pytest.mark.parametrize("data", HOSTILE)
def test_hostile_words_are_inert(data: bytes) -> None:
    name = data.decode("utf-8", "surrogateescape")
    ours = hostile_report(data, Verdict.UNGRADED)
    reports = {name: hostile_report(data), f"{name}2": hostile_report(data), f"{name}3": replace(ours, score=None)}
    text = to_summary(class_of(reports, nothing=[f"{name}4"]).book)
    assert not re.search(r"(?<!\\)<(?!=)", text)
    assert not re.search(r"(?<![\\!])\[[^\]]*(?<!\\)\]\(", text)
    assert not re.search(r"(?m)^\s*(::|##vso|##\[)", text)
    assert "##[" not in text
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u200b\u202e\ud800-\udfff]", text)


def test_lists_are_cut_and_say_so() -> None:
    text = to_summary(class_of({}, nothing=[f"n{number:03}" for number in range(LISTED_NAMES + 7)]).book)
    assert text.rstrip().endswith(f"n{LISTED_NAMES - 1:03}, and 7 more")


def test_the_worst_class_is_small_enough_for_github() -> None:
    words = b"*_`[" * 200
    sample = sample_class(250, hostile=[words + str(number).encode() for number in range(240)])
    nothing = class_of({}, nothing=[words.decode() + str(number) for number in range(300)]).book
    for book in (sample.book, dataclasses.replace(nothing, unused=("x" * 2**20,))):
        assert len(to_summary(book).encode()) < GITHUB // 8


def test_a_shard_says_so() -> None:
    assert "part 2/8 of the class" in to_summary(dataclasses.replace(sample_class(20).book, shard="2/8"))
