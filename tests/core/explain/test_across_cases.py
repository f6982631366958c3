"""What several cases show together: a program that prints the same whatever it is given; and what is told once."""

import json
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from time import process_time
from typing import Literal

import pytest
from msgspec.structs import replace

from grader.core.explain.mistake_queries import MISTAKES_FILE
from grader.core.explain.mistakes import Mistake
from grader.core.explain.reasons import relate_answers
from grader.core.judge.case import judge
from grader.core.judge.totals import answer_in, hint_across_cases, judge_test, token_rows
from grader.core.model.execution import Execution
from grader.core.model.report import (
    COMPILER_WARNING,
    CaseResult,
    Contrast,
    Deviation,
    Message,
    TestResult,
    Verdict,
    summarise,
)
from grader.core.model.spec import Case, Expectation, Leaf, Test, Toolchain
from grader.core.reader.files import read_data
from tests.support.rows import each_row
from tests.support.rows import read_data as rows_of

ANY = Toolchain(name="any")
MEANINGS_FILE = MISTAKES_FILE.with_name("meanings.json")
FIBONACCI = {3: 2, 4: 3, 5: 5, 6: 8, 7: 13, 8: 21}
Visibility = Literal["visible", "hidden", "after-due"]


def graded(
    printed: Mapping[str, tuple[str, str]],
    name: str = "fib",
    visibility: Visibility = "visible",
    *,
    typed: bool = False,
) -> TestResult:
    """Judge what was printed and expected for each argument, or for each line that is typed."""
    cases, results = [], []
    for asked, (actual, expected) in printed.items():
        case = Case(id=f"{name}[{asked}]", expect=Expectation(stdout=Leaf(how="text")))
        case = replace(case, stdin=f"{asked}\n".encode()) if typed else replace(case, args=tuple(asked.split()))
        right = Execution(stdout=expected.encode(), status=0)
        execution = Execution(stdout=actual.encode(), status=0)
        cases.append(case)
        results.append(judge(case, execution, right, toolchain=ANY, command="./fib"))
    test = Test(name=name, points=Fraction(1), cases=tuple(cases), visibility=visibility)
    return judge_test(test, tuple(results))


def hints(*results: TestResult) -> list[str]:
    """Return what is added to the messages, each text once."""
    pairs = zip(results, hint_across_cases(results, relate_answers), strict=True)
    messages = [(one, two) for before, after in pairs for one, two in zip(before.cases, after.cases, strict=True)]
    assert all(two.message.text.startswith(one.message.text) and one.credit == two.credit for one, two in messages)
    added = [two.message.text.removeprefix(one.message.text).strip() for one, two in messages]
    assert not any(text for text, (one, _) in zip(added, messages, strict=True) if one.verdict is Verdict.PASSED)
    return [text for text in dict.fromkeys(added) if text]


def table(answer: str, numbers: Sequence[int]) -> dict[str, tuple[str, str]]:
    """Return what is printed and expected for each number; `{f}` is the answer."""
    values = [{"n": n, "f": FIBONACCI[n], "square": n * n} for n in numbers]
    return {str(one["n"]): (answer.format(**one), f"F({one['n']}) = {one['f']}\n") for one in values}


def test_where_all_is_right_nothing_is_looked_for() -> None:
    right, asked = graded(table("F({n}) = {f}\n", numbers=[3, 4])), list[object]()

    def relate(answers: object) -> Mapping[str, str]:
        asked.append(answers)  # which imports what looks for reasons
        return {}

    assert hint_across_cases([right], relate) == (right,)
    assert asked == []


@each_row
def test_a_program_that_prints_the_same_is_told_so(answer: str, numbers: list[int], told: list[str]) -> None:
    printed = table(answer, numbers=numbers)
    assert hints(graded(printed)) == hints(graded(printed, typed=True)) == told


def test_an_answer_that_is_right_in_one_test_is_the_same_in_all() -> None:
    sample, others = graded(table("F(5) = 5\n", [5]), "sample"), graded(table("F(5) = 5\n", [6, 7]), "others")
    assert hints(sample, others) == ["Your program prints the same for 3 different inputs."]
    assert hints(sample, replace(others, test=replace(others.test, visibility="hidden"))) == []


def test_of_a_case_that_printed_nothing_it_is_not_told() -> None:
    same, silent = graded(table("F(5) = 5\n", [5, 6, 7]), "same"), graded(table("", [3, 4]), "silent")
    told = hint_across_cases([same, silent])
    marked = {case.id for test in told for case in test.cases if "prints the same" in case.message.text}
    assert marked == {"same[6]", "same[7]"}


