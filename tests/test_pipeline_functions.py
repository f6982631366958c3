"""Function cases from the spec to the report, in both languages."""

import json
from pathlib import Path

import pytest

from grader.core.model.layout import Submission
from grader.core.model.report import Job, Report, ReportedCase, Verdict
from grader.core.pipeline import grade, prepare
from grader.core.report.json import to_json
from grader.core.report.junit import to_junit
from tests.support.report_samples import to_feedback

JAVA = """\
spec: 1
id: queens
title: Queens
language: java
files: {required: [Queens.java]}
build: {run: ['sh -c "javac *.java"'], produces: ["*.class"]}
program: java Queens
reference: python3 reference/queens.py
tests:
  - name: place
    points: 4
    functions:
      in: Queens
      declare: static void placeQueen(int[][] B, int i, int j)
      calls:
        - {args: [{zeros: [3, 3]}, 1, 2], expect: {args: {0: [[0, 0, 0], [2, 0, 1], [0, -1, -1]]}}}
        - {generate: 'reference/queens.py:placements', count: 2, expect: {args: {0: reference}}}
        - args: [{zeros: [5, 5]}, 2, 4]
          then: [{declare: "static void removeQueen(int[][] B, int i, int j)", args: [{argument: 0}, 2, 4]}]
          expect: {args: {0: {zeros: [5, 5]}}}
  - name: print
    points: 2
    functions:
      in: Queens
      declare: static void printBoard(int[][] B)
      calls: [{args: [[[0, 0, 0], [2, 0, 1], [1, 1, 0]]], expect: {stdout: reference}}]
    tolerate: {trailing-space: 50%}
"""
QUEENS = """\
class Queens {
    static void placeQueen(int[][] B, int i, int j) { change(B, i, j, 1); B[i][0] = j; }
    static void removeQueen(int[][] B, int i, int j) { change(B, i, j, -1); B[i][0] = 0; }
    static void change(int[][] B, int i, int j, int by) {
        B[i][j] += by;
        for (int k = i + 1; k < B.length; k++)
            for (int c = 1; c < B.length; c++)
                if (c == j || Math.abs(c - j) == k - i) B[k][c] -= by;
    }
    static void printBoard(int[][] B) { System.out.println("(" + B[1][0] + ", " + B[2][0] + ")"); }
}
"""
REFERENCE = """\
def place_queen(B, i, j):
    B[i][j] += 1
    B[i][0] = j
    for k in range(i + 1, len(B)):
        for c in {j, j - k + i, j + k - i} & set(range(1, len(B))):
            B[k][c] -= 1

def print_board(B):
    print(tuple(row[0] for row in B[1:]))

def placements(random):
    while True:
        yield [[[0] * 5 for _ in range(5)], random.randint(1, 4), random.randint(1, 4)]
"""
PYTHON = """\
spec: 1
id: queens
title: Queens
language: python
files: {required: [four.py]}
program: python3 four.py
reference: python3 reference/queens.py
limits: {time: 2 s}
tests:
  - name: conflicts
    functions:
      in: four
      declare: def noConflicts(board, current)
      calls:
        - {args: [[0, 2], 1], expect: {returns: reference}}
        - {args: [[0, 1], 1], expect: {returns: reference, args: {0: [0, 1]}}}
"""
CHECK = """\
def no_conflicts(board, current):
    return all(abs(board[current] - row) not in {0, current - i} for i, row in enumerate(board[:current]))
"""


pytestmark = pytest.mark.usefixtures("shared_cache")


def course(folder: Path, spec: str, reference: str) -> Path:
    for name in ("specs", "reference"):
        (folder / name).mkdir()
    (folder / "reference" / "queens.py").write_text(reference)
    path = folder / "specs" / "queens.yaml"
    path.write_text(spec)
    return path


def handed_in(folder: Path, **files: str) -> Submission:
    folder.mkdir()
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text)
    return Submission(id=folder.name, path=folder)


def cases(report: Report, name: str) -> tuple[ReportedCase, ...]:
    return next(result.cases for result in report.tests if result.name == name)


