import json
from pathlib import Path

import pytest

from grader.core.model.layout import Submission
from grader.core.model.report import Job, Verdict
from grader.core.pipeline import grade
from grader.core.reader.spec import load
from grader.imports import write_assignment
from grader.imports.github_classroom import import_github_classroom
from grader.imports.shell_lines import with_python3_in_file
from tests.support.packages import lay

pytestmark = pytest.mark.usefixtures("shared_cache")


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("tests/check.sh", "#!/bin/sh\n# python\npython a.py\n", "#!/bin/sh\n# python\npython3 a.py\n"),
        (
            "Makefile",
            "PY := python\nt:\n\t@python a.py; $(PY) b.py\n",
            "PY := python3\nt:\n\t@python3 a.py; $(PY) b.py\n",
        ),
        (
            "t.py",
            "#!/usr/bin/env python\nrun(['python', 'a.py'])\n",
            "#!/usr/bin/env python3\nrun(['python3', 'a.py'])\n",
        ),
        ("t.py", "print('python', 'a')\n", "print('python', 'a')\n"),
        (
            "a.sh",
            "python --version; python -u a.py && python < b; python $1 | python *.py\n",
            "python3 --version; python3 -u a.py && python3 < b; python3 $1 | python3 *.py\n",
        ),
        (
            "a.sh",
            "python - <<E\nE\ncat a.txt | python\npython tools/run; x=$(python)\n",
            "python3 - <<E\nE\ncat a.txt | python3\npython3 tools/run; x=$(python3)\n",
        ),
        ("Makefile", "t:\n\t@python check\n", "t:\n\t@python3 check\n"),
        ("a.sh", "echo python is ./python a.py; cpython a.py\n", "echo python is ./python a.py; cpython a.py\n"),
        ("data/in.txt", "python a.py\n", "python a.py\n"),
        ("run", "#!/bin/bash\nx=$(python -c 'print(1)')\n", "#!/bin/bash\nx=$(python3 -c 'print(1)')\n"),
    ],
)
def test_python_becomes_python3_in_the_files_of_the_course(name: str, text: str, expected: str) -> None:
    assert with_python3_in_file(name, text.encode()).decode() == expected


TESTS = [
    {"name": "makes", "run": "make test", "points": 1},
    {"name": "writes", "run": "python words.py < data/in.txt > got.txt", "points": 1},
    {"name": "reads", "run": "python words.py < data/in.txt > got.txt; diff got.txt tests/out.txt", "points": 3},
]
FILES = {
    ".github/classroom/autograding.json": json.dumps({"tests": TESTS}),
    "Makefile": "PYTHON = python\ntest:\n\t$(PYTHON) words.py < data/in.txt | sh tests/check.sh\n",
    "tests/check.sh": "python -c 'assert int(input()) == 3'\n",
    "tests/out.txt": "3\n",
    "data/in.txt": "a b c\n",
    "words.py": "",
}


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("import sys\nprint(len(sys.stdin.read().split()))\n", [Verdict.PASSED] * 3),
        (
            "import sys\nprint(len(sys.stdin.read().split(' ')) + 1)\n",
            [Verdict.CRASHED, Verdict.PASSED, Verdict.FAILED],
        ),
        (
            "import sys\nprint(len(sys.stdin.read().split()))\nsys.exit(3)\n",
            [Verdict.PASSED, Verdict.FAILED, Verdict.PASSED],
        ),
    ],
    ids=["right", "wrong", "wrong-status"],
)
def test_files_of_the_course_are_beside_each_line(tmp_path: Path, program: str, expected: list[Verdict]) -> None:
    written = write_assignment(import_github_classroom(lay(tmp_path / "words", FILES)), tmp_path / "course")
    assert any("python3 is written for python" in note and "Makefile" in note for note in written.notes)
    assert load(written.spec).program == ("sh", "-c", "python3 words.py < data/in.txt > got.txt")
    work = lay(tmp_path / "ann", {"words.py": program, "Makefile": "test:\n\ttrue\n"})
    report = grade(Job(spec=written.spec, submission=Submission(id="ann", path=work)))
    assert [test.verdict for test in report.tests] == expected
