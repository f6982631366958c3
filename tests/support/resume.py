"""A plugin of pytest for a long run: a test that passed on this tree is not run again.

What passed stands in `.soak`, under the name of the tree that git would make of the working folder.
"""

import os
import subprocess
import tempfile
from pathlib import Path

import pytest

from tests.support.expected import ROOT

DONE = ROOT / ".soak"


def tree_id(root: Path) -> str:
    """Return the id of the tree of all files that are not ignored; the index stays as it is."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "GIT_INDEX_FILE": f"{folder}/index"}
        for command in (["add", "--all"], ["write-tree"]):
            done = subprocess.run(
                ["/usr/bin/git", *command], cwd=root, env=environment, capture_output=True, text=True, check=True
            )
    return done.stdout


def read_passed(path: Path, tree: str) -> set[str]:
    """Return the tests that passed on this tree; a file about another tree is begun anew."""
    if not path.exists() or not path.read_text().startswith(tree):
        path.write_text(tree)
    return set(path.read_text().splitlines()[1:])


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what has passed."""
    passed = read_passed(DONE, tree_id(ROOT))
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid in passed])
    items[:] = [item for item in items if item.nodeid not in passed]


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note what passes, at once."""
    if report.when == "call" and report.passed:
        with DONE.open("a") as file:
            file.write(f"{report.nodeid}\n")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Nothing left to run is no failure."""
    if session.exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
        session.exitstatus = pytest.ExitCode.OK
