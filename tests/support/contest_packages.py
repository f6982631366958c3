"""Sixteen small problem packages, one of each form that public archives have; all of it is made up here."""

from collections.abc import Mapping

from tests.support.packages import NEWER, SCORED, SUM

_TIMED = "name: Sums\nlimits: {time_limit: 2}\n"
_LEGACY = "type: scoring\nproblem_format_version: legacy\nlimits: {time_limit: 2}\n"
_CONSTANT = "input()\nprint(3)\n"
_BUSY = "import time\nend = time.process_time() + {}\nwhile time.process_time() < end:\n    pass\n"
_HEADER = 'const char *SCORE = "score.txt";\nvoid report_score(double score) {}\n'
_PATHS = "import sys\nfrom pathlib import Path\n"


def _data(*inputs: str) -> dict[str, str]:
    """Return inputs with their sums, from such as `secret/g1/1: 40 2`."""
    found = {}
    for name, _, numbers in (one.partition(": ") for one in inputs):
        found[f"data/{name}.in"] = f"{numbers}\n"
        found[f"data/{name}.ans"] = f"{sum(map(int, numbers.split()))}\n"
    return found


_SUMS = {**_data("sample/1: 1 2", "secret/1: 40 2", "secret/2: 0 7"), "submissions/accepted/ann.py": SUM}
_PLAIN = {
    **_SUMS,
    "problem.yaml": _TIMED,
    "submissions/wrong_answer/three.py": _CONSTANT,
    "submissions/run_time_error/crash.py": "raise ValueError\n",
}
_GROUPS = {
    **_data("sample/1: 1 1", "secret/g1/1: 1 2", "secret/g1/2: 2 2", "secret/g2/1: 3 3"),
    "submissions/accepted/ann.py": SUM,
}
_PARTIAL = {**SCORED, "submissions/wrong_answer/none.py": "# @EXPECTED_SCORE@: 0\nprint()\n"}