@pytest.mark.slow
def test_java_from_the_spec_to_the_report(tmp_path: Path) -> None:
    spec = course(tmp_path, JAVA, REFERENCE)
    prepared = prepare(spec)
    assert prepared.prepared == prepare(spec).prepared
    right = grade(Job(spec=spec, submission=handed_in(tmp_path / "alice", Queens_java=QUEENS)), prepared)
    assert (right.verdict, right.score) == (Verdict.PASSED, 6)

    program = QUEENS.replace("== k - i", "== k - i - 1").replace('+ ")")', '+ ") ")').replace(" removeQueen", " remove")
    report = grade(Job(spec=spec, submission=handed_in(tmp_path / "bob", Queens_java=program)), prepared)
    first, *drawn, last = cases(report, "place")
    assert first.message == "After `placeQueen`, `B[2][1]` is 0; -1 is expected."
    assert first.command == "placeQueen(new int[3][3], 1, 2)"
    assert {case.verdict for case in drawn} <= {Verdict.PASSED, Verdict.FAILED}
    assert last.message == (
        "`Queens` has no `removeQueen`, but `static void remove(int[][], int, int)`; "
        "the assignment asks for `static void removeQueen(int[][] B, int i, int j)`."
    )
    (printed,) = cases(report, "print")
    assert (printed.verdict, printed.credit) == (Verdict.PARTIAL, 0.5)
    assert printed.stdout == "(2, 1) \n"

    feedback = to_feedback(report)
    assert "**To repeat it:** `placeQueen(new int[3][3], 1, 2)`" in feedback
    assert "Argument `B` (- expected, + yours):" in feedback
    assert "- [0, -1, -1]\n+ [0, 0, -1]" in feedback
    told = json.loads(to_json(report))["tests"][0]["cases"][0]
    assert told["values"] == [
        {
            "name": "argument `B`",
            "expected": "[0, 0, 0]\n[2, 0, 1]\n[0, -1, -1]\n",
            "actual": told["values"][0]["actual"],
        }
    ]
    assert b"placeQueen(new int[3][3], 1, 2)" in to_junit(report)


@pytest.mark.parametrize(
    ("program", "verdict", "message"),
    [
        (CHECK.replace("no_conflicts", "noConflicts"), Verdict.PASSED, ""),
        (
            CHECK,
            Verdict.FAILED,
            (
                "`four` has no `noConflicts`, but `def no_conflicts(board, current)`; "
                "the assignment asks for `def noConflicts(board, current)`."
            ),
        ),
        (
            "def noConflicts(board, current, n): ...",
            Verdict.FAILED,
            (
                "`four` has `def noConflicts(board, current, n)`; the assignment asks for `def noConflicts(board, "
                "current)`."
            ),
        ),
        (
            "def noConflicts(board, current): return board[9]",
            Verdict.CRASHED,
            (
                "`noConflicts` ended with `IndexError`: `list index out of range` in line 1 of `four.py`, "
                "`def noConflicts(board, current): return …`."
            ),
        ),
        (
            "def noConflicts(board, current):\n  exit()",
            Verdict.CRASHED,
            "`noConflicts` ended the program with `SystemExit` in line 2 of `four.py`, `exit()`.",
        ),
        ("import os; os._exit(0)", Verdict.CRASHED, "Loading `four` ended the whole program, with status 0."),
        (
            "def noConflicts(",
            Verdict.CRASHED,
            (
                "Python cannot read your program: `SyntaxError: '(' was never closed` in line 1 of `four.py`, "
                "`def noConflicts(`."
            ),
        ),
    ],
)
def test_python_from_the_spec_to_the_report(program: str, verdict: Verdict, message: str, tmp_path: Path) -> None:
    spec = course(tmp_path, PYTHON, CHECK)
    report = grade(Job(spec=spec, submission=handed_in(tmp_path / "alice", four_py=program)))
    assert {(case.verdict, case.message) for case in cases(report, "conflicts")} == {(verdict, message)}


