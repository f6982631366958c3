"""Runs methods of a unit test with unittest.

It is handed to the sandbox behind `unit.py`, with whose names it runs.
"""

import importlib.util
import os
import sys
import types
import unittest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from grader.kinds.unit_tests.probes.unit import (
        _MAX_LENGTH,
        Failure,
        _failure,
        _Progress,
        _Run,
        _written,
        builtins_for,
        import_package_of,
    )


class _Listener(unittest.TestResult):
    """Hears from unittest what comes of each run."""

    def __init__(self, file: str, module: types.ModuleType, progress: _Progress) -> None:
        super().__init__()
        self.file, self.module, self.progress = file, module, progress
        self.own, self.values, self.around = "failed", list[str](), list[Any]()

    def startTest(self, test: Any) -> None:  # noqa: N802 - as unittest calls it
        self.progress.begin(name_in_suite(test, self.module))
        # What comes of the method itself, of its subtests, and those that have subtests in them.
        self.own, self.values, self.around = "failed", [], []

    def addSuccess(self, test: Any) -> None:  # noqa: N802 - as unittest calls it
        self.progress.returned[name_in_suite(test, self.module)] += 1
        self.own = "passed"

    def addError(self, test: Any, err: Any) -> None:  # noqa: N802 - as unittest calls it
        self._add(test, _failure(err[1], self.file))
        for method in self._methods_of(test):
            self.progress.records[method]["failed_outside"] = True

    addFailure = addError  # noqa: N815

    def addSubTest(self, test: Any, subtest: Any, err: Any) -> None:  # noqa: N802
        self._add_value(test, subtest, "passed" if err is None else "failed")
        if err is not None:
            given = ", ".join(f"{name}={_written(value)}" for name, value in subtest.params.items())
            self._add(test, {**_failure(err[1], self.file), "given": given[:_MAX_LENGTH]})

    def _add_value(self, test: Any, subtest: Any, outcome: str) -> None:
        """Note what came of a subtest, unless it is around others: these are the values then."""
        own, *around = subtest.params.maps
        if any(one is own for one in self.around):
            record = self.progress.records[name_in_suite(test, self.module)]
            record["failed_outside"] = record["failed_outside"] or outcome == "failed"
            return
        self.around += around
        self.values.append(outcome)

    def addSkip(self, test: Any, reason: str) -> None:  # noqa: N802
        # A skipped subtest is an object of its own.
        if (whole := getattr(test, "test_case", test)) is not test:
            self._add_value(whole, test, "skipped")
        else:
            self.own = "skipped"
        self._add(whole, {"kind": "skipped", "message": str(reason)[:_MAX_LENGTH]})

    def addExpectedFailure(self, test: Any, err: Any = None) -> None:  # noqa: N802, ARG002
        self.own = "skipped"
        self._add(test, {"kind": "skipped", "message": "a failure is expected"})

    addUnexpectedSuccess = addExpectedFailure  # noqa: N815

    def stopTest(self, test: Any) -> None:  # noqa: N802
        method = name_in_suite(test, self.module)
        self.progress.records[method]["done"] += 1
        for outcome in self.values or [self.own]:
            self.progress.add_value(method, outcome)

    def _add(self, test: Any, failure: Failure) -> None:
        for method in self._methods_of(test):
            self.progress.add(method, failure)

    def _methods_of(self, test: Any) -> list[str]:
        """Return the method; for what is done before a class or module all that wait for it, and after it the last."""
        what, _, owner = str(getattr(test, "description", "")).partition(" (")
        if isinstance(test, unittest.TestCase) or not owner:
            return [name_in_suite(test, self.module)]
        if what.startswith("tearDown") and self.progress.begun:
            return self.progress.begun[-1:]
        name = owner.rstrip(")").removeprefix(self.module.__name__).lstrip(".")
        waiting = [one for one in self.progress.methods if one not in self.progress.begun]
        return [one for one in waiting if not name or one.rpartition(".")[0] == name]


def ready_unittest() -> _Run:
    """Return what runs methods with unittest."""

    def run(file: str, own: list[str], progress: _Progress) -> None:
        module = load_unittest(file, own)
        every = tests_in(unittest.defaultTestLoader.loadTestsFromModule(module))
        suite = unittest.TestSuite(test for test in every if name_in_suite(test, module) in progress.records)
        for test in suite:
            progress.records[name_in_suite(test, module)]["runs"] += 1
        suite.run(_Listener(file, module, progress))

    return run


def load_unittest(file: str, own: list[str]) -> types.ModuleType:
    """Import the file of a test, whatever its name."""
    name = os.path.splitext(os.path.basename(file))[0]
    # A student's `bank` is tested too where the file of the test is called like it.
    name = name if name not in own else f"test of {name}"
    if package := import_package_of(file):
        name = f"{package}.{name}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise ImportError(name)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    vars(module)["__builtins__"] = builtins_for(file)
    spec.loader.exec_module(module)
    return module


def tests_in(suite: Any) -> "Iterator[Any]":
    """Yield the tests of a suite; raise what a `load_tests` did."""
    for one in suite:
        if isinstance(one, unittest.TestSuite):
            yield from tests_in(one)
        elif isinstance(getattr(one, "_exception", None), BaseException):
            raise one._exception  # noqa: SLF001 - there is no other way to know it
        else:
            yield one


def name_in_suite(test: Any, module: types.ModuleType) -> str:
    """Return what a test is called: `TestBank.test_deposit`."""
    return str(test.id()).removeprefix(f"{module.__name__}.")
