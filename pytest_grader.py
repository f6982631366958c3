"""The plugin that pytest finds: its options, and nothing more until a submission is named.

Every pytest of the environment loads this file, also for projects that have nothing to do with `grader`. So it lies
outside the package, of which nothing is imported before the option is there: `grader.pytest_plugin` does the work.

pytest looks for its configuration before it knows our options: in `--submission DIR` it takes DIR for a folder of
tests, and may find a student's pytest.ini there. What `addopts` there names after `-p` it imports before any plugin
that is installed, so nothing here could prevent that. With `--submission=DIR` it does not look there. So the form with
a blank is refused always, also where it would do no harm; `grader pytest` takes both, and starts pytest without any
configuration. What has come from a submission all the same is refused before a conftest.py is loaded.
"""

import re
from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("grader", "grading a submission against a spec: pytest specs/x.yaml --submission=DIR")
    group.addoption("--submission", metavar="PATH", help="Grade this folder, zip or tar.gz against the specs named.")
    group.addoption("--grader-sandbox", metavar="LEVEL", default="auto", help="auto, full, or none. [auto]")
    group.addoption("--grader-after-due", action="store_true", help="Show tests that are hidden until the due date.")


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config, args: list[str]) -> None:
    """Refuse what a submission brings: neither configuration nor tests are ever a student's."""
    submission = early_config.known_args_namespace.submission
    if submission is None:
        return
    if "--submission" in args:
        raise pytest.UsageError(
            "write --submission=DIR, with an equals sign: with a blank, pytest takes DIR for a folder of tests, and "
            "may read a student's configuration there; or use grader pytest SPEC --submission DIR"
        )
    here = early_config.invocation_params.dir
    named = [here / word.partition("::")[0] for word in early_config.known_args_namespace.file_or_dir]
    for path in (here, early_config.rootpath, early_config.inipath, *named):
        if path is not None and path.resolve().is_relative_to((here / submission).resolve()):
            raise pytest.UsageError(
                f"{path} lies in the submission: what is a student's is no configuration and no test. Work in another "
                "folder, name the spec, and write --submission=DIR, with an equals sign"
            )


def pytest_configure(config: pytest.Config) -> None:
    """Bring in what collects specs, if a submission is named; without one, say of a spec what is missing."""
    if config.getoption("submission"):
        config.pluginmanager.import_plugin("grader.pytest_plugin")
        return
    for word in config.known_args_namespace.file_or_dir:
        if _is_spec(config.invocation_params.dir / word):
            raise pytest.UsageError(
                f"{word} is a spec of grader: say also which submission is to be graded, a folder, zip or tar.gz: "
                f"pytest {word} --submission=DIR"
            )


def _is_spec(path: Path) -> bool:
    """Tell whether a file begins as specs do; others' YAML is others' concern."""
    if path.suffix not in {".yaml", ".yml"} or not path.is_file():
        return False
    return re.search(rb"(?m)^spec:[ \t]*1[ \t\r]*$", path.read_bytes()) is not None
