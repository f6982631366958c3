import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from grader.check.runner import examine
from grader.core.comparators.lines import LineOptions
from grader.core.errors import UsageError
from grader.core.model.layout import Submission
from grader.core.model.report import Job, Verdict
from grader.core.pipeline import grade
from grader.core.reader.spec import load
from grader.imports import Written, write_assignment
from grader.imports.submitty import import_submitty
from tests.support.other_graders import FRAME, SUBMITTY
from tests.support.packages import lay

pytestmark = pytest.mark.usefixtures("shared_cache")


def imported(folder: Path, files: dict[str, str]) -> Written:
    return write_assignment(import_submitty(lay(folder / "frame", files)), folder / "course")


def one(validator: dict[str, Any] | list[dict[str, Any]], **keys: Any) -> dict[str, str]:
    """A configuration with one test case."""
    validation = validator if isinstance(validator, list) else [{"actual_file": "STDOUT.txt", **validator}]
    case = {"title": "t", "command": "./a.out 1", "points": 6, "validation": validation, **keys}
    return {
        "config.json": json.dumps({"testcases": [case]}),
        "test_output/x.txt": "a\nb\n",
        "test_output/empty.txt": "",
    }


def test_a_configuration_becomes_a_spec(tmp_path: Path) -> None:
    written = imported(tmp_path, dict(SUBMITTY))
    spec = load(written.spec)
    assert (spec.id, spec.language, spec.program) == ("frame", "c", ("./frame.out",))
    assert spec.build is not None
    assert spec.build.run == (("sh", "-c", "gcc -Wall -o frame.out *.c"),)
    assert [(test.name, float(test.points), test.bonus, str(test.visibility)) for test in spec.tests] == [
        ("README", 1, False, "visible"),
        ("Compilation", 2, False, "visible"),
        ("Frame 3", 3, False, "visible"),
        ("No argument (1)", 2, True, "visible"),
        ("No argument (2)", 2, True, "visible"),
        ("Count", 2, False, "visible"),
        ("Sorted", 2, False, "hidden"),
        ("Picture", 1, False, "visible"),
    ]
    told = " ".join(written.notes)
    for word in ("todo_Picture", "Submission Limit", "RLIMIT_FSIZE", "size of a submission", "warnIfEmpty"):
        assert word in told
    assert "ImageDiff" in (tmp_path / "course/data/frame/to_do.py").read_text()
    errors = [remark.rule for remark in examine(written.spec, None).remarks if remark.level == "error"]
    assert errors == ["unwritten-check"]


def test_it_grades_as_submitty_does(tmp_path: Path) -> None:
    spec = imported(tmp_path, dict(SUBMITTY)).spec
    for name, files, failed in (
        ("ada", {"frame.c": FRAME, "README.txt": "x"}, []),
        (
            "bo",
            {"frame.c": FRAME.replace("stderr, ", "stdout, ").replace("%d lines", "-%d")},
            ["README", "No argument (1)", "No argument (2)", "Count"],
        ),
    ):
        report = grade(Job(spec=spec, submission=Submission(id=name, path=lay(tmp_path / name, files))))
        graded = {test.name: test.verdict for test in report.tests if test.name != "Picture"}
        assert [test for test, verdict in graded.items() if verdict is not Verdict.PASSED] == failed


@pytest.mark.parametrize(
    ("validator", "how", "tolerated"),
    [
        ({"method": "diff", "expected_file": "x.txt"}, "lines share", set()),
        (
            {"method": "myersDiffbyLineNoWhite", "expected_file": "x.txt"},
            "lines share",
            {"inner-space", "leading-space", "trailing-space"},
        ),
        (
            {"method": "diff", "expected_file": "x.txt", "extra_student_output": True},
            "lines share",
            {"extra-lines"},
        ),
        ({"method": "diffLineSwapOk", "expected_file": "x.txt"}, "lines share any", set()),
        ({"method": "diff", "expected_file": "empty.txt"}, "text", set()),
        ({"method": "errorIfEmpty"}, "regex", set()),
        ({"method": "errorIfNotEmpty"}, "text", set()),
        ({"method": "searchToken", "data": ["a"]}, "contains", set()),
        ({"method": "intComparison", "comparison": "lt", "term": 5}, "check", set()),
    ],
)
def test_a_validator_becomes_an_expectation(
    tmp_path: Path, validator: dict[str, Any], how: str, tolerated: set[str]
) -> None:
    (test,) = load(imported(tmp_path, one(validator)).spec).tests
    stdout = test.cases[0].expect.stdout
    assert stdout is not None
    [leaf] = stdout.leaves
    options = leaf.get(LineOptions)
    shown = f"{leaf.how}{' share' * options.by_line}{'' if options.ordered else ' any'}"
    assert (shown, set(test.cases[0].tolerate)) == (how, tolerated)


