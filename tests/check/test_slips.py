"""The rules of `lint` on commands, on texts that YAML reads otherwise, and on what the reference shows."""

from pathlib import Path

import pytest

from grader.check.runner import asking, examine
from tests.support.courses import course
from tests.support.rows import each_row

HEAD = "spec: 1\nid: echo\ntitle: Echo\nlanguage: python\nfiles: {required: [echo.py]}\nprogram: python3 echo.py\n"
TEST = "tests:\n  - name: one\n    args: [a]\n    expect: {stdout: a}\n"
C = "spec: 1\nid: echo\ntitle: Echo\nlanguage: c\nfiles: {required: [echo.c]}\n"
JAVA = "spec: 1\nid: echo\ntitle: Echo\nlanguage: java\nfiles: {required: [Echo.java]}\n"


def found(folder: Path, text: str) -> list[str]:
    """Return what is found in a spec without running anything: rule, line and message."""
    (folder / "data").mkdir(exist_ok=True)
    (folder / "data" / "in.txt").write_text("5 3\n")
    path = folder / "x.yaml"
    path.write_text(text)
    return [f"{one.rule} {one.line} {one.message}" for one in examine(path, None).remarks]


def one_test(*lines: str) -> str:
    """Return a spec with one test of these lines."""
    return HEAD + "tests:\n  - name: one\n" + "".join(f"    {line}\n" for line in lines)


RIGHT = [
    # commands
    HEAD.replace("python3 echo.py", "sh -c 'python3 echo.py \"$@\" | sort > out' sh") + TEST,
    JAVA + "build: {run: \"sh -c 'javac *.java'\", produces: ['*.class']}\nprogram: java -cp lib/*:. Echo\n" + TEST,
    C + "build: {run: [gcc -c echo.c, gcc -o echo echo.o], produces: [echo]}\nprogram: ./echo\n" + TEST,
    C.replace("echo.c", "'*.c'")
    + "build: {run: gcc -o echo echo.c list.c, produces: [echo]}\nprogram: ./echo\n"
    + TEST,
    C + "build: {run: make echo, produces: [echo]}\nprogram: ./echo\n" + TEST,
    C + "build: {run: make, produces: [echo], with: {Makefile: 'echo: echo.c'}}\nprogram: ./echo\n" + TEST,
    C.replace("[echo.c]", "[echo.c, {any: [Makefile, makefile]}]") + "build: {run: make}\nprogram: ./echo\n" + TEST,
    C.replace("files: {required: [echo.c]}\n", "") + "build: {run: make}\nprogram: ./echo\n" + TEST,
    HEAD.replace("[echo.py]", "[{any: [echo.py, Echo.py]}]") + TEST,
    HEAD.replace("[echo.py]", "[README], optional: [echo.py]") + TEST,
    HEAD.replace("[echo.py]", "[src/echo.py]").replace("python3 echo", "python3 src/echo") + TEST,
    HEAD.replace("files: {required: [echo.py]}\n", "") + TEST,
    HEAD.replace("python3 echo.py", "python3 -m echo") + TEST,
    HEAD.replace("[echo.py]", "[echo.ipynb]").replace("language: python", "language: notebook") + TEST,
    one_test("source: {forbid: [{call: eval}], files: [echo.py]}").replace(
        "program: python3 echo.py", "program: ./echo"
    ),
    # what YAML reads
    HEAD.replace("title: Echo", "title: Echo # the first one") + TEST,
    HEAD.replace("title: Echo", "title: C# basics") + TEST,
    HEAD.replace("title: Echo", "title: 'Lab #3' #draft") + TEST,
    # the same input
    HEAD + "tests:\n  - {name: one, args: [a], expect: {stdout: a}}\n"
    "  - {name: two, args: [a], tolerate: {letter-case: 50%}, expect: {stdout: 'A ', exit: 0}}\n",
    HEAD + "tests:\n  - {name: one, args: [a], expect: {stdout: {contains: a}}}\n"
    "  - {name: two, args: [a], expect: {stdout: {contains: b}}}\n",
    HEAD + "tests:\n  - {name: one, args: [a], expect: {stdout: {any: [a, b]}}}\n"
    "  - {name: two, args: [a], expect: {stdout: b, exit: 0}}\n",
    HEAD + 'tests:\n  - {name: one, args: [a], tolerate: {extra-lines: 100%}, expect: {stdout: "a\\nb\\n"}}\n'
    "  - {name: two, args: [a], expect: {stdout: a}}\n",
    HEAD + "tests:\n  - {name: one, args: [a], env: {A: b}, expect: {stdout: a}}\n"
    "  - {name: two, args: [a], expect: {stdout: b}}\n",
    HEAD + "tests:\n  - {name: one, args: [a], expect: {exit: [0, 1], stdout: a}}\n"
    "  - {name: two, args: [a], expect: {exit: 1, stdout: a}}\n",
    HEAD + "tests:\n  - {name: one, args: [a], expect: {stdout: a}}\n"
    "  - {name: two, visibility: hidden, args: [b], expect: {stdout: b}}\n",
    HEAD + "tests:\n  - {name: one, args: [a], expect: {stdout: {numbers: [1, 2]}}}\n"
    "  - {name: two, args: [a], expect: {stdout: {numbers: [1.0, 2]}, exit: 0}}\n",
    # points
    HEAD.replace("Echo", "The closest 2 points") + TEST,
    HEAD.replace("Echo", "Echo (1 point)") + TEST,
    HEAD.replace("title: Echo", "title: Echo\nabout: 'The total points: 21 are printed for 10 cards.'")
    + TEST.replace("    args", "    points: 21\n    args"),
]


