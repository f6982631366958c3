"""What each validator of Submitty costs, by the rules of its source, for right programs and such as look right."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from grader.check.runner import examine
from grader.core.model.layout import Submission
from grader.core.model.report import Job
from grader.core.pipeline import grade
from grader.core.reader.spec import load
from grader.imports import Written, write_assignment
from grader.imports.submitty import import_submitty
from tests.support.packages import lay

pytestmark = pytest.mark.usefixtures("shared_cache")

Validator = dict[str, Any]
STDOUT = {"actual_file": "STDOUT.txt"}
TABLE = "mean 1.50\nlast 7\nlow 3\nhigh 9\n"
OUT: Validator = {"method": "diff", "expected_file": "table.txt", **STDOUT}
BY_LINE: Validator = {**OUT, "comparison": "byLine"}
QUIET: Validator = {"method": "errorIfNotEmpty", "actual_file": "STDERR.txt"}
USAGE: Validator = {"method": "searchToken", "data": ["usage", "FILE"], "actual_file": "STDERR.txt"}
LOG: Validator = {"method": "errorIfNotEmpty", "actual_file": "execute_logfile.txt"}
NEAR = TABLE.replace("1.50", "1.52")
CUSTOM = """\
import argparse
import json

parser = argparse.ArgumentParser()
parser.add_argument("--sum", type=int)
asked = parser.parse_args()
given = json.load(open("custom_validator_input.json"))
names = given["actual_file"]
total = 0
for name in [names] if isinstance(names, str) else names:
    with open(given["testcase_prefix"] + name) as file:
        total += sum(int(word) for word in file.read().split())
