"""Run a spec as tests of pytest: `grader pytest`, whose command line lets pytest read no file of a submission."""

import os
import sys
from importlib.util import find_spec as find_module
from pathlib import Path
from typing import NamedTuple

import click

from grader.cli import lazy, shared
from grader.cli.shared import option
from grader.core.errors import HostError


class PytestCommand(NamedTuple):
    """Run a spec as tests of pytest: each case of a submission an item.

    pytest gets its options from this command line alone: it reads no configuration file, no conftest.py, and nothing
    of the submission. Options that are not listed here are pytest's, as -k, -n or --junitxml=FILE.
    """

    spec: str = shared.spec_argument
    submission: str = option("PATH", "Grade this folder, zip or tar.gz.", required=True)
    sandbox: str = shared.sandbox_option
    after_due: bool = shared.after_due_option
    others: tuple[str, ...] = shared.argument("[-- PYTEST OPTIONS]", type=click.UNPROCESSED)

    def _run(self) -> int:
        if find_module("pytest") is None:
            raise HostError(
                f"pytest is missing; it has to be installed beside grader: {sys.executable} -m pip install pytest"
            )
        path = Path(self.submission)
        lazy.staging.check_path(path)
        name, separator, item = self.spec.partition("::")
        spec = shared.find_spec(name, path)
        root = lazy.paths.root_of_spec(spec)
        command = [
            *(sys.executable, "-P", "-m", "pytest", "-c", os.devnull, f"--rootdir={root}", f"--confcutdir={root}"),
            *("--noconftest", "-p", "grader", "-p", "no:cacheprovider"),
            *(f"--submission={path}", f"--grader-sandbox={self.sandbox}"),
            *(["--grader-after-due"] if self.after_due else []),
            *(*self.others, "--", f"{spec}{separator}{item}"),
        ]
        sys.stdout.flush()
        # Nothing is left to do here, and workers of pytest then have the same clean search path for modules.
        os.execve(sys.executable, command, {**os.environ, "PYTHONSAFEPATH": "1"})  # noqa: S606 - that is the point
