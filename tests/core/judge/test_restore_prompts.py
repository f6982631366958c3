"""Prompts before the right answer, of the program and of the reference; and wrong answers behind them."""

from collections.abc import Callable
from fractions import Fraction

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


@each_row
def test_of_prompts(held: SampleResult, actual: bytes, expected: bytes, expected_kinds: list[str]) -> None:
    assert [one.kind for one in held(actual, expected, {"prompt": Fraction(1, 2)}).deviations] == expected_kinds


@each_row
def test_the_prompts_of_the_reference_are_free(actual: bytes, kind: str, message: str) -> None:
    right = Execution(stdout=b"Enter a number: prime\n", status=0)
    case = Case(id="case", stdin=b"7\n", tolerate={"prompt": Fraction(1)}, expect=Expectation(stdout=Leaf(how="text")))
    result = judge(case, Execution(stdout=actual, status=0), right, toolchain=TOOLCHAIN, command="./program")
    assert (kind, message) in [(deviation.kind, deviation.message) for deviation in result.deviations]
    others = [one.message for one in result.deviations if one.kind != kind]
    assert others in ([], ["The prompt is missing, expected `Enter a number:`."])


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