limit = int(open("test_input/limit.txt").read())
score = 1 if total == asked.sum else given["half"] if total <= limit else 0
result = {"status": "success", "data": {"score": score, "message": f"The sum is {total}.", "status": "failure"}}
json.dump(result, open("validation_results.json", "w"))
"""
FOLDER = {
    "test_output/table.txt": TABLE,
    "test_input/limit.txt": "50\n",
    "custom_validation_code/sum.py": CUSTOM,
    "custom_validation_code/broken.py": "print('no JSON')\n",
}


def sums(script: str = "sum.py --sum 6", names: Any = "STDOUT.txt") -> Validator:
    return {"method": "custom_validator", "command": f"python3 {script}", "actual_file": names, "half": 0.5}


class Case(NamedTuple):
    """A test case of four points, and what a program that writes so gets for it; None where it is ungraded."""

    name: str
    validation: list[Validator]
    written: str
    score: float | None
    errors: str = ""
    status: int = 0
    keys: dict[str, Any] = {}  # noqa: RUF012


CASES = [
    Case("diff", [OUT], TABLE, 4),
    Case("diff without the last newline", [OUT], TABLE[:-1], 4),
    Case("diff with a wrong line", [OUT], TABLE.replace("7", "8"), 3),
    Case("diff with a line more", [OUT], "now\n" + TABLE, 3.2),
    Case("diff with further spaces", [OUT], TABLE.replace("last ", "last  "), 3),
    Case("ignoreWhitespace without byLine", [{**OUT, "ignoreWhitespace": True}], TABLE.replace("last ", "last  "), 3),
    Case("ignoreWhitespace", [{**BY_LINE, "ignoreWhitespace": True}], TABLE.replace("last ", " last  "), 4),
    Case("ignoreWhitespace, other word", [{**BY_LINE, "ignoreWhitespace": True}], TABLE.replace("last", "lest"), 3),
    Case("lineSwapOk", [{**BY_LINE, "lineSwapOk": True}], "high 9\nlow 3\nlast 7\nmean 1.50\n", 4),
    Case("lineSwapOk without byLine", [{**OUT, "lineSwapOk": True}], "last 7\nmean 1.50\nlow 3\nhigh 9\n", 3),
    Case("extra output", [{**OUT, "extra_student_output": True}], "a\n" + TABLE + "b\n", 4),
    Case("extra output, a line short", [{**OUT, "extra_student_output": True}], "a\nmean 1.50\nlow 3\nhigh 9\n", 3),
    Case("tolerance", [{**OUT, "tolerance": 0.05}], NEAR, 4),
    Case("tolerance, too far", [{**OUT, "tolerance": 0.05}], TABLE.replace("1.50", "1.58"), 3),
    Case("tolerance with spaces", [{**OUT, "tolerance": 0.05}], NEAR.replace("mean ", "mean  "), 3),
    Case(
        "tolerance and ignoreWhitespace",
        [{**BY_LINE, "tolerance": 0.05, "ignoreWhitespace": True}],
        NEAR.replace("mean ", "mean  "),
        4,
    ),
    Case("no part of the points", [OUT], TABLE.replace("7", "8"), 0, keys={"allow_partial_credit": False}),
    Case("no part for one of two", [OUT, QUIET], TABLE, 0, errors="x\n", keys={"allow_partial_credit": False}),
    Case("two of two", [OUT, QUIET], TABLE, 4),
    Case("one of two", [OUT, QUIET], TABLE, 2, errors="x\n"),
    Case("half of one of two", [OUT, QUIET], "mean 1.50\nlast 7\n", 3),
    Case("a warning has its part", [OUT, {**QUIET, "method": "warnIfNotEmpty"}], "", 2, errors="x\n"),
    Case("a deduction", [{**OUT, "deduction": 0.25}], "", 3),
    Case("no method", [OUT, {"actual_file": "STDERR.txt"}], "", 0, errors="x\n"),
    Case("all and some more: right", [{**OUT, "deduction": 1}, {**QUIET, "deduction": 0.25}], TABLE, 4),
    Case("all and some more: noisy", [{**OUT, "deduction": 1}, {**QUIET, "deduction": 0.25}], TABLE, 3, errors="x"),
    Case("all and some more: wrong", [{**OUT, "deduction": 1}, {**QUIET, "deduction": 0.25}], "", 0),
    Case(
        "all and some more: half",
        [{**OUT, "deduction": 1}, {**USAGE, "deduction": 0.5}],
        "mean 1.50\nlast 7\n",
        2,
        "usage FILE",
    ),
    Case("two that each cost all", [{**OUT, "deduction": 1}, {**USAGE, "deduction": 1}], TABLE, 2, "usage"),
    Case("two tokens", [USAGE], "", 4, errors="usage: a FILE\n"),
    Case("one token", [USAGE], "", 2, errors="Usage: a FILE\n"),
    Case("the log is empty", [LOG], "", 4),
    Case("the log tells a status", [LOG], "", 0, status=3),
    Case("an exception behind it", [OUT], TABLE, 4, errors="raise", status=1),
    Case("a number", [{"method": "intComparison", "comparison": "ge", "term": 3, **STDOUT}], " 3 lines\n", 4),
    Case("a number too small", [{"method": "intComparison", "comparison": "ge", "term": 3, **STDOUT}], "2", 0),
    Case("one file of two", [{"method": "fileExists", "actual_file": ["b.py", "a.p*"], "one_of": True}], "", 4),
    Case("no file of two", [{"method": "fileExists", "actual_file": ["b.py", "c.p*"], "one_of": True}], "", 0),
    Case(
        "pacman",
        [{"method": "PacmanGrader", "num_tests": 2, **STDOUT}],
        "### Question q1: 3/4 ###\n### Question q2: 0/2 ###\nTotal: 3/6\n",
        2,
    ),
    Case(
        "pacman with a total of its own",
        [{"method": "PacmanGrader", "num_tests": 2, **STDOUT}],
        "### Question q1: 3/4 ###\n### Question q2: 0/2 ###\nTotal: 6/6\n",
        0,
    ),
    Case("custom", [sums()], "1 2 3\n", 4),
    Case("custom, a part", [sums()], "1 2 4\n", 2),
    Case("custom, wrong", [sums()], "1 2 99\n", 0),
    Case("custom, broken", [sums("broken.py")], "1 2 3\n", None),
    Case("input by steps", [OUT], "", 4, keys={"command": "python3 a.py read"}),
]
ECHO = """\
import sys