PACKAGES: Mapping[str, Mapping[str, str]] = {
    "plain": _PLAIN,
    "large": {**_PLAIN, "data/secret/2.in": "0 7\n" + " " * (65 * 2**20)},
    "measured": {
        **_SUMS,
        "problem.yaml": "name: Sums\nproblem_format_version: 2023-07-draft\nlimits: {time_resolution: 0.1}\n",
        "submissions/accepted/slow.py": _BUSY.format(0.1) + SUM,
        "submissions/time_limit_exceeded/slower.py": _BUSY.format(9) + SUM,
    },
    "partial": _PARTIAL,
    "stock-header": {
        **_PLAIN,
        "problem.yaml": f"{_TIMED}validation: custom\n",
        "output_validators/near/validate.h": _HEADER,
        "output_validators/near/near.py": f"{_PATHS}wanted = Path(sys.argv[2]).read_text().split()\n"
        "sys.exit(42 if sys.stdin.read().split() == wanted else 43)\n",
    },
    "grader": {
        **_GROUPS,
        "problem.yaml": f"name: Squares\n{_LEGACY}",
        "data/testdata.yaml": "range: 0 9\ngrader_flags: ignore_sample\non_reject: continue\n",
        "data/secret/testdata.yaml": "grading: custom\n",
        "graders/squares.py": "import sys\nrows = [line.split() for line in sys.stdin]\n"
        "right = sum(verdict == 'AC' for verdict, _ in rows)\n"
        "print('AC' if right else 'WA', right * right if float(rows[0][1]) <= 1 else sum(float(s) for _, s in rows))\n",
        "submissions/accepted/ann.py": f"# @EXPECTED_SCORE@: 5\n{SUM}",
        "submissions/partially_accepted/two.py": "# @EXPECTED_SCORE@: 1\nn = input()\nprint({'1 1': 2}.get(n, 3))\n",
    },
    "score-file": {
        **_GROUPS,
        "problem.yaml": f"name: Near\nvalidation: custom score\n{_LEGACY}",
        "data/testdata.yaml": "range: 0 20\ngrader_flags: ignore_sample\non_reject: continue\n",
        "data/secret/testdata.yaml": "grader_flags: sum\n",
        "data/secret/g1/testdata.yaml": "range: 0 10\ngrader_flags: min\n",
        "data/secret/g2/testdata.yaml": "range: 0 10\ngrader_flags: min\n",
        "output_validators/near.py": f"{_PATHS}wanted = int(Path(sys.argv[2]).read_text())\n"
        "got = int(sys.stdin.read())\n"
        "Path(sys.argv[3], 'score.txt').write_text(str(max(0, 10 - abs(got - wanted))))\nsys.exit(42)\n",
        "submissions/accepted/ann.py": f"# @EXPECTED_SCORE@: 20\n{SUM}",
        "submissions/partially_accepted/off.py": "# @EXPECTED_SCORE@: 18\nprint(sum(map(int, input().split())) + 1)\n",
    },
    "samples-alone": {
        **_data("sample/1: 1 2"),
        "problem.yaml": _TIMED,
        "data/make.sh": "",
        "submissions/accepted/ann.py": SUM,
    },
    "no-secret-data": {
        **{name: text for name, text in SCORED.items() if not name.endswith((".in", ".ans")) or "sample" in name},
        "generators/Makefile": "",
    },
    "range-beyond": {
        **_PARTIAL,
        "problem.yaml": f"name: Sums\n{_LEGACY}",
        "data/testdata.yaml": "grader_flags: ignore_sample\nrange: 0 130\n",
        "data/secret/testdata.yaml": "on_reject: continue\ngrader_flags: accept_if_any_accepted\n",
    },
    "one-group": {
        **_data("sample/1: 1 2", "secret/group1/1: 40 2", "secret/group1/2: 0 7"),
        "problem.yaml": "name: Sums\ntype: scoring\nlimits: {time_limit: 2}\n",
        "data/testdata.yaml": "grader_flags: ignore_sample\n",
        "data/secret/testdata.yaml": "grader_flags: min\n",
        "data/secret/group1/testdata.yaml": "accept_score: 100\ngrader_flags: min\n",
        "submissions/accepted/ann.py": SUM,
        "submissions/wrong_answer/seven.py": "# @EXPECTED_SCORE@: 0\nprint(7)\n",
    },
    "first-failure": {
        **_PLAIN,
        **_data("secret/3: 5 5", "secret/4: 6 6"),
        "submissions/run_time_error/late.py": "n = input()\nif n == '6 6':\n    raise ValueError\n"
        "print(sum(map(int, n.split())) if n != '5 5' else 0)\n",
    },
    "interactive": {
        "problem.yaml": "name: Guess\ntype: interactive\nlimits: {time_limit: 2}\n",
        "data/secret/1.in": "7\n",
        "data/secret/1.ans": "",
        "data/secret/2.in": "9\n",
        "output_validator/judge.py": "import sys\nsecret = int(open(sys.argv[1]).read())\n"
        "for _ in range(9):\n    guess = int(sys.stdin.readline() or 99)\n    print(guess < secret, flush=True)\n"
        "    if guess == secret:\n        sys.exit(42)\nsys.exit(43)\n",
        "submissions/accepted/up.py": "n = 4\nprint(n, flush=True)\n"
        "while input() == 'True':\n    n += 1\n    print(n, flush=True)\n",
        "submissions/wrong_answer/one.py": "for _ in range(9):\n    print(1, flush=True)\n    input()\n",
    },
    "two-passes": {
        "problem.yaml": "problem_format_version: 2025-09\nname: Twice\ntype: [pass-fail, multi-pass]\n"
        "limits: {time_limit: 2, validation_passes: 2}\n",
        "data/sample/1.in": "encode 5\n",
        "data/sample/1.ans": "",
        "data/secret/1.in": "encode 9\n",
        "data/secret/1.ans": "",
        "output_validator/judge.py": f"{_PATHS}first = Path(sys.argv[1]).read_text().split()\n"
        "got, feedback = sys.stdin.read().strip(), Path(sys.argv[3])\nstate = feedback / 'state.txt'\n"
        "if not state.exists():\n    state.write_text(first[1])\n"
        "    (feedback / 'nextpass.in').write_text(f'decode {got}\\n')\n    sys.exit(42)\n"
        "sys.exit(42 if got == state.read_text() else 43)\n",
        "submissions/accepted/flip.py": "word, n = input().split()\n"
        "print(int(n) + (100 if word == 'encode' else -100))\n",
        "submissions/wrong_answer/same.py": "word, n = input().split()\nprint(int(n) + 100)\n",
    },
    "domjudge": {
        **_data("sample/1: 1 2", "secret/1: 40 2"),
        "problem.yaml": "name: Sums\nvalidator_flags: float_tolerance 1e-3\n",
        "domjudge-problem.ini": "timelimit='2'\ncolor='red'\n",
        "submissions/accepted/ann.py": "print(sum(map(int, input().split())) + 0.0001)\n",
        "submissions/wrong_answer/off.py": "print(sum(map(int, input().split())) + 0.1)\n",
    },
    "newer": NEWER,
}
"""a name -> the files"""
