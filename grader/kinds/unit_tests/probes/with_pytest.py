"""Runs methods of a unit test with pytest.

It is handed to the sandbox behind `unit.py`, with whose names it runs.
"""

import functools
import importlib
import inspect
import os
import sys
import unittest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from grader.kinds.unit_tests.probes.unit import (
        _MAX_LENGTH,
        _failure,
        _ModuleFinder,
        _Progress,
        _Run,
        _written,
        builtins_for,
        package_of,
    )


class _Plugin:
    """Hears from pytest what comes of each run of the methods."""

    def __init__(self, file: str, progress: _Progress) -> None:
        self.file = file
        self.progress = progress
        self.compared: tuple[str, str, str] | None = None
        self.outcome, self.returned = "passed", False
        self.stdout, sys.stdout = sys.stdout, open(os.devnull, "w")  # noqa: SIM115 - until the process ends

    def pytest_sessionstart(self) -> None:
        """From here on standard output is the student's: pytest writes where it was to be written when it began."""
        sys.stdout = self.stdout

    def pytest_sessionfinish(self) -> None:
        """Silence pytest."""
        sys.stderr.flush()
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - until the process ends

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        items[:] = [item for item in items if _method_of(item.nodeid) in self.progress.records]

    def pytest_collection_finish(self, session: Any) -> None:
        for item in session.items:
            self.progress.records[_method_of(item.nodeid)]["runs"] += 1

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.compared = None
        self.outcome, self.returned = "passed", False
        self.progress.begin(_method_of(nodeid))

    def pytest_runtest_call(self, item: Any) -> None:
        """Count the runs of the method itself; a `TestCase` has it only since its set-up."""
        owner = getattr(item.obj, "__self__", None)
        item.obj = counted = self._counted(item.obj, _method_of(item.nodeid))
        counted.__dict__["__self__"] = owner  # where pytest looks for the object
        if isinstance(owner, unittest.TestCase):
            setattr(owner, item.name, counted)

    def _counted(self, method: Callable[..., object], name: str) -> Callable[..., object]:
        """Return the method, of which it is then known whether it came to its own end."""
        returns = self.progress.returned
        if inspect.iscoroutinefunction(method):

            @functools.wraps(method)
            async def run_async(*args: object, **keywords: object) -> object:
                returned = await method(*args, **keywords)
                returns[name] += 1
                self.returned = True
                return returned

            return run_async

        @functools.wraps(method)
        def run(*args: object, **keywords: object) -> object:
            returned = method(*args, **keywords)
            returns[name] += 1
            self.returned = True
            return returned

        return run

    def pytest_assertrepr_compare(self, op: str, left: object, right: object) -> None:
        self.compared = (op, _written(left), _written(right))

    def pytest_exception_interact(self, node: Any, call: Any, report: Any) -> None:
        error = call.excinfo.value
        if report.when == "collect":
            self.progress.fail_loading(_failure(error.__cause__ or error, self.file))
            return
        given = node.callspec.id if hasattr(node, "callspec") else ""
        failure = {**_failure(error, self.file, self.compared), "given": given[:_MAX_LENGTH]}
        self.progress.add(_method_of(node.nodeid), failure)

    def pytest_runtest_logreport(self, report: Any) -> None:
        given = report.nodeid.partition("[")[2].rstrip("]")[:_MAX_LENGTH]
        method = _method_of(report.nodeid)
        if report.skipped or hasattr(report, "wasxfail"):
            why = report.longrepr[2] if isinstance(report.longrepr, tuple) else getattr(report, "wasxfail", "")
            skipped = {"kind": "skipped", "message": str(why).removeprefix("Skipped: ")[:_MAX_LENGTH], "given": given}
            self.progress.add(method, skipped)
            self.outcome = "failed" if self.outcome == "failed" else "skipped"
        if report.failed:
            self.progress.failed.add(method)
            self.outcome = "failed"
        if report.when == "teardown":
            self.progress.records[method]["done"] += 1
            self.progress.add_value(method, self.outcome if self.returned or self.outcome != "passed" else "failed")
            self.compared = None


def _method_of(nodeid: str) -> str:
    """Return the method that a run is one of: `TestBank.test_deposit`."""
    return nodeid.partition("::")[2].partition("[")[0].replace("::", ".")


def ready_pytest() -> _Run:
    """Import pytest, and return what runs methods with it. Raises ImportError."""
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    for name in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS"):
        os.environ.pop(name, None)
    pytest = importlib.import_module("pytest")
    plugins = importlib.import_module("_pytest.config").default_plugins
    for name in ("pdb", *(f"_pytest.{one}" for one in plugins)):
        importlib.import_module(name)  # with all that it imports, before anything that was handed in
    pytest.hookimpl(tryfirst=True)(_Plugin.pytest_runtest_call)
    loader = importlib.import_module("_pytest.assertion.rewrite").AssertionRewritingHook
    execute = loader.exec_module

    def execute_with_builtins(self: Any, module: Any) -> None:
        vars(module)["__builtins__"] = builtins_for(module.__spec__.origin)
        execute(self, module)

    loader.exec_module = execute_with_builtins

    def run(file: str, _own: list[str], progress: _Progress) -> None:
        plugin = _Plugin(file, progress)
        # All of the file, in its order, where several are run.
        places = [file] if len(progress.methods) > 1 else ["::".join([file, *progress.methods[0].split(".")])]
        pytest.main([*pytest_options(file), *places], plugins=[plugin])

    return run


def pytest_options(file: str) -> list[str]:
    """Return the options by which pytest looks at nothing but the course's files."""
    folder = os.path.dirname(os.path.abspath(file))
    # Below it, the parts of a path are those of the name of a module.
    root = os.path.dirname(folder) if package_of(file) else folder
    options = ["-c", os.devnull, "--rootdir", root, "--import-mode=importlib", "-s", "-q"]
    # Only that of the course, which lies beside the test.
    has_own = any(isinstance(one, _ModuleFinder) and "conftest" in one.names for one in sys.meta_path)
    options += ["--confcutdir", folder] if has_own else ["--noconftest"]
    return [*options, "-p", "no:cacheprovider", "-p", "no:faulthandler", "-p", "no:threadexception"]
