"""A grader with more memory of its own than its programs may have: none of it is ever taken for theirs."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.rows import read_data

DATA = read_data(__file__)
LIMIT_MIB, OURS_MIB, CASES = 256, 600, 20
SPEC = DATA["SPEC"].format(limit=LIMIT_MIB, cases=[{"args": [str(number)]} for number in range(CASES)])


@pytest.mark.parametrize("level", ["full", "container", "none"])
@pytest.mark.parametrize("cases", [CASES, pytest.param(2000, marks=[pytest.mark.soak, pytest.mark.timeout(3600)])])
def test_the_memory_of_the_grader_is_not_the_program_s(cases: int, level: str, tmp_path: Path) -> None:
    if level == "container" and os.geteuid() != 0:
        pytest.skip("only root can give a program a user of its own")
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs/one.yaml").write_text(SPEC)
    (tmp_path / "work").mkdir()
    (tmp_path / "work/main.py").write_text(DATA["PROGRAM"])
    command = [sys.executable, "-c", DATA["GRADER"], str(tmp_path), level, str(OURS_MIB), str(cases // CASES)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=3500, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["cases"], found["wrong"]) == (cases, [])
    assert found["most"] < LIMIT_MIB * 2**20
