"""Code for pytest that a student hands in beside a right program: none of it may run."""

from pathlib import Path

import pytest

from tests.support.courses import submission
from tests.support.rows import read_data

EVIL = "import pathlib\npathlib.Path({canary!r}).write_text('here')\n"
CONFIGURATIONS: dict[str, str] = read_data(__file__)["CONFIGURATIONS"]
MODULES = (
    *("conftest.py", "evil.py", "setup.py", "test_evil.py", "sitecustomize.py", "usercustomize.py"),
    *("pytest.py", "_pytest.py", "pytest_grader.py", "xdist.py", "execnet.py", "json.py", "grader.py"),
)


def hand_in_code(folder: Path, *configurations: str) -> Path:
    """Hand in modules, and these configurations of pytest; return the file that they would write."""
    where, canary = submission(folder, "mallory"), folder / "canary"
    for name in MODULES:
        (where / name).write_text(EVIL.format(canary=str(canary)))
    for name in configurations:
        (where / name.partition(",")[0]).write_text(CONFIGURATIONS[name])
    return canary


def leave_this_pytest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a process of pytest know nothing of the one that runs this test."""
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    for name in ("PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT", "PYTEST_XDIST_TESTRUNUID"):
        monkeypatch.delenv(name, raising=False)