def test_whether_a_number_is_even_has_two_answers() -> None:
    """Those that are the same show nothing, but that one of the two is never printed."""
    told = "Of the answers shown, those where `even` is expected are wrong, and only those."
    assert hints(graded({str(n): ("odd\n", "odd\n" if n % 2 else "even\n") for n in range(3, 9)})) == [told]


def test_what_comes_after_a_long_beginning_counts_too() -> None:
    """Of answers that begin with the same 10,000 bytes, those that go on as expected of others are not the same."""
    start = "x\n" * 5000
    assert hints(graded({str(n): (f"{start}{n + 1}\n", f"{start}{n}\n") for n in range(4)})) == []
    same = graded({str(n): (f"{start}9\n", f"{start}{n}\n") for n in range(4)})
    assert hints(same) == ["Your program prints the same for 4 different inputs."]
    numbers = "".join(f"{n}\n" for n in range(100, 900))
    assert hints(graded({numbers: ("Most: 200\n", "Most: 899\n")}, typed=True)) == []


def test_a_warning_of_the_compiler_is_quoted_once_for_those_who_see_it() -> None:
    warning, names = "The compiler warns of line 7 of `a.c`.", ("hidden", "first", "second", "after")
    visible: list[Visibility] = ["hidden", "visible", "visible", "after-due"]
    tests = []
    for name, visibility in zip(names, visible, strict=True):
        result = graded({"4": ("x\n", "3\n")}, name, visibility)
        (case,) = result.cases
        warned = replace(case, message=case.message.with_remark(COMPILER_WARNING, warning))
        tests.append(replace(result, cases=(warned, case)))
    assert [
        [case.message.after[-1][1] if case.message.after else "" for case in result.cases]
        for result in hint_across_cases(tests)
    ] == [[warning, ""], [warning, ""], ["", ""], ["", ""]]


def judged(cases: list[list[str]]) -> TestResult:
    """Judge what was given, printed and expected."""
    asked: list[Case] = []
    results = []
    for stdin, actual, expected in cases:
        asked.append(Case(id=f"a[{len(asked)}]", stdin=stdin.encode(), expect=Expectation(stdout=Leaf(how="text"))))
        ran, right = (Execution(stdout=text.encode(), status=0) for text in (actual, expected))
        results.append(judge(asked[-1], ran, right, toolchain=ANY, command="./a"))
    return judge_test(Test(name="a", points=Fraction(1), cases=tuple(asked)), tuple(results))


WRONG = Deviation(kind="wrong", stream="stdout", message="It is wrong.")
RAN = summarise(Execution(stdout=b"9\n", status=0))
ASKED = Case(id="b", stdin=b"3")
GAVE = CaseResult(id="b", verdict=Verdict.FAILED, credit=Fraction(0), command="", deviations=(WRONG,), run=RAN)


@each_row
def test_which_answers_are_the_same(case: Case, result: CaseResult, inputs: int, *, is_told: bool) -> None:
    """Of three cases and one more, which is told if it counts and is wrong."""
    test = judged([[str(n), "9\n", f"{n}\n"] for n in range(3)])
    asked = replace(test.test, cases=(*test.test.cases, case))
    (after,) = hint_across_cases([replace(test, test=asked, cases=(*test.cases, result))])
    remark = ("same", f"Your program prints the same for {inputs} different inputs.")
    assert [one.message.after for one in after.cases] == [*[(remark,)] * 3, (remark,) * is_told]


def test_what_a_check_judges_is_told_only_where_others_see_no_more() -> None:
    """A check may accept one answer for all of several tests."""
    said = tuple(Leaf(how="text", want=(f"{n}\n",)) for n in range(6))
    cases = tuple(Case(id=f"{n}", stdin=b"%d" % n, expect=Expectation(stdout=leaf)) for n, leaf in enumerate(said))
    results = tuple(replace(GAVE, id=case.id, expected_stdout=None) for case in cases)
    one, two = (
        judge_test(Test(name="a", points=Fraction(1), cases=cases[part]), results[part])
        for part in (slice(3), slice(3, 6))
    )
    hidden = replace(one, test=replace(one.test, visibility="hidden"))
    assert [hints(one, two), hints(hidden)] == [[], ["Your program prints the same for 3 different inputs."]]