@pytest.mark.parametrize("text", RIGHT)
def test_a_spec_that_only_looks_wrong_is_left_alone(text: str, tmp_path: Path) -> None:
    assert found(tmp_path, text) == []


@each_row
def test_what_only_looks_wrong_is_left_alone(lines: tuple[str, ...], tmp_path: Path) -> None:
    assert found(tmp_path, one_test(*lines)) == []


WRONG = [
    (
        HEAD.replace("echo.py\n", "echo.py; echo done\n") + TEST,
        "no-shell 6 ",
        "`sh -c 'python3 echo.py \"$@\"; echo done' sh`",
    ),
    (HEAD.replace("echo.py\n", "echo.py 2>/dev/null\n") + TEST, "no-shell 6 ", '"$@" 2>/dev/null\' sh`'),
    (
        HEAD + "tests:\n  - {name: one, args: [a], expect: {stdout: {numbers: [1, 2]}}}\n"
        "  - {name: two, args: [a], expect: {stdout: {numbers: [1, 3]}}}\n",
        "never-passes 9 ",
        "`two` is given the same as `one`",
    ),
    (JAVA + "build: {run: javac Echo.java}\nprogram: java Main\n" + TEST, "missing-file 7 ", "`Main.java`"),
    (
        HEAD.replace("title: Echo", "title: 'Echo, 20 pts'") + TEST,
        "points-told 3 ",
        "says 20 points, and the tests have 1",
    ),
    (HEAD.replace("title: Echo", "title: Echo\nabout: Total points 100.") + TEST, "points-told 4 ", "says 100 points"),
    (HEAD + TEST.replace("name: one", "name: one (5 points)"), "points-told 8 ", "says 5 points, and the test has 1"),
]


@pytest.mark.parametrize(("text", "start", "told"), WRONG)
def test_a_wrong_spec_is_told_where_it_is(text: str, start: str, told: str, tmp_path: Path) -> None:
    remarks = [one for one in found(tmp_path, text) if not one.startswith("repeated-case")]
    assert len(remarks) == 1
    assert all(one.startswith(start) and told in one for one in remarks), remarks


@each_row
def test_what_is_wrong_is_told_where_it_is(lines: tuple[str, ...], start: str, told: str, tmp_path: Path) -> None:
    test_a_wrong_spec_is_told_where_it_is(one_test(*lines), start, told, tmp_path)


ARGUMENTS = "import sys\nprint(*sys.argv[1:])\n"
LOG = "print('read', len(sys.argv), file=sys.stderr)\n"
SHOWN = [
    # what writes to standard error only where it fails, or asks there, left nothing behind
    (ARGUMENTS + "if sys.argv[1] == 'b': print('log', file=sys.stderr)\n", "{stdout: reference}", []),
    (ARGUMENTS + "print('Enter: ', file=sys.stderr, end='')\n", "{stdout: reference}", []),
    (ARGUMENTS + LOG, "{stdout: reference, stderr: reference}", []),
    (ARGUMENTS + LOG, "{stdout: reference}", ["debug-output 7"]),
    ("print('debug 1')\n" + ARGUMENTS, "reference", ["debug-output 12"]),
    (ARGUMENTS.replace("*sys", "'tracing', *sys"), "reference", []),
    (ARGUMENTS, "{stdout: {regex: '^[ab]$'}}", []),
    (ARGUMENTS + "print('1.5')\n", "{stdout: {regex: '1.5'}}", ["text-as-pattern 12"]),
    (ARGUMENTS + "print('1.5')\n", r"{stdout: {regex: '1\.5'}}", []),
]


@pytest.mark.parametrize(("reference", "expect", "rules"), SHOWN)
def test_what_the_reference_shows(reference: str, expect: str, rules: list[str], tmp_path: Path) -> None:
    spec = (
        HEAD
        + "reference: python3 reference/echo.py\n"
        + (f"tests:\n  - name: one\n    cases: [{{args: [a]}}, {{args: [b]}}]\n    points: 2\n    expect: {expect}\n")
    )
    path = course(tmp_path, spec, reference)
    remarks = examine(path, asking("auto", 2)).remarks
    assert [f"{one.rule} {one.line}" for one in remarks] == rules, remarks


def test_a_program_that_generates_is_told_with_its_line_and_seed(tmp_path: Path) -> None:
    spec = (
        HEAD
        + "reference: python3 reference/echo.py\nseed: course\ntests:\n  - name: one\n"
        + ("    args: [a]\n    stdin: {generate: reference/make.py}\n    expect: reference\n")
    )
    path = course(tmp_path, spec)
    (tmp_path / "reference" / "make.py").write_text("import sys\nprint(sys.argv[2])\n")
    (tmp_path / "draws.secret").write_text("nobody guesses this one\n")
    (tmp_path / "draws.secret").chmod(0o600)
    (remark,) = [one for one in examine(path, asking("auto", 1)).remarks if one.level == "error"]
    assert (remark.rule, remark.line) == ("course-function", 12)
    assert remark.message.startswith("reference/make.py ")
    assert "IndexError" in remark.message