@pytest.mark.parametrize(
    ("method", "keys"),
    [
        (name, {})
        for name in (
            "MultipleJUnitTestGrader",
            "JUnitTestGrader",
            "EmmaInstrumentationGrader",
            "PacmanGrader",
            "custom",
        )
    ]
    + [
        ("diff", {"expected_file": "nowhere.txt"}),
        ("diff", {"expected_file": "x.txt", "comparison": "byWordByChar"}),
        ("diff", {"expected_file": "x.txt", "max_char_changes": 9}),
        ("intComparison", {"comparison": "about", "term": 1}),
        ("searchToken", {"data": []}),
        ("\u202e", {}),
    ],
)
def test_what_no_spec_can_express_remains_to_be_written(tmp_path: Path, method: str, keys: dict[str, Any]) -> None:
    written = imported(tmp_path, one({"method": method, **keys}))
    assert "todo_t" in " ".join(written.notes)
    load(written.spec)


@pytest.mark.parametrize(
    "keys",
    [
        {"points": 10**400},
        {"points": "six", "title": "\u202e\n{x}"},
        {"command": "./a.out 'open"},
        {"command": ""},
        {"validation": {"method": "diff"}},
        {"resource_limits": {"RLIMIT_CPU": 10**30}},
        {"resource_limits": [{}]},
        {"containers": [{"commands": 5}], "command": []},
    ],
)
def test_odd_values_are_read_or_refused_with_words(tmp_path: Path, keys: dict[str, Any]) -> None:
    with suppress(UsageError):
        load(imported(tmp_path, one({"method": "errorIfEmpty"}, **keys)).spec)