if sys.argv[1] == "read":
    print(*(sys.stdin.readline().strip() for _ in range(4)), sep="\\n")
    sys.exit()
number = int(sys.argv[1])
written, errors, status = DATA[number]
print(written, end="")
sys.stdout.flush()
if errors == "raise":
    raise ValueError("late")
print(errors, end="", file=sys.stderr)
sys.exit(status)
"""
STEPS = [
    {"action": "delay", "seconds": 1},
    {"action": "stdin", "string": "mean 1.50\nlast 7\n", "containers": ["container0"]},
    {"action": "stdin", "string": "low 3\nhigh 9\n", "containers": "container0"},
]


def imported(folder: Path, cases: list[dict[str, Any]], files: dict[str, str], **keys: Any) -> Written:
    config = {"config.json": json.dumps({"testcases": cases, **keys})}
    return write_assignment(import_submitty(lay(folder / "numbers", {**config, **files})), folder / "course")


def scores(written: Written, folder: Path, files: dict[str, str]) -> dict[str, float | None]:
    """The points of each test case, over the tests that it became."""
    report = grade(Job(spec=written.spec, submission=Submission(id=folder.name, path=lay(folder, files))))
    found: dict[str, float | None] = {}
    for test in report.tests:
        title, before = test.name.partition(" (")[0], found.get(test.name.partition(" (")[0], 0.0)
        found[title] = None if test.score is None or before is None else round(before + float(test.score), 2)
    return found


def test_each_validator_costs_what_it_costs_there(tmp_path: Path) -> None:
    cases = [
        {
            "title": case.name,
            "command": f"python3 a.py {number}",
            "points": 4,
            "validation": case.validation,
            **case.keys,
            **({"dispatcher_actions": STEPS} if case.name == "input by steps" else {}),
        }
        for number, case in enumerate(CASES)
    ]
    written = imported(tmp_path, cases, FOLDER)
    data = f"DATA = {[(case.written, case.errors, case.status) for case in CASES]!r}\n"
    found = scores(written, tmp_path / "ada", {"a.py": data + ECHO})
    assert found == {case.name: case.score for case in CASES}
    remarks = examine(written.spec, None).remarks
    assert [one.message for one in remarks if one.level == "error"] == []


COUNTS = {
    "loops": ("submitty_count_ts -l python node for_statement *.py", "ge", 2),
    "a keyword": ("submitty_count token -l python While *.py", "eq", 0),
    "calls": ("submitty_count_ts -l py call print *.py", "le", 2),
    "calls at all": ("submitty_count_ts -l py call print *.py", "ne", 0),
    "a function": ("submitty_count_ts -l python function total sums.py", "eq", 1),
    "a name": ("submitty_count_ts -l python identifier total *.py", "gt", 1),
    "depth": ("submitty_count -l python depth loop *.py", "lt", 3),
    "always": ("submitty_count_ts -l python call print *.py", "ge", 0),
}
SUMS = """\
import sys


def total(rows):
    found = 0
    for row in rows:
        for number in row.split():
            found += int(number)
    return found


