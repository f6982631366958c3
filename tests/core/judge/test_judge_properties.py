"""Properties of the judge, on texts that hypothesis invents."""

from collections.abc import Callable
from fractions import Fraction
from math import prod

from hypothesis import given, settings
from hypothesis import strategies as st

from grader.core.deviations.table import DEVIATIONS
from grader.core.model.execution import Execution
from grader.core.model.report import CaseResult, Verdict
from grader.core.model.spec import Expectation, Leaf
from tests.support.comparators import leaf_of
from tests.support.examples import examples

SampleResult = Callable[..., CaseResult]
Judged = Callable[..., CaseResult]

JUNK = st.lists(
    st.sampled_from([b"a", b"b", b"A", b" ", b"\t", b"\n", b"\r\n", b"\r", b"-", b"1", b".", b"\xff", "É".encode()]),
    max_size=30,
).map(b"".join)
SHARES = st.fractions(0, 1, max_denominator=20)
TOLERANCES = st.dictionaries(st.sampled_from([*DEVIATIONS]), SHARES)


def kinds(result: CaseResult) -> list[str]:
    return [deviation.kind for deviation in result.deviations]


@given(text=JUNK, tolerate=TOLERANCES)
def test_what_is_expected_passes(held: SampleResult, text: bytes, tolerate: dict[str, Fraction]) -> None:
    result = held(text, text, tolerate)
    assert (result.verdict, result.credit, result.deviations, result.message.text) == (
        Verdict.PASSED,
        Fraction(1),
        (),
        "",
    )


@given(actual=JUNK, expected=JUNK, tolerate=TOLERANCES)
@settings(max_examples=examples(400))
def test_credit_is_the_product_of_the_kinds(
    held: SampleResult, actual: bytes, expected: bytes, tolerate: dict[str, Fraction]
) -> None:
    result = held(actual, expected, tolerate)
    assert result.credit == prod((tolerate.get(kind, Fraction(0)) for kind in kinds(result)), start=Fraction(1))
    assert 0 <= result.credit <= 1
    assert len(set(kinds(result))) == len(kinds(result))
    assert bool(result.deviations) == (actual != expected)
    verdicts = {Fraction(0): Verdict.FAILED, Fraction(1): Verdict.PASSED}
    assert result.verdict == verdicts.get(result.credit, Verdict.PARTIAL)


@given(actual=JUNK, expected=JUNK)
@settings(max_examples=examples(200))
def test_a_difference_of_blanks_and_case_has_the_same_names_both_ways(
    held: SampleResult, actual: bytes, expected: bytes
) -> None:
    def there_and_back(one: bytes, other: bytes) -> set[str]:
        reverse = {"extra-lines": "missing-lines", "duplicates": "missing-lines"}
        return {reverse.get(kind, kind) for kind in kinds(held(one, other))}

    there, back = there_and_back(actual, expected), there_and_back(expected, actual)
    blank = {"final-newline", "line-endings", "trailing-space", "leading-space", "inner-space", "letter-case"}
    if there <= blank:
        assert there == back


@given(stdout=JUNK, stderr=JUNK, wanted_stdout=JUNK, wanted_stderr=JUNK)
@settings(max_examples=examples(200))
def test_the_streams_are_treated_alike(
    judged: Judged, stdout: bytes, stderr: bytes, wanted_stdout: bytes, wanted_stderr: bytes
) -> None:
    expect = Expectation(stdout=Leaf(how="text"), stderr=Leaf(how="text"))
    reference = Execution(stdout=wanted_stdout, stderr=wanted_stderr, status=0)
    mirrored = Execution(stdout=wanted_stderr, stderr=wanted_stdout, status=0)
    one = judged(Execution(stdout=stdout, stderr=stderr, status=0), expect, None, reference)
    other = judged(Execution(stdout=stderr, stderr=stdout, status=0), expect, None, mirrored)
    assert sorted(kinds(one)) == sorted(kinds(other))


@given(actual=JUNK, how=st.sampled_from(["contains", "lines", "tokens", "numbers"]), ordered=st.booleans(), want=JUNK)
@settings(max_examples=examples(300))
def test_no_comparator_raises_on_output(judged: Judged, actual: bytes, how: str, ordered: bool, want: bytes) -> None:  # noqa: FBT001 - hypothesis names it
    values = None if how != "contains" else (want.decode(errors="ignore") + "x",)
    expected = leaf_of(how, values, **({} if ordered or how != "lines" else {"ordered": False}))
    result = judged(
        Execution(stdout=actual, status=0), Expectation(stdout=expected), None, Execution(stdout=want, status=0)
    )
    assert (result.verdict == Verdict.PASSED) == (not result.deviations)
