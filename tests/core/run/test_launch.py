import subprocess
from pathlib import Path

import pytest
from msgspec.structs import replace

from grader.core.model.execution import Execution
from grader.core.model.limits import Limits
from grader.core.model.spec import Case, Expectation, Expected, GeneratedInput, Leaf, Spec, Toolchain
from grader.core.model.values import Argument, PlainValue
from grader.core.run.runner import limits_of, limits_of_case, repeat_text
from grader.kinds.functions.model import FunctionCase, call_text
from tests.support.functions import call, function
from tests.support.rows import each_row, read_data

TELLS = read_data(__file__)["TELLS"]


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
    case = replace(function("def f(b)"), generated_input=GeneratedInput(function="a.py:f", seed="", index=0))
    assert text(case) == "f(...)"


# ---------------------------------------------------------------- to be pasted


@pytest.mark.parametrize("shell", ["sh", "bash"])
@each_row
def test_the_command_to_repeat_a_case_can_be_pasted(case: Case, shown: str, shell: str, tmp_path: Path) -> None:
    spec = Spec(id="x", title="x", root=tmp_path, digest="", tests=(), program=("./tell",))
    written = repeat_text(case, spec)
    assert written.isprintable()
    assert written == shown or not shown
    (tmp_path / "tell").write_text(TELLS)
    (tmp_path / "tell").chmod(0o755)
    done = subprocess.run(
        [shell, "-c", written],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
        timeout=20,
    )
    files = sorted((name.rpartition("/")[2], data) for name, data in case.files.items())
    assert (done.stderr, done.stdout) == ("", ascii((list(case.args), case.stdin, dict(case.env), files)))


def test_what_is_too_long_to_be_typed_is_in_a_file() -> None:
    spec = Spec(id="x", title="x", root=Path(), digest="", tests=(), program=("./tell",))
    case = Case(id="a", stdin=b"1\n" * 500, files={"long.txt": b"\xff" * 100, "short.txt": b"1"})
    assert repeat_text(case, spec) == "printf '1' > short.txt && ./tell < stdin.txt"


# ---------------------------------------------------------------- how much a run may write

MIB = 2**20
REFERENCE = Leaf(how="text")


@each_row
def test_a_run_may_write_a_multiple_of_what_is_right(
    stdout: Expected | None, stderr: Expected | None, right: Execution | None, most: int
) -> None:
    python = Toolchain(name="python")
    case = Case(id="a", expect=Expectation(stdout=stdout, stderr=stderr))
    assert limits_of_case(case, python, right).output == most
    said = replace(case, limits={"output": 5.0})
    assert limits_of_case(said, python, right).output == 5


def test_the_right_answer_counts_by_the_longer_of_its_streams() -> None:
    right = Execution(stdout=bytes(MIB // 4), stderr=bytes(MIB // 2))
    case = Case(id="a", expect=Expectation(stdout=REFERENCE))
    assert limits_of_case(case, Toolchain(name="python"), right).output == 4 * MIB


def test_functions_have_the_usual_limit() -> None:
    case = Case(id="a", kind="functions", payload=function("def f(b)", 1), expect=Expectation(stdout=REFERENCE))
    assert limits_of_case(case, Toolchain(name="python"), Execution(stdout=b"")).output == 8 * MIB


def test_what_skips_lines_has_the_usual_limit() -> None:
    case = Case(id="a", expect=Expectation(stdout=Leaf(how="lines", want=("a",), skip="a")))
    assert limits_of_case(case, Toolchain(name="python")).output == 8 * MIB


# ---------------------------------------------------------------- what a spec asks for, over what the toolchain gives


@each_row
def test_limits_that_a_spec_asks_for(toolchain: dict[str, float], asked: dict[str, float], limits: Limits) -> None:
    found = limits_of(toolchain, asked)
    assert found == limits
    assert [type(one) for one in (found.memory, found.output, found.processes)] == [int, int, int]