@pytest.mark.slow
def test_a_loop_while_loading_is_told(tmp_path: Path) -> None:
    spec = course(tmp_path, PYTHON.replace("2 s", "500 ms"), CHECK)
    report = grade(Job(spec=spec, submission=handed_in(tmp_path / "alice", four_py="while True: pass")))
    first, _ = cases(report, "conflicts")
    if first.verdict is Verdict.UNGRADED:  # half of the 500 ms were not to be had in ten times as long
        assert first.message.startswith("The machine was too busy to measure your program: it took ")
        return
    assert first.verdict is Verdict.TIMEOUT
    assert "the limit is 0.5 s. " in first.message
    assert first.message.endswith("It was still loading `four`.")


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("def other(): ...", "the reference has no noConflicts with these parameters"),
        ("def no_conflicts(board): ...", "the reference has no noConflicts with these parameters"),
        (
            "def no_conflicts(board, current): 1 / 0",
            "the reference ended with `ZeroDivisionError` at reference/queens.py:1",
        ),
        ("1 / 0", "the reference has no noConflicts with these parameters"),
    ],
)
def test_a_reference_that_cannot_be_called_makes_ungraded(reference: str, message: str, tmp_path: Path) -> None:
    spec = course(tmp_path, PYTHON, reference)
    report = grade(Job(spec=spec, submission=handed_in(tmp_path / "alice", four_py=CHECK)))
    assert (report.verdict, report.score) == (Verdict.UNGRADED, None)
    assert all(message in case.message for case in cases(report, "conflicts"))


def test_a_reference_without_a_python_file_makes_ungraded(tmp_path: Path) -> None:
    spec = course(tmp_path, PYTHON.replace("python3 reference/queens.py", "cat reference/queens"), CHECK)
    (tmp_path / "reference" / "queens").touch()
    report = grade(Job(spec=spec, submission=handed_in(tmp_path / "alice", four_py=CHECK)))
    assert report.verdict is Verdict.UNGRADED
    assert "has no functions that could be called: name a file in Python" in cases(report, "conflicts")[0].message


def test_without_a_sandbox_the_calls_are_made_all_the_same(tmp_path: Path) -> None:
    spec = course(tmp_path, PYTHON, CHECK)
    program = CHECK.replace("no_conflicts", "noConflicts")
    job = Job(spec=spec, submission=handed_in(tmp_path / "alice", four_py=program), sandbox="none")
    assert grade(job).verdict is Verdict.PASSED


HAND_BUILT = """\
spec: 1
id: queens
title: Queens
language: java
files: {required: [Makefile, Queens.java]}
build: {run: ['sh -c "javac Queens.java && jar cfe Queens Queens *.class"'], produces: [Queens]}
repairs:
  - {name: no-makefile, about: There was no Makefile., when: {missing: [Makefile]}, costs: 1, run: 'sh -c "BY_HAND"'}
  - {name: other-name, about: It has another name., when: {missing: [Queens.java]}, costs: 1, run: 'sh -c "BY_HAND"'}
program: java -jar Queens
tests:
  - name: place
    functions: {in: Queens, declare: "static int place(int n)", calls: [{args: [3], expect: {returns: 9}}]}
""".replace(
    "BY_HAND",
    "javac -d . *.java && main=$(basename $(grep -l main *.java) .java | sed s/^P/p.P/) && "
    "jar cfe Queens $main $(find . -name \\*.class)",
)
HALF = """\
public class HalfQueens {
    static int place(int n) { return n * n; }
    public static void main(String[] a) {}
}
"""
HELPER = "class Other {\n static int place(int n) { return 0; }\n}\n"
ABSENT = "There is no class `Queens`; there is "
NAMED: dict[str, tuple[dict[str, str], str]] = {
    "another name": ({"HalfQueens.java": HALF}, ""),
    "wrong": ({"HalfQueens.java": HALF.replace("n * n", "n + n")}, "`place(3)` returned 6; 9 is expected."),
    "beside another class": ({"HalfQueens.java": HALF, "Other.java": HELPER}, ""),
    "in a package": ({"PQueens.java": "package p;\n" + HALF.replace("Half", "P")}, ""),
    "no function": ({"HalfQueens.java": HALF.replace("place", "put")}, "`Queens` has no `place`"),
    "not charged": ({"Queens.java": HALF.replace("public class", "class")}, ABSENT),
}


@pytest.fixture(scope="module")
def hand_built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("hand") / "queens.yaml"
    path.write_text(HAND_BUILT)
    return path


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMED)
def test_a_name_that_a_repair_has_charged_is_charged_once(name: str, hand_built: Path, tmp_path: Path) -> None:
    files, told = NAMED[name]
    for file, text in {**files, **({} if name == "not charged" else {"Makefile": ""})}.items():
        (tmp_path / file).write_text(text)
    report = grade(Job(spec=hand_built, submission=Submission(id="ann", path=tmp_path)), prepare(hand_built))
    (case,) = cases(report, "place")
    assert report.build.ok, report.build
    assert case.message.startswith(told), case.message
    assert (case.message == "") is (told == "")
