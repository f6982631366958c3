"""Prompts before the right answer, of the program and of the reference; and wrong answers behind them."""

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.core.comparators.text import TEXT
from grader.core.deviations.sentences import without_questions
from grader.core.deviations.table import TEXT_KINDS
from grader.core.judge.case import judge
from grader.core.model.execution import Execution
from grader.core.model.report import CaseResult
from grader.core.model.spec import Case, Expectation, Leaf
from tests.core.judge.conftest import TOOLCHAIN
from tests.support.comparators import wanted_of
from tests.support.examples import examples
from tests.support.rows import each_row

SampleResult = Callable[..., CaseResult]


def kinds(result: CaseResult) -> list[str]:
    return [deviation.kind for deviation in result.deviations]


@pytest.mark.parametrize(
    ("actual", "expected", "expected_kinds"),
    [
        (b"Input:0 0 1 0\n", b"0 0 1 0\n", ["prompt"]),
        (b"Enter n (1-15): (2, 4)\n", b"(2, 4)\n", ["prompt"]),
        (b"Enter n from 1 to 15:92\n", b"92\n", ["prompt"]),
        (b"How many queens? 92\n", b"92\n", ["prompt"]),
        (b"n = 92\n", b"92\n", ["prompt"]),
        (b"Height: 92\n", b"92\n", ["prompt"]),
        (b"Solutions: 92\n", b"92\n", ["prompt"]),
        (b"Rows: Columns: 92\n", b"92\n", ["prompt"]),
        (b"Element: " * 60 + b"92\n", b"92\n", ["prompt"]),
        (b"Element: " * 60 + b"9" * 70_000 + b"\n", b"9" * 70_000 + b"\n", ["prompt"]),
        (b"> a\n> b\n> ", b"a\nb\n", ["prompt"]),
        (b"==> a\n", b"a\n", ["prompt"]),
        (b"Name? Hello Ann\nAge? You are 5\n", b"Hello Ann\nYou are 5\n", ["prompt"]),
        (b"Size: 1\nSize: 2\n", b"1\n2\n", ["prompt"]),
        (b"a: 1\nb: 2\nc: 3\nd: 4\ne: 5\n", b"1\n2\n3\n4\n5\n", ["prompt"]),
        (b"Enter: a\nb\n", b"  a\n  b\n", ["prompt", "leading-space"]),
        (b"Enter:   a\n  b\n", b"  a\n  b\n", ["prompt"]),
        (b"enter a NUMBER: A  B\n", b"a b\n", ["prompt", "inner-space", "letter-case"]),
        ("请输入一个数\uff1a92\n".encode(), b"92\n", ["prompt"]),
        # on a line of its own, where no line is missing
        (b"Enter a number:\n92\n", b"92\n", ["prompt"]),
        (b"Rows:\nColumns: \n92\n> ", b"92\n", ["prompt"]),
        (b"Enter a number: ", b"", ["prompt"]),
        (b"Enter a number:\n", b"92\n", ["wrong"]),
        (b"Result:\n92\n", b"Results:\n92\n", ["wrong"]),
        (b"Who?\nBye\n", b"Hello\nBye\n", ["wrong"]),
        # a word more or less, another answer, and what asks nothing
        (b"Enter a number: not prime\n", b"prime\n", ["wrong"]),
        (b"Enter a number: prime\n", b"not prime\n", ["wrong"]),
        (b"Please enter a number (2, 4)\n", b"(2, 4)\n", ["wrong"]),
        (b"Enter a number: 93\n", b"92\n", ["wrong"]),
        (b"Enter a number: 192\n", b"92\n", ["wrong"]),
        (b"Enter a number:-92\n", b"92\n", ["wrong"]),
        (b"5\n", b"Sum: 5\n", ["wrong"]),
        (b"8: 92\n", b"92\n", ["wrong"]),
        (b"It is 12:30\n", b"30\n", ["wrong"]),
        (b"x != 92\n", b"92\n", ["wrong"]),
        (b"x <= 92\n", b"92\n", ["wrong"]),
        (b"Enter a number: ", b"92\n", ["wrong"]),
        (b"92 Again? ", b"92\n", ["wrong"]),
    ],
)
def test_of_prompts(held: SampleResult, actual: bytes, expected: bytes, expected_kinds: list[str]) -> None:
    assert kinds(held(actual, expected, {"prompt": Fraction(1, 2)})) == expected_kinds


@each_row
def test_the_prompts_of_the_reference_are_free(actual: bytes, kind: str, message: str) -> None:
    right = Execution(stdout=b"Enter a number: prime\n", status=0)
    case = Case(id="case", stdin=b"7\n", tolerate={"prompt": Fraction(1)}, expect=Expectation(stdout=Leaf(how="text")))
    result = judge(case, Execution(stdout=actual, status=0), right, toolchain=TOOLCHAIN, command="./program")
    assert (kind, message) in [(deviation.kind, deviation.message) for deviation in result.deviations]
    others = [one.message for one in result.deviations if one.kind != kind]
    assert others in ([], ["The prompt `Enter a number:` is missing before the answer."])


@each_row
def test_what_is_certain_to_be_a_prompt_of_the_reference(text: bytes, stdin: bytes, left: bytes) -> None:
    assert without_questions(text, stdin).text == left


WORD = st.text("abxyz", min_size=1, max_size=3)
ASKED = st.text("klmno", min_size=1, max_size=3)
"""words of which no answer consists: a prompt that is a part of the answer may stand for that part"""
PROMPT = st.builds("{} {}{}".format, ASKED, ASKED, st.sampled_from([": ", ":", "? ", " > ", " = "]))
LABEL = st.builds("{} {}{}".format, WORD, WORD, st.sampled_from([":", ">", "="]))


@given(data=st.data())
@settings(max_examples=examples(400), deadline=None)
def test_an_answer_with_a_word_more_or_less_never_passes(data: st.DataObject) -> None:
    """Whatever prompts are before it, of the program's own and of the reference."""
    line = st.lists(st.one_of(WORD, LABEL), min_size=1, max_size=3)
    answer = data.draw(st.lists(line, min_size=1, max_size=3))
    row = data.draw(st.integers(0, len(answer) - 1))
    place = data.draw(st.integers(0, len(answer[row])))
    changed = [list(words) for words in answer]
    if place < len(answer[row]) and data.draw(st.booleans()):
        del changed[row][place]
    else:
        changed[row].insert(place, data.draw(WORD))
    asked = data.draw(st.lists(st.one_of(st.just(""), PROMPT), min_size=3, max_size=3))
    written, wanted = (
        "".join(f"{prompt}{' '.join(words)}\n" for prompt, words in zip(prompts, rows, strict=False)).encode()
        for prompts, rows in ((asked, changed), (["", "", ""], answer))
    )
    free = dict.fromkeys({"prompt", *TEXT_KINDS}, Fraction(1))
    wish = wanted_of("text", wanted, tolerate=free, stdin=b"1 2 3\n")
    found = TEXT.compare(written, wish)
    assert any(not deviation.keeps for deviation in found), (written, wanted)
