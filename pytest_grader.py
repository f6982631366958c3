"""The plugin that pytest finds: its options, and nothing more until a submission is named.

Every pytest of the environment loads this file, also for projects that have nothing to do with `grader`. So it lies
outside the package, of which nothing is imported before the option is there: `grader.pytest_plugin` does the work.
"""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("grader", "grading a submission against a spec: pytest specs/x.yaml --submission DIR")
    group.addoption("--submission", metavar="PATH", help="Grade this folder, zip or tar.gz against the specs named.")
    group.addoption("--grader-sandbox", metavar="LEVEL", default="auto", help="auto, full, or none. [auto]")
    group.addoption("--grader-after-due", action="store_true", help="Show tests that are hidden until the due date.")


def pytest_configure(config: pytest.Config) -> None:
    """Bring in what collects specs, if a submission is named."""
    if config.getoption("submission"):
        config.pluginmanager.import_plugin("grader.pytest_plugin")
