"""What several cases show together: a program that ignores what it is given, or is one off each time."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Literal

import pytest
from msgspec.structs import replace

from grader.core.judge.across_cases import hint_across_cases
from grader.core.judge.case import judge
from grader.core.judge.totals import judge_test
from grader.core.model.execution import Execution
from grader.core.model.judgement import CaseResult, Contrast, Deviation, Job, TestResult, Verdict
from grader.core.model.spec import Case, Expectation, Leaf, Test
from grader.core.model.submission import Submission
from grader.core.model.toolchain import Toolchain
from grader.core.pipeline import grade, prepare

ANY = Toolchain(name="any")
BEFORE = "For `5` it prints the answer for `4`, and so on 2 more times: as if it counted from 0."
BEHIND = "For `4` it prints the answer for `5`, and so on 2 more times: one step too far."
SMALL = "Every wrong number is 1 too small, as if it counted from 0."
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
    pairs = zip(results, hint_across_cases(results), strict=True)
    messages = [(one, two) for before, after in pairs for one, two in zip(before.cases, after.cases, strict=True)]
    assert all(two.message.startswith(one.message) and one.credit == two.credit for one, two in messages)
    added = [two.message.removeprefix(one.message).strip() for one, two in messages]
    assert not any(text for text, (one, _) in zip(added, messages, strict=True) if one.verdict is Verdict.PASSED)
    return [text for text in dict.fromkeys(added) if text]


def table(
    answer: str, wanted: str = "F({n}) = {f}\n", numbers: Sequence[int] = (4, 5, 6, 7)
) -> dict[str, tuple[str, str]]:
    """Return what is printed and expected for each number; `{f}`, `{before}` and `{behind}` are answers."""
    found = {}
    for n in numbers:
        values = {"n": n, "f": FIBONACCI[n], "before": FIBONACCI[n - 1], "behind": FIBONACCI[n + 1]}
        values |= {"less": FIBONACCI[n] - 1, "more": FIBONACCI[n] + 1, "square": n * n}
        found[str(n)] = (answer.format(**values), wanted.format(**values))
    return found


@pytest.mark.parametrize(
    ("printed", "told"),
    [
        (table("F({n}) = {f}\n"), []),
        (table("F({n}) = {square}\n"), []),
        (table("F(5) = 5\n"), ["Your program prints the answer for `5` whatever its argument is."]),
        (table("F({n}) = 5\n"), ["Your program prints the answer for `5` whatever its argument is."]),
        (
            table("F({n}) = 99\n"),
            ["Your program prints the same for 4 different arguments: it seems to ignore its argument."],
        ),
        # What it was given is printed in the place of the answer: that is another output each time.
        (table("F({n}) = {n}\n", numbers=(4, 6, 7)), []),
        # It takes no number at all, and says so.
        (table("Usage: fib number\n"), []),
        (table("\n"), []),
        (table("5\n", numbers=(5, 6)), []),
        (table("F({n}) = {before}\n"), [BEFORE]),
        (table("F({n}) = {behind}\n"), [BEHIND]),
        (table("{before}\n", "{f}\n", (5, 6)), []),  # one alone may be an accident
        (table("F({n}) = {less}\n", numbers=(6, 7)), [SMALL]),
        (table("F({n}) = {more}\n", numbers=(6, 7)), ["Every wrong number is 1 too large."]),
        ({"x": ("row 0, column 3\n", "row 1, column 4\n")}, [SMALL]),
        ({"x": ("row 0, column 3\n", "row 1, column 3\n")}, []),
        ({"x": ("row 0, column 5\n", "row 1, column 4\n")}, []),
        ({"x": ("row 0, line 3\n", "row 1, column 4\n")}, []),
        # Whether a number is even has two answers: three that are the same show nothing, five do.
        ({str(n): ("odd\n", "odd\n" if n % 2 else "even\n") for n in (3, 4, 5)}, []),
        (
            {str(n): ("odd\n", "odd\n" if n % 2 else "even\n") for n in range(3, 9)},
            ["Your program prints the same for 6 different arguments: it seems to ignore its argument."],
        ),
    ],
)
def test_what_cases_show_together(printed: dict[str, tuple[str, str]], told: list[str]) -> None:
    assert hints(graded(printed)) == told


def test_what_is_typed_and_ignored_is_named() -> None:
    constant = table("F(5) = 5\n")
    assert hints(graded(constant, typed=True)) == ["Your program prints the answer for `5` whatever its input is."]


def test_tests_with_a_case_each_are_seen_together() -> None:
    tests = [graded({asked: texts}, name=f"of {asked}") for asked, texts in table("F(5) = 5\n").items()]
    assert hints(*tests) == ["Your program prints the answer for `5` whatever its argument is."]


def test_a_hidden_test_is_named_in_no_other() -> None:
    hidden, *visible = [
        graded({asked: texts}, name=f"of {asked}", visibility="visible" if number else "hidden")
        for number, (asked, texts) in enumerate(table("F(4) = 3\n", numbers=(4, 5, 6, 7)).items())
    ]
    assert "`4`" not in "".join(hints(hidden, *visible))


SPEC = """\
spec: 1
id: fib
title: Fibonacci
language: python
files: {required: [fib.py]}
program: python3 fib.py
reference: python3 reference/fib.py
tests:
  - name: numbers
    each: {n: 3..6}
    args: ["{n}"]
    expect: {stdout: reference}
  - name: places
    cases: [{stdin: "3 1 2\\n2\\n"}, {stdin: "3 1 2\\n1\\n"}, {stdin: "7 8 9\\n7\\n"}]
    expect: {stdout: reference}
