"""Run a spec as tests of pytest: `grader pytest`, whose command line lets pytest read no file of a submission."""

import os
import sys
from collections.abc import Sequence
from importlib.util import find_spec as find_module
from pathlib import Path

import click

from grader.cli import shared
from grader.core.errors import HostError


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("spec", metavar="SPEC", type=click.Path())
@click.option("--submission", metavar="PATH", required=True, help="Grade this folder, zip or tar.gz.")
@shared.sandbox_option
@shared.after_due_option
@click.argument("options", nargs=-1, metavar="[-- PYTEST OPTIONS]", type=click.UNPROCESSED)
def run_pytest(spec: str, submission: str, sandbox: str, after_due: bool, options: tuple[str, ...]) -> int:
    """Run a spec as tests of pytest: each case of a submission an item.

    pytest gets its options from this command line alone: it reads no configuration file, no conftest.py, and nothing
    of the submission. Options that are not listed here are pytest's, as -k, -n or --junitxml=FILE.
    """
    from grader.core.build.staging import check_path
    from grader.core.reader.locate import find_spec

    if find_module("pytest") is None:
        raise HostError(
            f"pytest is missing; it has to be installed beside grader: {sys.executable} -m pip install pytest"
        )
    path = Path(submission)
    check_path(path)
    name, separator, item = spec.partition("::")
    found = find_spec(name, [path], Path.cwd())
    command = pytest_command(found, path, f"{separator}{item}", sandbox=sandbox, after_due=after_due, options=options)
    sys.stdout.flush()
    # Nothing is left to do here, and workers of pytest then have the same clean search path for modules.
    os.execve(sys.executable, command, {**os.environ, "PYTHONSAFEPATH": "1"})  # noqa: S606 - that is the point


def pytest_command(
    spec: Path, submission: Path, item: str = "", *, sandbox: str, after_due: bool, options: Sequence[str] = ()
) -> list[str]:
    """Return the command that starts pytest so that it reads no configuration and no test but the spec.

    `item` is nothing, or `::` and the name of a case.
    """
    from grader.core.reader.paths import root_of_spec

    root = root_of_spec(spec)
    safe = ["-c", os.devnull, f"--rootdir={root}", f"--confcutdir={root}", "--noconftest", "-p", "grader"]
    own = [f"--submission={submission}", f"--grader-sandbox={sandbox}"]
    return [
        *(sys.executable, "-P", "-m", "pytest", *safe, "-p", "no:cacheprovider", *own),
        *(["--grader-after-due"] if after_due else []),
        *options,
        "--",
        f"{spec}{item}",
    ]