@each_row
def test_what_a_program_was_given(case: Case, given: str) -> None:
    assert answer_in(case, GAVE).given == given


@each_row
def test_what_a_program_printed_and_should_have(
    result: CaseResult, printed: str, expected: str | None, have: str, want: str
) -> None:
    ran = summarise(Execution(stdout=printed.encode(), status=0))
    answer = answer_in(Case(id="b"), replace(result, run=ran, expected_stdout=expected))
    assert (answer.have, answer.want) == (have, want)


def test_what_was_not_run_printed_nothing() -> None:
    assert answer_in(ASKED, replace(GAVE, run=None)).have == ""


def test_what_cases_have_in_common_is_not_told_of_one_of_which_more_is_known() -> None:
    test = judged([[str(n), f"{n}\n", "x\n"] for n in range(2)])
    first, second = test.cases
    cases = (replace(first, message=first.message.with_remark("source", "Line 7.")), second)
    (after,) = hint_across_cases([replace(test, cases=cases)], lambda _: {case.id: "So it is." for case in cases})
    assert [one.message.after for one in after.cases] == [(("source", "Line 7."),), (("same", "So it is."),)]


def test_the_first_512_lines_are_looked_at() -> None:
    assert len(token_rows("1\n" * 513)) == 512


@each_row
def test_words_and_numbers_of_lines(text: str, words: list[list[str]], forms: list[list[str]]) -> None:
    rows = token_rows(text)
    assert [[str(word) for word in row[1]] for row in rows] == words
    assert [[str(row[2][0]), *(type(word).__name__ for word in row[1])] for row in rows] == forms
    assert [row[2][1:] for row in rows] == [tuple(map(type, row[1])) for row in rows]


@each_row
def test_what_a_wrong_word_is_instead(cases: list[list[str]], told: list[str]) -> None:
    test = judged(cases)
    assert hints(test) == told
    hidden = replace(test, test=replace(test.test, visibility="hidden"))
    assert hints(hidden) == []


def test_each_fact_is_told_in_a_row() -> None:
    """One whose formula names what is not there is never told, and nothing else shows it."""
    facts = [fact for group in json.loads(MEANINGS_FILE.read_bytes())["facts"] for fact in group["facts"]]
    rows = [row for kind in ("word", "value") for row in rows_of(__file__)[f"test_what_a_wrong_{kind}_is_instead"]]
    told = "\n".join(one for row in rows for one in row["told"])
    patterns = {".+".join(map(re.escape, re.split(r"\{[^}]*\}", fact["says"]))) for fact in facts}
    assert [pattern for pattern in patterns if not re.search(rf"(?m)^{pattern}$", told)] == []


@each_row
def test_a_limit_that_the_wrong_cases_have_is_told(cases: list[list[str]], *, is_told: bool, other: bool) -> None:
    row = read_data(MISTAKES_FILE)["has-a-limit-of-the-wrong-cases"]
    shows = row["c"]["shows"].format(limit="400")
    above, least = (
        Mistake("a.c", line, "if", how, always=False, needs="all", shows=shows, functions=[], is_used=True)
        for line, how in ((3, "decides by `>`"), (9, "decides by `>=`"))
    )
    relate = partial(relate_answers, mistakes=[above, *[least] * other])
    (after,) = hint_across_cases([judged(cases)], relate)
    assert any(above.sentence in case.message.text for case in after.cases) is is_told
    assert not any("decides" in case.message.text for case in after.cases if case.verdict is Verdict.PASSED)


@pytest.mark.parametrize("text", ["a\n" * 511, "a" * 1000, " \n" * 500, "1 " * 500, "-1\n" * 300, "\n" * 1000])
def test_what_inputs_have_in_common_is_looked_for_in_little_time(text: str) -> None:
    test = judged([[f"{text}{n}", "x\n", "y\n" if n < 9 else "x\n"] for n in range(18)])
    begin = process_time()
    hint_across_cases([test], relate_answers)
    assert process_time() - begin < 2


@pytest.mark.parametrize("form", ["r{} {}.{}", "r{}: {}.{}", "{} ({}.{} %)"])
def test_long_tables_of_many_cases_are_related_in_little_time(form: str) -> None:
    """Each row explains each other one: that took a minute."""
    right, wrong = ("".join(f"{form.format(n, n, last)}\n" for n in range(80)) for last in (5, 6))
    test = judged([["a\n" * 500 + str(n), wrong if n < 9 else right, right] for n in range(18)])
    begin = process_time()
    hint_across_cases([test], relate_answers)
    assert process_time() - begin < 2