"""
FIB = """\
import sys

if len(sys.argv) > 1:
    a, b = 0, 1
    for _ in range(int(sys.argv[1])):
        a, b = b, a + b
    print(f"The number is {a}.")
else:
    numbers = input().split()
    print("Found at place", numbers.index(input().strip()) + 1)
"""
WORKS = {
    "right": (FIB, set[str]()),
    "constant": (
        FIB.replace("{a}", "5"),
        {"Your program prints the answer for `5` whatever its argument is."},
    ),
    "zero": (
        FIB.replace("sys.argv[1])", "sys.argv[1]) - 1").replace(" + 1)", ")"),
        {
            BEFORE.replace("4", "3").replace("5", "4"),
            SMALL,
        },
    ),
    "another": (FIB.replace("a + b", "a * b + 1"), set[str]()),
}


def test_real_programs_are_told_what_their_outputs_have_in_common(tmp_path: Path) -> None:
    for folder, name, text in (("specs", "fib.yaml", SPEC), ("reference", "fib.py", FIB)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_text(text)
    course = prepare(tmp_path / "specs/fib.yaml")
    for name, (text, told) in WORKS.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "fib.py").write_text(text)
        job = Job(spec=tmp_path / "specs/fib.yaml", submission=Submission(id=name, path=tmp_path / name))
        messages = [case.message for test in grade(job, course).tests for case in test.cases]
        found = {hint for hint in told if any(message.endswith(f". {hint}") for message in messages)}
        assert found == told, messages
        if not told:
            assert not any("prints the" in message or "Every wrong" in message for message in messages)


@pytest.mark.parametrize(
    ("values", "right", "told"),
    [
        (
            [("7", "2"), ("7", "3"), ("7", "5")],
            0,
            "The returned value is the same in 3 calls with different arguments.",
        ),
        (
            [("7", "2"), ("7", "3"), ("7", "5")],
            1,
            "The returned value is the same in 3 calls with different arguments.",
        ),
        ([("7", "2"), ("7", "3"), ("7", "5")], 2, ""),
        ([("7", "2"), ("7", "3"), ("7", "3")], 0, ""),
        # It returns nothing at all: what it does with its arguments is not known.
        ([("None", "2"), ("None", "3"), ("None", "5")], 0, ""),
        ([("1", "2"), ("4", "5")], 1, SMALL),
        ([("719", "720"), ("5039", "5040")], 0, "Every wrong number is 1 too small."),
        ([("3", "2"), ("6", "5")], 2, "Every wrong number is 1 too large."),
        ([("3", "2"), ("6", "5")], 3, ""),
        ([("0", "-1"), ("0", "-1")], 0, ""),  # one value, which has another cause than counting
        ([("1", "2"), ("6", "5")], 0, ""),
        ([("1", "2")], 0, ""),
        ([("[1]", "[2]"), ("[4]", "[5]")], 0, ""),
    ],
)
def test_what_calls_show_together(values: list[tuple[str, str]], right: int, told: str) -> None:
    wrong = Deviation(kind="wrong", stream="call", message="`f` is wrong.")
    cases = [
        CaseResult(
            id=f"f[{number}]",
            verdict=Verdict.FAILED,
            credit=Fraction(0),
            command="f()",
            message=wrong.message,
            deviations=(wrong,),
            contrasts=(Contrast(name="returned value", expected=f"{expected}\n", actual=f"{actual}\n"),),
        )
        for number, (actual, expected) in enumerate(values)
    ]
    passed = [CaseResult(id=f"g[{n}]", verdict=Verdict.PASSED, credit=Fraction(1), command="f()") for n in range(right)]
    every = (*cases, *passed)
    test = Test(name="f", points=Fraction(1), cases=tuple(Case(id=one.id) for one in every))
    assert hints(judge_test(test, every)) == ([told] if told else [])
