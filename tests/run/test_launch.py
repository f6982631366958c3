from dataclasses import replace

import pytest

from grader.model import Argument, Draw, FunctionCase, PlainValue
from grader.run import call_text
from tests.support.functions import call, function


def text(case: FunctionCase) -> str:
    return call_text(case, "python" if case.call.signature.text.startswith("def ") else "java")


@pytest.mark.parametrize(
    ("heading", "value", "written"),
    [
        ("void f(int[][] B)", ((0, 0), (0, 0), (0, 0)), "new int[3][2]"),
        ("void f(int[][] B)", ((0, 0), (0, 1)), "new int[][] {{0, 0}, {0, 1}}"),
        ("void f(int[][] B)", ((), (-1,)), "new int[][] {{}, {-1}}"),
        ("void f(int[] B)", (0,), "new int[1]"),
        ("void f(int[] B)", (), "new int[] {}"),
        ("void f(boolean[] B)", (True, False), "new boolean[] {true, false}"),
        ("void f(String[] B)", ("a", 'é"\n'), 'new String[] {"a", "é\\"\\n"}'),
        ("void f(char c)", "'", "'\\''"),
        ("void f(char c)", "x", "'x'"),
        ("void f(long l)", 3, "3L"),
        ("void f(double d)", 1.5, "1.5"),
        ("void f(Boolean b)", None, "null"),
        ("def f(b)", ((0, 0), (0, 0)), "[[0] * 2 for _ in range(2)]"),
        ("def f(b)", ((0, 1), ()), "[[0, 1], []]"),
        ("def f(b)", (0, 0), "[0, 0]"),
        ("def f(b)", ((0, 0),), "[[0, 0]]"),
        ("def f(b)", (None, True, "é'"), '[None, True, "é\'"]'),
    ],
)
def test_a_value_is_written_in_the_language_of_the_function(heading: str, value: PlainValue, written: str) -> None:
    assert text(function(heading, value)) == f"f({written})"


def test_what_calls_share_is_a_variable() -> None:
    case = function(
        "void placeQueen(int[][] B, int i, int j)",
        ((0, 0), (0, 0)),
        1,
        0,
        before=[call("void init()"), replace(call("void n(int n)", 8), sets=True)],
        then=[call("void removeQueen(int[][] B, int i, int j)", Argument(position=0), Argument(position=1), 0)],
    )
    assert text(case) == (
        "int[][] B = new int[2][2]; int i = 1; init(); n = 8; placeQueen(B, i, 0); removeQueen(B, i, 0)"
    )


def test_what_python_calls_share_is_a_variable_too() -> None:
    case = function("def f(b)", (0, 1), then=[call("def g(b)", Argument(position=0))])
    assert text(case) == "b = [0, 1]; f(b); g(b)"


def test_what_is_not_drawn_yet_is_left_out() -> None:
    case = replace(function("def f(b)"), draw=Draw(function="a.py:f", seed="", index=0))
    assert text(case) == "f(...)"
