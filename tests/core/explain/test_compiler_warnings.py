"""What a compiler warns of in a wrong program, in plain words."""

import subprocess
from fractions import Fraction
from pathlib import Path

import pytest

from grader.core.explain.explaining import _places_in
from grader.core.explain.reasons import plainest_warning, warning_of_compiler
from grader.core.model.execution import Execution, Launch
from grader.core.model.report import CaseResult, Message, Verdict
from grader.core.model.spec import Toolchain
from tests.support.packages import lay
from tests.support.rows import each_row

NONE = (("", 0), "")


def log(kind: str, text: str, source: str = "    x = y;") -> str:
    return f"a.c: In function ‘main’:\na.c:7:3: warning: {text} [-W{kind}]\n    7 | {source}\n      | ^~~\n"  # noqa: RUF001


@each_row
def test_a_warning_in_plain_words(kind: str, text: str, told: str) -> None:
    begin = "The compiler warns of line 7 of `a.c`, `x = y;`: "
    found = plainest_warning(log(kind, text))
    assert found == ((("a.c", 7), begin + told) if told else NONE)


@each_row
def test_the_line_itself_decides_what_a_warning_means(kind: str, text: str, source: str, told: str) -> None:
    assert plainest_warning(log(kind, text, source))[1].endswith(f"`{source}`: {told}")


def test_the_plainest_of_several_is_told() -> None:
    both = log("unused-value", "statement has no effect") + log("return-type", "control reaches end")
    assert "may end without `return`" in plainest_warning(both)[1]
    assert plainest_warning("") == plainest_warning("a.c:7:3: error: no\n") == NONE


@each_row
def test_the_function_around_is_told_by_its_name(function: str, name: str) -> None:
    said = log("return-type", "control reaches end").replace("main", function)
    assert f"`{name}` may end without `return`" in plainest_warning(said)[1]


@pytest.mark.parametrize("line", ["a *" * 50_000, "ab" * 50_000, "(" * 50_000, "a (" * 50_000 + "’"])  # noqa: RUF001
def test_a_line_of_the_source_that_looks_like_a_heading_costs_linear_time(line: str) -> None:
    both = log("unused-value", "statement has no effect", f"x: In function ‘{line}") + log("return-type", "control")  # noqa: RUF001
    assert plainest_warning(both)[0] == ("a.c", 7)


def test_only_sources_of_the_language_are_compiled_and_no_option_is_one(tmp_path: Path) -> None:
    started: list[Launch] = []

    def execute(launch: Launch) -> Execution:
        started.append(launch)
        return Execution(status=0, stderr=log("return-type", "control reaches end").encode())

    lay(tmp_path / "work", dict.fromkeys(("a.c", "b.txt", "-fplugin=x.c", "e.cpp"), ""))
    for name in ("gcc", "g++"):
        (tmp_path / name).write_text('#!/bin/sh\necho "$@"\n')
        (tmp_path / name).chmod(0o755)
    launch = Launch(argv=("./a",), folder=tmp_path / "work")
    assert warning_of_compiler(launch, Toolchain(name="c"), execute)[1]
    assert warning_of_compiler(launch, Toolchain(name="cpp"), execute)[1]
    path = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    runs = [subprocess.run(it.argv, cwd=it.folder, env=path, capture_output=True, check=True) for it in started]
    assert [run.stdout.decode().split(" -c ")[1] for run in runs] == ["a.c\n", "e.cpp\n"]
    with pytest.raises(KeyError):  # then there is no hint
        warning_of_compiler(launch, Toolchain(name="python"), execute)


@each_row
def test_a_crash_whose_line_is_known_gets_no_warning_of_another(message: str, expected: bool) -> None:  # noqa: FBT001
    crash = CaseResult(id="a", verdict=Verdict.CRASHED, credit=Fraction(0), command="", message=Message("", (message,)))
    places = _places_in(crash)
    assert (not places or ("a.c", 7) in places) is not expected