def test_a_number_with_more_digits_than_are_computed_with_is_a_word() -> None:
    (row,) = token_rows(f"Sum 3.{'1' * 45} 0.30000000000000004 123456789.25")
    assert [type(word).__name__ for word in row[1]] == ["str", "str", "Decimal", "Decimal"]


def called(command: str, values: tuple[str, str] | None, *, stdin: bytes = b"") -> tuple[Case, CaseResult]:
    """Return a case of functions, which returned another value than the expected one, or was right."""
    wrong = Deviation(kind="wrong", stream="call", message="Another value.")
    result = CaseResult(
        id=command,
        verdict=Verdict.FAILED if values else Verdict.PASSED,
        credit=Fraction(0 if values else 1),
        command=command,
        run=summarise(Execution(status=0)),
        deviations=(wrong,) if values else (),
        contrasts=(Contrast(name="value", actual=values[0], expected=values[1]),) if values else (),
    )
    return Case(id=command, kind="functions", stdin=stdin), result


def of_calls(*calls: tuple[Case, CaseResult], visibility: Visibility = "visible") -> TestResult:
    """Return a test of functions."""
    cases, results = zip(*calls, strict=True)
    return judge_test(Test(name="calls", points=Fraction(1), cases=cases, visibility=visibility), results)


@each_row
def test_what_a_wrong_value_is_instead(calls: list[list[str]], told: list[str]) -> None:
    test = of_calls(*(called(command, (actual, expected)) for command, actual, expected in calls))
    assert hints(test) == told


def test_the_values_in_the_sentences_of_unit_tests_are_related_by_what_is_called() -> None:
    """Of one that passed nothing is known, and what another function returned is another matter."""
    said = (
        "`f.days(1, 3)` returned `2`; `3` is expected",
        "`f.days(4, 10)` returned `6`; `7` is expected",
        "f(1) is 2",
    )
    failed = CaseResult(
        id="", verdict=Verdict.FAILED, credit=Fraction(0), command="", run=summarise(Execution(status=0))
    )
    results = [replace(failed, id=str(at), message=Message(f"`test`: {text}.")) for at, text in enumerate(said)]
    results.append(replace(failed, id="3", verdict=Verdict.PASSED, credit=Fraction(1)))
    calls = of_calls(*((Case(id=it.id, kind="unit"), it) for it in results))
    assert hints(calls) == [f"{n} is 1 less than expected, as in each case that is wrong there." for n in (2, 6)]
    assert hints(replace(calls, test=replace(calls.test, visibility="hidden"))) == []


def test_the_values_of_functions_are_related_and_those_of_each_test_alone() -> None:
    wrong = called("median([30, 12, 17])", ("12", "17")), called("median([40, 10, 30, 25])", ("20.0", "27.5"))
    first = of_calls(*wrong, called("median([1, 2, 3])", None))
    told = "12 is the median of them unsorted; 17 is the median of all numbers such as 30 in `median([30, 12, 17])`."
    assert hints(first, of_calls(called("total([30, 12, 17])", ("58", "59"))))[0] == told
    assert hints(replace(first, test=replace(first.test, visibility="hidden"))) == []


def test_a_trait_of_calls_needs_right_ones() -> None:
    wrong = [called(f"is_palindrome('{name}')", ("False", "True")) for name in ("Anna", "Otto")]
    right = [called(f"is_palindrome('{name}')", None) for name in ("anna", "abc", "otto")]
    told = ["Of the answers shown, those whose input has a capital letter are wrong, and only those."]
    assert (hints(of_calls(*wrong, *right)), hints(of_calls(*wrong, *right[:2]))) == (told, [])


def test_neither_the_name_of_a_function_nor_what_a_right_one_returned_is_a_trait() -> None:
    wrong = [called(f"isPrime({n})", ("False", "True")) for n in (7, 9)]
    assert hints(of_calls(*wrong, *[called(f"is_even({n})", None) for n in (3, 4, 5)])) == []


def test_functions_that_print_nothing_do_not_print_the_same() -> None:
    calls = [called(f"read({n})", (f"'{n}'", f"'a{n}'"), stdin=b"%d\n" % n) for n in range(4)]
    assert hints(of_calls(*calls)) == []
