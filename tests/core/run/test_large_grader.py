"""A grader with more memory of its own than its programs may have: none of it is ever taken for theirs."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

LIMIT_MIB, OURS_MIB, CASES = 256, 600, 20
SPEC = f"""\
spec: 1
id: one
title: One
language: python
files: {{required: [main.py]}}
program: python3 main.py
limits: {{time: 60 s, memory: {LIMIT_MIB} MiB}}
tests:
  - name: small
    cases: [{", ".join(f"{{args: ['{number}']}}" for number in range(CASES))}]
    expect: {{stdout: any}}
"""
# Its processes are made by vfork, whose children share its memory for a moment.
PROGRAM = """\
import subprocess, sys
held = bytearray(140 << 20) if sys.argv[1].endswith("7") else b""
for _ in range(3):
    subprocess.run(["/bin/echo", sys.argv[1]], check=True)
"""
GRADER = """
import json, mmap, sys, threading, time
from pathlib import Path
from grader.core.model.report import Job
from grader.core.model.layout import Submission
from grader.core.pipeline import grade, prepare

root, level, mib, rounds = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
held = bytearray(b"1") * (mib << 20)

def churn():
    while True:
        with mmap.mmap(-1, 2**20) as some:
            for place in range(0, len(some), 4096):
                some[place] = 1
        time.sleep(0.001)

threading.Thread(target=churn, daemon=True).start()
course = prepare(root / "specs/one.yaml", sandbox=level)
job = Job(spec=root / "specs/one.yaml", submission=Submission(id="work", path=root / "work"))
found = [case for _ in range(rounds) for case in grade(job, course).tests[0].cases]
wrong = [(case.verdict, case.message) for case in found if case.verdict != "passed"]
print(json.dumps({"cases": len(found), "most": max(case.memory for case in found), "wrong": wrong}))
"""


@pytest.mark.parametrize("level", ["full", "container", "none"])
@pytest.mark.parametrize("cases", [CASES, pytest.param(2000, marks=[pytest.mark.soak, pytest.mark.timeout(3600)])])
def test_the_memory_of_the_grader_is_not_the_program_s(cases: int, level: str, tmp_path: Path) -> None:
    if level == "container" and os.geteuid() != 0:
        pytest.skip("only root can give a program a user of its own")
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs/one.yaml").write_text(SPEC)
    (tmp_path / "work").mkdir()
    (tmp_path / "work/main.py").write_text(PROGRAM)
    command = [sys.executable, "-c", GRADER, str(tmp_path), level, str(OURS_MIB), str(cases // CASES)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=3500, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["cases"], found["wrong"]) == (cases, [])
    assert found["most"] < LIMIT_MIB * 2**20
