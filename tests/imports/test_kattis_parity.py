"""Packages of our own making, one for each feature: what is imported agrees with the labels in the package."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from grader.check.samples import read_samples, sample_differences
from grader.core.errors import UsageError
from grader.core.model.report import Job
from grader.core.pipeline import grade, prepare
from grader.core.reader.spec import load
from grader.imports import Written, write_assignment
from grader.imports.kattis import import_kattis
from tests.support.packages import SUM, lay
from tests.support.payloads import interactor_in

PLAIN = {
    "problem.yaml": "name: Sums\nlimits: {time_limit: 1}\n",
    "data/sample/1.in": "1 2\n",
    "data/sample/1.ans": "3\n",
}
ONLY_THREE = "print(3)\n"
SMALL = "a, b = map(int, input().split())\nprint(a + b if a < 10 else 0)\n"
"""right where the first number has one digit"""


def data(**inputs: str) -> dict[str, str]:
    """Inputs for a sum, by their names below secret/ with `__` for `/`."""
    files: dict[str, str] = {}
    for name, numbers in inputs.items():
        path = f"data/secret/{name.replace('__', '/')}"
        files |= {f"{path}.in": f"{numbers}\n", f"{path}.ans": f"{sum(map(int, numbers.split()))}\n"}
    return files


def scored(**submissions: str) -> dict[str, str]:
    """Programs with the points that they have to get: `p40=SMALL`; and a sample that is worth nothing."""
    programs = {
        f"submissions/mixed/{name}.py": f"# @EXPECTED_SCORE@: {name.strip('p')}\n{code}"
        for name, code in submissions.items()
    }
    return {**PLAIN, "problem.yaml": "name: Sums\ntype: scoring\nlimits: {time_limit: 1}\n", **programs}


def imported(folder: Path, files: Mapping[str, str]) -> Written:
    return write_assignment(import_kattis(lay(folder / "sums", files)), folder / "course")


def agreed(written: Written) -> list[str]:
    """Grade every sample of every spec; return those of which the package says the same."""
    right = []
    for path in sorted(written.spec.parent.glob("*.yaml")):
        course = prepare(path)
        for sample in read_samples(course.spec):
            report = grade(Job(spec=path, submission=sample.submission), course)
            assert sample_differences(report, sample) == (), (path.stem, sample.submission.id)
            right.append(f"{path.stem}: {sample.submission.id}")
    return right


pytestmark = pytest.mark.usefixtures("shared_cache")


LANGUAGES = {
    **PLAIN,
    **data(big="40 2"),
    "submissions/accepted/ann/add.py": "import adding\nprint(adding.add(*map(int, input().split())))\n",
    "submissions/accepted/ann/adding.py": "def add(a, b):\n    return a + b\n",
    "submissions/accepted/two/one.c": "#include <stdio.h>\nint add(int, int);\n"
    'int main(void) { int a, b; scanf("%d %d", &a, &b); printf("%d\\n", add(a, b)); }\n',
    "submissions/accepted/two/two.c": "int add(int a, int b) { return a + b; }\n",
    "submissions/accepted/cecil.cc": "#include <iostream>\n"
    "int main() { int a, b; std::cin >> a >> b; std::cout << a + b; }\n",
    "submissions/accepted/Adder.java": "import java.util.*;\n// class Other { void main() {} }\npublic class Adder {\n"
    "  static int add(int a, int b) { return a + b; }\n"
    "  public static void main(String[] args) {\n    Scanner in = new Scanner(System.in);\n"
    "    System.out.println(add(in.nextInt(), in.nextInt()));\n  }\n}\n",
    "submissions/accepted/jo.js": "const [a, b] = require('fs').readFileSync(0, 'utf8').split(' ').map(Number)\n"
    "console.log(a + b)\n",
    "submissions/wrong_answer/lu.lua": "print(3)\n",
    "submissions/accepted/paul.pas": "var a, b: integer; begin read(a, b); writeln(a + b) end.\n",
    "submissions/accepted/left.pl": "print 1;\n",
    "submissions/accepted/quick.py": f"#!/usr/bin/env pypy3\n{SUM}",
    "submissions/accepted/made/build": "#!/bin/sh\n",
    "submissions/wrong_answer/three.cpp": '#include <cstdio>\nint main() { puts("3"); }\n',
    "submissions/compiler_error/torn.c": "int main(void) {\n",
    "submissions/run_time_error/none.py": "raise ValueError\n",
}


def test_all_languages_come_over_with_all_their_files(tmp_path: Path) -> None:
    written = imported(tmp_path, LANGUAGES)
    assert any("are left out: accepted/left.pl, accepted/made, accepted/quick.py" in note for note in written.notes)
    assert agreed(written) == [
        "sums-c: accepted-two",
        "sums-c: compiler-error-torn",
        "sums-cpp: accepted-cecil",
        "sums-cpp: wrong-answer-three",
        "sums-java: accepted-Adder",
        "sums-javascript: accepted-jo",
        "sums-lua: wrong-answer-lu",
        "sums-pascal: accepted-paul",
        "sums: accepted-ann",
        "sums: run-time-error-none",
    ]


LABELS = {
    **PLAIN,
    **data(big="40 2", small="4 2"),
    "data/secret/testdata.yaml": "# nothing\n\n",
    "data/secret/near.in": "1 1\n",
    "data/secret/near.ans": "3\n",
    "data/secret/near.yaml": "output_validator_args: [float_absolute_tolerance, 1]\n",
    "domjudge-problem.ini": "timelimit='1'\n",
    "submissions/mixed/told.py": f"# @EXPECTED_RESULTS@: WRONG-ANSWER, RUN-ERROR\n{ONLY_THREE}",
    "submissions/mixed/right.py": f"# @EXPECTED_RESULTS@: CORRECT\n{SUM}",
    "submissions/mixed/either.py": f"# @EXPECTED_RESULTS@: CORRECT, TIMELIMIT\n{SUM}",
    "submissions/accepted/torn.py": f"# @EXPECTED_RESULTS@: WRONG-ANSWER\n{SUM}",
    "submissions/rejected/small.py": SMALL,
    "submissions/time_limit_exceeded/busy.py": "while True:\n    pass\n",
    "submissions/others/listed.py": SMALL,
    "submissions/others/grouped.c": "int main(void) {}\n",
    "submissions/others/unsure.py": SMALL,
    "submissions/brute_force/heavy.py": f"# @EXPECTED_RESULTS@: RUN-ERROR\n{SMALL}1 / 0\n",
    "submissions/runtime_exception/none.py": "raise ValueError\n",
    "submissions/wrong_answer/slow.py": SMALL,
    "submissions/submissions.yaml": "'others/{listed,x}.*': {permitted: [AC, WA], required: [WA]}\n"
    "others/grouped.c: {secret/*: {required: [WA, RTE]}}\n'*': {language: python3}\n"
    "wrong_answer: {permitted: [AC, WA, TLE]}\n",
}


def test_labels_are_read_wherever_they_stand_and_none_is_guessed(tmp_path: Path) -> None:
    written = imported(tmp_path, LABELS)
    assert agreed(written) == [
        "sums: brute-force-heavy",
        "sums: mixed-right",
        "sums: mixed-told",
        "sums: rejected-small",
        "sums: runtime-exception-none",
        "sums: time-limit-exceeded-busy",
    ]
    notes = "\n".join(written.notes)
    for told in (
        "accepted/torn.py: its folder, its source",
        "others/grouped.c, others/listed.py, wrong_answer/slow.py: submissions.yaml says more of it than its score",
        "left out: accepted/torn.py, mixed/either.py, others/listed.py, others/unsure.py, wrong_answer/slow.py",
    ):
        assert told in notes


def test_limits_are_those_of_the_format(tmp_path: Path) -> None:
    case = load(imported(tmp_path, {**LABELS, "problem.yaml": "name: Sums\n"}).spec).tests[0].cases[0]
    assert case.limits == {"cpu": 1, "time": 7, "memory": 2048 * 2**20}


GIVEN = {
    **PLAIN,
    "problem.yaml": "name: Sums\nproblem_format_version: 2023-07-draft\nconstants: {extra: 1}\n"
    "limits: {time_limit: 1}\n",
    "domjudge-problem.ini": "special_compare_args = 'float_tolerance 0.5'\n",
    "data/secret/words.in": "",
    "data/secret/words.yaml": "args: ['40 1', '2']\n",
    "data/secret/words.ans": "43\n",
    "data/secret/file.files/more.txt": "1 1",
    "data/secret/file.ans": "2.4\n",
    "data/secret/alone.ans": "9\n",
    "data/invalid_input/torn.in": "1\n",
    "submissions/accepted/ann.py": "import sys\nfrom pathlib import Path\n"
    "text = Path('more.txt').read_text() if Path('more.txt').exists() else ' '.join(sys.argv[1:]) or input()\n"
    "print(sum(map(int, text.split())))\n",
    "submissions/wrong_answer/none.py": "print(3)\n",
}


def test_inputs_may_be_arguments_and_files(tmp_path: Path) -> None:
    written = imported(tmp_path, GIVEN)
    assert agreed(written) == ["sums: accepted-ann", "sums: wrong-answer-none"]
    assert [case.args for case in load(written.spec).tests[1].cases] == [(), ("40 1", "2")]
    notes = "\n".join(written.notes)
    for told in ("secret/alone.ans has no input", "Left out: inputs and outputs that are invalid", "The constants"):
        assert told in notes


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"domjudge-problem.ini": "special_run='talk'\n"},
            "special_run in domjudge-problem.ini names a program of the",
        ),
    ],
)
def test_what_decides_and_cannot_be_read_is_refused(tmp_path: Path, changes: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        imported(tmp_path, {**GIVEN, **changes})


ANY = "accept_if_any_accepted"
LENIENT = f"on_reject: continue\ngrader_flags: {ANY}\n"
IGNORING = {"data/testdata.yaml": "grader_flags: ignore_sample\n"}
SCORES: dict[str, tuple[dict[str, str], dict[str, int]]] = {
    "each-input": (
        {
            **scored(p60=SUM, p20=SMALL),
            **IGNORING,
            **data(one="1 1", two="10 1", three="20 1"),
            "problem.yaml": "problem_format_version: legacy\nname: Sums\ntype: scoring\n",
            "data/secret/testdata.yaml": f"{LENIENT}accept_score: 20\n",
        },
        {"sample": 0, "secret": 60},
    ),
    "groups": (
        {
            **scored(p60=SUM, p20=SMALL, p0=ONLY_THREE),
            **IGNORING,
            **data(one__a="1 1", one__b="2 2", two__a="10 1", two__b="11 1"),
            "data/secret/testdata.yaml": LENIENT,
            "data/secret/one/testdata.yaml": "accept_score: 20\ngrader_flags: min\n",
            "data/secret/two/testdata.yaml": "accept_score: 40\ngrader_flags: min\n",
            "domjudge-problem.ini": "timelimit='1'\n",
        },
        {"sample": 0, "secret": 60},
    ),
    "nested": (
        {
            **scored(p75=SUM, p35=SMALL, p0=ONLY_THREE),
            **IGNORING,
            **data(
                basic__a="1 1",
                basic__b="2 2",
                more__low__a="3 1",
                more__high__a="30 1",
                all__x__a="8 1",
                all__y__a="9 9",
            ),
            "data/secret/testdata.yaml": LENIENT,
            "data/secret/basic/testdata.yaml": "accept_score: 20\ngrader_flags: min\n",
            "data/secret/more/testdata.yaml": f"grader_flags: sum {ANY}\n",
            "data/secret/more/low/testdata.yaml": "accept_score: 10\n",
            "data/secret/more/high/testdata.yaml": "accept_score: 40\n",
            "data/secret/all/testdata.yaml": "grader_flags: min\n",
            "data/secret/all/x/testdata.yaml": "accept_score: 5\n",
            "data/secret/all/y/testdata.yaml": "accept_score: 50\n",
        },
        {"sample": 0, "secret": 75},
    ),
    "average": (
        {
            **scored(p30=SUM, p10=SMALL),
            **IGNORING,
            **data(one__a="1 1", two__a="10 1", three__a="20 1"),
            "data/secret/testdata.yaml": f"on_reject: continue\ngrader_flags: avg {ANY}\n",
            **{f"data/secret/{name}/testdata.yaml": "accept_score: 30\n" for name in ("one", "two", "three")},
        },
        {"sample": 0, "secret": 30},
    ),
    "all-or-nothing": (
        {
            **scored(p50=SUM, p0=SMALL),
            **IGNORING,
            **data(one="1 1", two="10 1"),
            "problem.yaml": "problem_format_version: legacy\nname: Sums\ntype: scoring\n",
            "data/secret/testdata.yaml": "accept_score: 25\n",
        },
        {"sample": 0, "secret": 50},
    ),
    "newer": (
        {
            **scored(p100=SUM, p55=SMALL),
            **data(one__a="1 1", one__b="2 1", two__a="4 1", two__b="5 1", two__c="20 1", three__a="11 1"),
            "problem.yaml": "problem_format_version: 2023-07-draft\nname: Sums\ntype: scoring\n",
            "data/secret/one/test_group.yaml": "max_score: 25\n",
            "data/secret/two/test_group.yaml": "max_score: 45\nscore_aggregation: sum\n"
            "require_pass: [sample, secret/one]\n",
            "data/secret/three/test_group.yaml": "max_score: 30\nscore_aggregation: min\n",
            "submissions/submissions.yaml": "rejected/big.py: {score: 30}\n",
            "submissions/rejected/big.py": "a, b = map(int, input().split())\nprint(a + b if a in (1, 11) else 0)\n",
        },
        {"sample": 0, "secret/one": 25, "secret/three": 30, "secret/two": 45},
    ),
}


@pytest.mark.parametrize("name", SCORES)
def test_points_are_those_of_the_labels(tmp_path: Path, name: str) -> None:
    files, points = SCORES[name]
    written = imported(tmp_path, files)
    assert {test.name: test.points for test in load(written.spec).tests} == points
    assert len(agreed(written)) == sum(path.startswith("submissions/") and path.endswith(".py") for path in files)


NEWER = {
    "problem.yaml": "name: x\ntype: scoring\nproblem_format_version: 2025-09\n",
    "data/testdata.yaml": "",
    "data/secret/testdata.yaml": "",
}
LEGACY = {"problem.yaml": "name: x\ntype: scoring\nproblem_format_version: legacy\n"}
DEEP = {
    **NEWER,
    **dict.fromkeys(data(one="1 1", two="10 1")),
    **data(g__deep__a="1 1"),
    "data/secret/g/test_group.yaml": "max_score: 70\n",
}
GROUP = {
    **scored(),
    **IGNORING,
    **data(one="1 1", two="10 1"),
    "data/secret/testdata.yaml": f"{LENIENT}accept_score: 25\n",
}
REFUSED = [
    ({**data(two="10 1", one="2 2"), "domjudge-problem.ini": ""}, "secret: is accept_score of each input, as for"),
    ({"submissions/accepted/a.py": "# @EXPECTED_SCORE@: 70\n"}, "has 70 points there, and none has so many of 50"),
    ({"submissions/accepted/a.py": "# @EXPECTED_SCORE@: 25\n"}, "has 25 points there, and none has so many of 50"),
    ({"data/secret/testdata.yaml": "grading: custom\n"}, "programs give its points, and nothing says how many"),
    ({"data/secret/testdata.yaml": "grading: best\n"}, "grading: best, and what is in graders/ is no single program"),
    ({"data/secret/testdata.yaml": "prize: 7\n"}, "'prize' in the settings"),
    ({"data/secret/testdata.yaml": "max_score: 7\n"}, "'max_score' in the settings"),
    ({"data/secret/testdata.yaml": f"{LENIENT}accept_score: 0\n"}, "its tests have 0 points in all"),
    ({"data/secret/deep/1.in": "1 1", "data/secret/deep/1.ans": "2"}, "secret has inputs as well as groups"),
    ({"problem.yaml": "name: x\ntype: scoring\ngrading: {objective: min}\n"}, "the fewest points"),
    ({"problem.yaml": "name: x\n", "data/testdata.yaml": LENIENT}, "although inputs fail"),
    ({"data/secret/testdata.yaml": f"{LENIENT}reject_score: 3\n"}, "an input that fails has points"),
    ({**NEWER, "data/secret/testdata.yaml": "static_validation_score: 3\n"}, "a static validator judges the source"),
    ({**NEWER, "data/secret/testdata.yaml": "max_score: unbounded\n"}, "secret says no highest score"),
    ({**NEWER, "data/secret/testdata.yaml": "score_aggregation: max\n"}, "adds up by 'max', which is not known"),
    ({**NEWER, "data/secret/testdata.yaml": "require_pass: secret/x\n"}, "secret requires secret/x, which is no test"),
    ({**NEWER, "data/secret/testdata.yaml": "accept_score: 3\n"}, "'accept_score' in the settings"),
    ({**NEWER, "data/secret/testdata.yaml": "scoring: {score: 3}\n"}, "'scoring' in the settings"),
    ({**NEWER, **data(g__a="1 1"), "data/secret/g/test_group.yaml": "max_score: 7\n"}, "has inputs as well as groups"),
    (
        {**NEWER, "output_validator/v.py": "open('score_multiplier.txt')\n"},
        "gives points .score_multiplier.txt., which",
    ),
    ({**DEEP, "data/secret/g/deep/test_group.yaml": "max_score: 7\n"}, "secret/g/deep is a group in a group"),
    ({**DEEP, "data/secret/test_group.yaml": "score_aggregation: min\n"}, "has the least of its groups' points"),
    ({**DEEP, "data/secret/test_group.yaml": "max_score: 60\n"}, "more than the 60 points of secret"),
    (
        {**LEGACY, "output_validators/v.py": "open('score.txt')\n"}
        | {"problem.yaml": "name: x\ntype: scoring\nvalidation: custom score\n"},
        "programs give its points, and nothing says how many|its validator writes points",
    ),
]


@pytest.mark.parametrize(("changes", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_points_that_no_tests_can_have_are_refused(tmp_path: Path, changes: Mapping[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        imported(tmp_path, {name: text for name, text in {**GROUP, **changes}.items() if text is not None})
    assert not (tmp_path / "course").exists()


GUESSING = {
    "problem.yaml": "name: Guess\ntype: interactive\nlimits: {time_limit: 1}\n",
    "data/secret/1.in": "7\n",
    "data/secret/1.ans": "",
    "data/secret/2.in": "12\n",
    "output_validator/judge.py": "import sys\nsecret = int(open(sys.argv[1]).read())\n"
    "for _ in range(9):\n    guess = int(sys.stdin.readline() or 99)\n    print(guess < secret, flush=True)\n"
    "    if guess == secret:\n        sys.exit(42)\nsys.exit(43)\n",
    "submissions/accepted/up.py": "n = 4\nprint(n, flush=True)\n"
    "while input() == 'True':\n    n += 1\n    print(n, flush=True)\n",
    "submissions/wrong_answer/one.py": "for _ in range(9):\n    print(1, flush=True)\n    input()\n",
}


def test_an_interactive_problem_comes_over_with_its_validator(tmp_path: Path) -> None:
    assert agreed(imported(tmp_path, GUESSING)) == ["sums: accepted-up", "sums: wrong-answer-one"]


VALIDATING = {
    **PLAIN,
    **data(big="40 2"),
    "problem.yaml": "name: Sums\nvalidation: custom\nvalidator_flags: \"'at most' 1\"\nlimits: {time_limit: 1}\n",
    "output_validators/near/near.py": "import sys\nfrom pathlib import Path\n"
    "wanted = int(Path(sys.argv[2]).read_text())\nassert sys.argv[4] == 'at most'\n"
    "sys.exit(42 if abs(int(input()) - wanted) <= int(sys.argv[5]) else 43)\n",
    "submissions/accepted/ann.py": SUM,
    "submissions/accepted/near.py": "print(sum(map(int, input().split())) + 1)\n",
    "submissions/wrong_answer/far.py": "print(sum(map(int, input().split())) + 2)\n",
}


def test_an_output_validator_of_its_own_judges_here_as_well(tmp_path: Path) -> None:
    assert agreed(imported(tmp_path, VALIDATING)) == [
        "sums: accepted-ann",
        "sums: accepted-near",
        "sums: wrong-answer-far",
    ]


AGAIN = {
    "problem.yaml": "name: Doubles\ntype: multi-pass\n"
    "limits: {time_limit: 1, validation_passes: 3, validation_time: 9}\n",
    **{f"data/secret/{n}.{end}": str(n) for n in (1, 11) for end in ("in", "ans")},
    "output_validator/judge.py": "import sys\nfrom pathlib import Path\nn = int(Path(sys.argv[1]).read_text())\n"
    "if int(input()) != 2 * n:\n    sys.exit(43)\n"
    "if n % 10 < 3:\n    Path(sys.argv[3], 'nextpass.in').write_text(str(n + 1))\nsys.exit(42)\n",
    "submissions/accepted/ann.py": "print(2 * int(input()))\n",
    "submissions/wrong_answer/second.py": "n = int(input())\nprint(2 * n if n != 12 else 0)\n",
    "submissions/run_time_error/third.py": "n = int(input())\nprint(2 * n)\n1 / (n - 13)\n",
}


def test_several_passes_come_over_with_the_validator_that_asks_for_them(tmp_path: Path) -> None:
    written = imported(tmp_path, AGAIN)
    interactor = interactor_in(load(written.spec).tests[0].cases[0])
    assert interactor
    assert (interactor.passes, dict(interactor.limits)) == (3, {})
    assert agreed(written) == [
        "sums: accepted-ann",
        "sums: run-time-error-third",
        "sums: wrong-answer-second",
    ]


def test_links_inside_the_package_are_what_they_lead_to(tmp_path: Path) -> None:
    folder = lay(
        tmp_path / "sums",
        {**PLAIN, **data(a="1 1"), "submissions/accepted/a.py": SUM, "x/b.in": "2 2\n", "x/b.ans": "4\n"},
    )
    (folder / "data/secret/b.in").symlink_to("../../x/b.in")
    (folder / "data/secret/b.ans").symlink_to("../../x/b.ans")
    (folder / "submissions/rejected").symlink_to("accepted")
    (folder / "x/round").symlink_to("..")
    written = imported(tmp_path, {})
    assert [case.stdin for case in load(written.spec).tests[1].cases] == [b"1 1\n", b"2 2\n"]
    assert any("are left out: x/round" in note for note in written.notes)