def test_points_are_shared_by_what_validators_cost(tmp_path: Path) -> None:
    validators = [
        {"method": "errorIfEmpty", "actual_file": "STDOUT.txt", "deduction": 0.25},
        {"method": "searchToken", "actual_file": "STDOUT.txt", "data": ["a", "b", "c"], "deduction": 0.75},
    ]
    spec = load(imported(tmp_path, one(validators)).spec)
    assert [float(test.points) for test in spec.tests] == [1.5, 1.5, 1.5, 1.5]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is not JSON"),
        ('{"testcases": [], "testcases": []}', "twice"),
        ('{"testcases": {}}', "no list of testcases"),
        ('{"testcases": []}', "has no test cases"),
        ('{"testcases": [NaN]}', "NaN is no number"),
        ("[" * 100_000, "nested too deeply"),
        ('#include "../secret.json"\n', "outside"),
        ('#include "config.json"\n', "goes round"),
        ("#if 1\n{}\n#endif\n", "cannot be carried out"),
        ("/" * 3 * 2**20, "more than 2 MiB"),
        ('{"testcases": [{"title": "t", "type": "FileCheck", "actual_file": "../x", "points": 1}]}', "outside"),
    ],
)
def test_what_is_no_configuration_is_refused_with_words(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        imported(tmp_path, {"config.json": text})


def solved(command: str, solution: str, **keys: Any) -> dict[str, Any]:
    validation = [{"method": "diff", "actual_file": "STDOUT.txt", "expected_file": "out.txt"}]
    return {"command": command, "solution_commands": [solution], "points": 2, "validation": validation, **keys}


SOLUTION = "import sys\nfile = open(sys.argv[1]) if len(sys.argv) > 1 else sys.stdin\nprint(max(map(int, file)))\n"
SOLVED = {
    "config.json": json.dumps(
        {
            "testcases": [
                solved("python3 *.py a.txt", "python3 solution.py a.txt 1> out.txt"),
                solved("python3 *.py < a.txt", "python3 solution.py < a.txt > out.txt"),
                solved(
                    "python3 *.py < drawn.txt",
                    "python3 solution.py < drawn.txt > out.txt",
                    input_generation_commands=["python3 generator.py 5 1> drawn.txt"],
                ),
                solved("python3 *.py < a.txt", "./solution.out < a.txt > out.txt"),
            ]
        }
    ),
    "instructor_solution/solution.py": SOLUTION,
    "instructor_solution/generator.py": "import random, sys\nfor _ in range(int(sys.argv[1])):\n"
    "    print(random.randint(-90, -1))\n",
    "test_input/a.txt": "3\n-4\n10\n",
}


def test_a_solution_that_writes_what_is_right_becomes_the_reference(tmp_path: Path) -> None:
    written = imported(tmp_path, SOLVED)
    spec = load(written.spec)
    assert spec.reference == ("python3", "reference/frame/solution.py")
    assert [test.cases[0].asks_reference for test in spec.tests] == [True, True, True, False]
    assert "one script in Python" in (tmp_path / "course/data/frame/to_do.py").read_text()
    for name, program, expected in (
        ("right", SOLUTION, [Verdict.PASSED] * 3),
        ("zero", SOLUTION.replace("max(map", "max(0, *map"), [Verdict.PASSED] * 2 + [Verdict.FAILED]),
        ("least", SOLUTION.replace("max", "min"), [Verdict.FAILED] * 3),
    ):
        work = Submission(id=name, path=lay(tmp_path / name, {"numbers.py": program}))
        tests = grade(Job(spec=written.spec, submission=work)).tests
        assert [test.verdict for test in tests] == [*expected, Verdict.UNGRADED], name


@pytest.mark.parametrize(
    ("case", "reason"),
    [
        (solved("python3 *.py", "python3 missing.py > out.txt"), "is in none of"),
        (solved("python3 *.py 1", "python3 solution.py 2 > out.txt"), "another input"),
        (solved("python3 *.py", "python3 solution.py > other.txt"), "another comparison"),
        (
            solved("python3 *.py x", "python3 solution.py x > out.txt", input_generation_commands=["y"]),
            "something else",
        ),
    ],
)
def test_a_solution_that_does_more_remains_to_be_written(tmp_path: Path, case: dict[str, Any], reason: str) -> None:
    files = {"config.json": json.dumps({"testcases": [case]}), "instructor_solution/solution.py": SOLUTION}
    imported(tmp_path, files)
    assert reason in (tmp_path / "course/data/frame/to_do.py").read_text().replace("\n    ", " ")


def test_what_was_read_past_counts(tmp_path: Path) -> None:
    """Each of these cost right programs their points, or gave wrong ones some."""
    said = {"method": "diff", "actual_file": "STDOUT.txt"}
    cases: list[dict[str, Any]] = [
        {"command": "python3 a.py w", "validation": [{**said, "actual_file": "d/f", "expected_string": "x 1.5\n"}]},
        {
            "command": "python3 a.py r",
            "pre_commands": [{"command": "cp", "testcase": "test01", "source": "d", "destination": "./"}],
            "validation": [{**said, "expected_string": "x 1.52\n", "tolerance": 0.05}],
        },
        {"command": "python3 a.py", "validation": [{**said, "expected_string": "a\nb\n"}], "partial_credit": False},
        {"command": "python3 a.py", "validation": [{"method": "fileExists", "actual_file": "STDOUT.txt"}]},
        {"validation": [{**said, "actual_file": "quiz.txt", "expected_string": "c"}]},
    ]
    program = """\
import os
import sys

if sys.argv[1:] == ["w"]:
    os.mkdir("d")
    open("d/f", "w").write("x 1.5\\n")
elif sys.argv[1:] == ["r"]:
    print(open("d/f").read(), end="")
else:
    print("a", "b", sep="\\n")
"""
    config = {"testcases": [{"title": f"t{n}", "points": 2, **case} for n, case in enumerate(cases)]}
    written = imported(tmp_path, {"config.json": json.dumps(config)})
    assert any(note.startswith("tolerance: ") for note in written.notes)
    spec = written.spec
    for name, files, expected in (
        ("ann", {"a.py": program, "quiz.txt": "c\n"}, [2, 2, 2, 2, 2]),
        ("bo", {"a.py": program.replace('"b",', '"c",').replace("1.5", "1.4"), "quiz.txt": "b\n"}, [0, 0, 0, 2, 0]),
    ):
        report = grade(Job(spec=spec, submission=Submission(id=name, path=lay(tmp_path / name, files))))
        assert [float(test.score or 0) for test in report.tests] == expected


@pytest.mark.parametrize("before", [{"testcase": "test07"}, {"testcase": "test01", "command": "mv"}])
def test_commands_before_that_cannot_be_repeated_are_to_be_written(tmp_path: Path, before: dict[str, str]) -> None:
    pre = [{"command": "cp", "source": "a", "destination": "b", **before}]
    files = one({"method": "diff", "expected_file": "x.txt"}, pre_commands=pre)
    assert "todo_t" in " ".join(imported(tmp_path, files).notes)
