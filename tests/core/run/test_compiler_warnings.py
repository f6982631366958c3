"""What a compiler warns of in a wrong program, in plain words."""

from pathlib import Path

import pytest

from grader.core.model import Execution, Launch, Toolchain
from grader.core.run.compiler_warnings import plainest_warning, warning_of_compiler


def log(kind: str, text: str, source: str = "    x = y;") -> str:
    return f"a.c: In function ‘main’:\na.c:7:3: warning: {text} [-W{kind}]\n    7 | {source}\n      | ^~~\n"  # noqa: RUF001


@pytest.mark.parametrize(
    ("kind", "text", "told"),
    [
        ("maybe-uninitialized", "‘sum’ may be used uninitialized", "`sum` may be used before it has a value."),  # noqa: RUF001
        ("infinite-recursion", "infinite recursion detected", "the recursion of `main` has no end."),
        ("return-type", "control reaches end of non-void function", "`main` may end without `return`."),
        (
            "parentheses",
            "suggest parentheses around assignment used as truth value",
            "`=` in a condition assigns a value; `==` compares.",
        ),
        (
            "format=",
            "format ‘%d’ expects argument of type ‘int *’, but argument 2 has type ‘int’",  # noqa: RUF001
            "argument 2 has to be an address; is `&` missing?",
        ),
        (
            "format=",
            "format ‘%d’ expects argument of type ‘int’, but argument 2 has type ‘double’",  # noqa: RUF001
            "format `%d` expects argument of type `int`, but argument 2 has type `double`.",
        ),
        ("parentheses", "suggest parentheses around ‘&&’ within ‘||’", ""),  # noqa: RUF001
        ("unused-variable", "unused variable ‘x’", ""),  # noqa: RUF001
    ],
)
def test_a_warning_in_plain_words(kind: str, text: str, told: str) -> None:
    begin = "The compiler warns of line 7 of `a.c`, `x = y;`: "
    assert plainest_warning(log(kind, text)) == (told and begin + told)


def test_the_plainest_of_several_is_told() -> None:
    both = log("unused-value", "statement has no effect") + log("return-type", "control reaches end")
    assert "may end without `return`" in plainest_warning(both)
    assert plainest_warning("") == plainest_warning("a.c:7:3: error: no\n") == ""


def test_only_sources_of_the_language_are_compiled_and_no_option_is_one(tmp_path: Path) -> None:
    started: list[Launch] = []

    def execute(launch: Launch) -> Execution:
        started.append(launch)
        return Execution(status=0, stderr=log("return-type", "control reaches end").encode())

    for name in ("a.c", "b.txt", "-fplugin=x.c"):
        (tmp_path / name).write_text("")
    launch = Launch(argv=("./a",), folder=tmp_path)
    assert warning_of_compiler(launch, Toolchain(name="c"), execute)
    assert started[0].argv[-2:] == ("-c", "a.c")
    assert warning_of_compiler(launch, Toolchain(name="python"), execute) == ""
    assert warning_of_compiler(launch, Toolchain(name="cpp"), execute) == ""
    assert len(started) == 1