print(total(sys.argv[1:]))
"""


def test_counts_become_rules_on_the_source(tmp_path: Path) -> None:
    pytest.importorskip("tree_sitter")
    counted = {"method": "intComparison"}
    cases: list[dict[str, Any]] = [
        {
            "title": name,
            "command": ["python3 *.py 1 2", command],
            "points": 2,
            "validation": [
                {"method": "diff", "expected_string": "3\n", "actual_file": "STDOUT_0.txt"},
                {**counted, "comparison": how, "term": term, "actual_file": "STDOUT_1.txt"},
            ],
        }
        for name, (command, how, term) in COUNTS.items()
    ]
    cases[0]["command"][0] = "python3 sums.py 1 2"
    cases.append({"title": "alone", "command": "submitty_count_ts -l py node while *.py", "points": 1})
    cases[-1]["validation"] = [{**counted, "comparison": "le", "term": 0, "actual_file": "STDOUT.txt"}]
    written = imported(tmp_path, cases, {})
    right = scores(written, tmp_path / "ada", {"sums.py": SUMS})
    assert right == {**dict.fromkeys(COUNTS, 2), "alone": 1}
    other = SUMS.replace("for row in rows:", "while rows:").replace("row.split", "rows.pop(0).split")
    other = other.replace(
        "print(total(sys.argv[1:]))", "while True:\n    print(total(sys.argv[1:]), end='')\n    print()\n    break"
    )
    wrong = scores(written, tmp_path / "bo", {"sums.py": other.replace("total(", "count(")})
    assert wrong == {
        "loops": 1,
        "a keyword": 1,
        "calls": 2,
        "calls at all": 2,
        "a function": 1,
        "a name": 1,
        "depth": 2,
        "always": 2,
        "alone": 0,
    }
    assert [one.message for one in examine(written.spec, None).remarks if one.level == "error"] == []


@pytest.mark.parametrize(
    ("command", "comparison", "reason"),
    [
        ("submitty_count_ts -l python node list_comprehension *.py", "ge", "no rule on the source counts this node"),
        ("submitty_count_ts -l rust call print *.rs", "ge", "no rules on the source for this language"),
        ("submitty_count_ts -l python call print", "ge", "does not say what to count"),
        ("submitty_count_ts -l python call print *.py", "about", "compared in no way"),
        ("submitty_count_function print *.py", "ge", "is a tool of Submitty's"),
        ("comment_count *.py", "ge", "is a tool of Submitty's"),
        ("submitty_count_ts -l c call printf *.c", "ge", "the language of the assignment is python"),
    ],
)
def test_a_count_that_no_rule_has_remains_to_be_written(
    tmp_path: Path, command: str, comparison: str, reason: str
) -> None:
    validation = [{"method": "intComparison", "comparison": comparison, "term": 2, "actual_file": "STDOUT_1.txt"}]
    case = {"title": "t", "command": ["python3 a.py", command], "points": 2, "validation": validation}
    written = imported(tmp_path, [case], {})
    assert "todo_t" in " ".join(written.notes)
    text = (tmp_path / "course/data/numbers/to_do.py").read_text()
    assert reason in " ".join(text.split())


def test_a_part_that_no_spec_can_express_leaves_the_others(tmp_path: Path) -> None:
    validation = [{**OUT, "deduction": 0.75}, {"method": "ImageDiff", "actual_file": "a.png", "deduction": 0.25}]
    case = {"title": "t", "command": "python3 a.py", "points": 4, "validation": validation}
    written = imported(tmp_path, [case], FOLDER)
    found = scores(written, tmp_path / "ada", {"a.py": f"print({TABLE!r}, end='')\n"})
    assert "todo_t" in " ".join(written.notes)
    text = (tmp_path / "course/data/numbers/to_do.py").read_text()
    text = " ".join(text.split())
    assert "the validator ImageDiff has no counterpart: pictures" in text
    assert "(testcases[0] of config.json)" in text
    assert found == {"t": None}


CPP = """\
#include <cstdio>
int main(int argc, char **) {
    UNUSED
    std::printf("%d\\n", argc);
    return 0;
}
"""


@pytest.mark.parametrize(
    ("name", "files", "expected"),
    [
        ("right", {"a.cpp": CPP.replace("UNUSED", ""), "README.txt": "x", "answer/one.txt": "b\n"}, [4, 2, 1, 1]),
        ("warned", {"a.cpp": CPP.replace("UNUSED", "int unused;"), "README.md": "x"}, [3, 2, 1, 0]),
        ("bare", {"a.cpp": CPP.replace("UNUSED", "")}, [4, 2, 0, 0]),
        (
            "wrong",
            {"a.cpp": CPP.replace("UNUSED", "goto end; end:"), "answer/a.txt": "b", "answer/b.txt": ""},
            [4, 0, 0, 0],
        ),
        ("broken", {"a.cpp": "int main() {", "README.md": "x", "answer/one.txt": "b\n"}, [0, 0, 0, 0]),
    ],
)
def test_what_compiles_and_what_is_handed_in(
    tmp_path: Path, name: str, files: dict[str, str], expected: list[int]
) -> None:
    pytest.importorskip("tree_sitter")
    cases = [
        {
            "type": "Compilation",
            "title": "compiles",
            "command": "clang++ -Wall -o a.out -- *.cpp",
            "executable_name": "a.out",
            "points": 4,
            "warning_deduction": 0.25,
        },
        {
            "title": "no goto",
            "command": ["submitty_count_ts -l cpp node goto *.cpp"],
            "points": 2,
            "validation": [{"method": "intComparison", "comparison": "eq", "term": 0, "actual_file": "STDOUT.txt"}],
        },
        {
            "type": "FileCheck",
            "title": "README",
            "actual_file": ["README.txt", "README.md"],
            "one_of": True,
            "points": 1,
        },
        {
            "type": "FileCheck",
            "title": "answer",
            "points": 1,
            "validation": [{"method": "diff", "actual_file": "answer/*.txt", "expected_string": "b\n"}],
        },
    ]
    found = scores(imported(tmp_path, cases, {}), tmp_path / name, files)
    assert found == dict(zip(["compiles", "no goto", "README", "answer"], expected, strict=True))


def test_keys_that_are_not_known_are_told(tmp_path: Path) -> None:
    case = {
        "title": "t",
        "command": "python3 a.py",
        "points": 4,
        "validation": [{**OUT, "ignoreCase": True}],
        "ponits": 1,
    }
    notes = " ".join(imported(tmp_path, [case], FOLDER, retries=3, part_names=["A"], item_pool=[{}]).notes)
    for told in ("`retries` of config.json", "`ponits` of testcases[0]", "`ignoreCase` of testcases[0].validation[0]"):
        assert told in notes
    for told in ("part1, part2", "the pool of items"):
        assert told in notes


@pytest.mark.parametrize(
    "keys",
    [
        {"validation": 5},
        {"validation": [5, OUT]},
        {"pre_commands": 3.5},
        {"resource_limits": {"RLIMIT_CPU": True, "RLIMIT_AS": "RLIM_INFINITY"}},
        {"resource_limits": {"RLIMIT_CPU": 10**30}},
        {"dispatcher_actions": {"action": "stdin"}},
        {"command": ["submitty_count_ts -l", 'submitty_count "a']},
        {"type": "Compilation", "executable_name": ["a", "b"], "command": 5},
    ],
)
def test_odd_values_leave_a_spec(tmp_path: Path, keys: dict[str, Any]) -> None:
    case = {"title": "t", "command": "python3 a.py", "points": 4, "validation": [OUT]}
    load(imported(tmp_path, [case, {**case, **keys}], FOLDER).spec)


@pytest.mark.parametrize(
    ("actions", "told"),
    [
        ([{"action": "kill", "containers": ["container0"]}], "stop or start"),
        (["stdin"], "stop or start"),
    ],
)
def test_actions_that_are_no_input_remain_to_be_written(tmp_path: Path, actions: list[Any], told: str) -> None:
    case = {"title": "t", "command": "python3 a.py", "points": 4, "validation": [OUT], "dispatcher_actions": actions}
    imported(tmp_path, [case], FOLDER)
    assert told in (tmp_path / "course/data/numbers/to_do.py").read_text()


def test_a_validator_of_the_course_gets_several_files(tmp_path: Path) -> None:
    names = ["STDOUT_0.txt", "STDOUT_1.txt", "more.txt"]
    case = {
        "title": "both",
        "command": ["python3 a.py", "python3 a.py 2"],
        "points": 4,
        "validation": [sums("sum.py --sum 6", names)],
    }
    written = imported(tmp_path, [case], FOLDER)
    program = "import sys\nprint(*sys.argv[1:], 1)\nopen('more.txt', 'w').write('2')\n"
    assert scores(written, tmp_path / "ada", {"a.py": program}) == {"both": 4}
    assert scores(written, tmp_path / "bo", {"a.py": program.replace("'2'", "'3'")}) == {"both": 2}
    assert scores(written, tmp_path / "cy", {"a.py": program.replace("'2'", "'99'")}) == {"both": 0}
    assert scores(written, tmp_path / "di", {"a.py": "print(1)\n"}) == {"both": None}
