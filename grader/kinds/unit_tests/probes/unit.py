"""Runs one method of a unit test and records the result. It runs alone, in the sandbox, with pytest or unittest.

Standard input begins with ten digits, the length of a request, and the request, whose fields are lines. It is read
before any of the student's code is loaded; the rest is the student's input. At the very end a file that the request
names is written: a record in JSON, after a digest that cannot be made without the secret of the request. Only the state
of a digest remains of the secret. The first output on standard output shows that it started, or that there is no
framework. What writes the record is fetched before any of the student's code is loaded, and is in no module then.
"""

import builtins
import difflib  # noqa: F401 - whatever pytest loads late is loaded before a student's file of that name can be
import functools
import hashlib
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import inspect
import json.encoder
import linecache
import os
import pprint  # noqa: F401
import sys
import traceback
import types
import unittest
import unittest.mock
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

_MAX_LENGTH, _MAX_FAILURES = 2000, 20
_WATCHED = ("pytest", "_pytest", "pluggy", "unittest", "__main__")
_FREE = {f"builtins.{name}" for name in ("input", "print", "open", "exit", "quit", "__import__")}
"""what tests themselves put something in the place of, and may forget there"""
Failure = dict[str, Any]
_Run = Callable[[str, str, list[str]], Failure]


def answer_unit_request() -> None:
    """Do what the request asks for, and end the process whatever still runs in it."""
    fields = _read_exactly(int(_read_exactly(10))).decode().split("\n")
    mark, name, secret, framework, path, file, method, helpers, *own = fields
    send_report = _make_reporter(name, hashlib.sha256(secret.encode()), hashlib.sha256())
    keep, sys.modules["__main__"] = sys.modules["__main__"], types.ModuleType("__main__")
    try:
        run = _RUNNERS[framework]()
    except ImportError:
        os.write(1, f"\x1e{mark} absent\n".encode())
        return
    os.write(1, f"\x1e{mark}\n".encode())
    del fields, mark, name, secret
    sys.dont_write_bytecode = True
    sys.argv = [file]
    originals = list(_functions(keep))
    # What the course requires comes before what was handed in: the test itself compares with it.
    required = [one for one in sys.path if one.startswith(sys.prefix + os.sep)] if sys.prefix != sys.base_prefix else []
    sys.path[:0] = [*required, os.path.abspath(path)]
    for module in own:
        sys.modules.pop(module, None)
    sys.meta_path.insert(0, _Helpers(os.path.dirname(os.path.abspath(file)), helpers.split()))
    scores = _stand_in_for_gradescope()
    try:
        record = run(file, method, own)
    except BaseException as error:  # noqa: BLE001 - the student's, such as SystemExit
        record = {"loading": _failure(error, file)}
    finish = (_flush, _changed, send_report)
    finish[0]()
    record["changed"] = finish[1](originals) or ("" if scores.is_honest else "set_score")
    record["share"] = scores.share
    finish[2]({"event": "over", **record})


class _Helpers(importlib.abc.MetaPathFinder):
    """Finds the course's modules beside the test before any of the student's with such a name."""

    def __init__(self, folder: str, names: list[str]) -> None:
        self.folder, self.names = folder, names

    def find_spec(self, name: str, path: object = None, target: object = None) -> Any:  # noqa: ARG002 - as it is called
        if path is None and name in self.names:
            return importlib.machinery.PathFinder.find_spec(name, [self.folder])
        return None


def _read_exactly(length: int) -> bytes:
    """Read exactly so much, and nothing of what belongs to the student."""
    data = b""
    while len(data) < length:
        chunk = os.read(0, length - len(data))
        if not chunk:
            raise EOFError
        data += chunk
    return data


def _make_reporter(name: str, seal: Any, content: Any) -> Callable[[Failure], None]:
    """Return what writes the record; both digests exist before any of the student's code does."""
    write, opened, end, quoted, is_a, text = (
        os.write,
        os.open,
        os._exit,
        json.encoder.encode_basestring_ascii,
        type,
        str,
    )
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    whole, mapping, several = int, dict, list

    def written(value: Any) -> str:
        """Write JSON without anything that can be replaced from outside, as an encoder's methods can."""
        kind = is_a(value)
        if kind is mapping:
            return "{" + ", ".join([f"{quoted(key)}: {written(each)}" for key, each in value.items()]) + "}"
        if kind is text:
            return quoted(value)
        if kind is whole:
            return f"{value:d}"
        if kind is several:
            return "[" + ", ".join([written(each) for each in value]) + "]"
        return "true" if value is True else "false" if value is False else "null"

    def send_report(record: Failure) -> None:
        payload = written(record).encode()
        content.update(payload)
        seal.update(content.hexdigest().encode())
        file = opened(name, flags, 0o644)
        line = seal.hexdigest().encode() + payload
        while line:
            line = line[write(file, line) :]
        end(0)

    return send_report


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(BaseException):  # the student may have closed it, or put anything in its place
            stream.flush()


# ---------------------------------------------------------------- gradescope_utils


class _Scores:
    """The share of its points that a method sets for itself."""

    def __init__(self) -> None:
        self.share, self.is_honest = "", True

    def partial_credit(self, weight: float) -> Callable[[Callable[..., object]], Callable[..., object]]:
        """Return the decorator that gives a method `set_score`, which only the file of the test may call."""

        def decorate(method: Any) -> Callable[..., object]:
            def set_score(score: float) -> None:
                caller = sys._getframe(1)  # noqa: SLF001 - there is no other way to know who calls
                file = method.__code__.co_filename
                if caller.f_globals is not method.__globals__ or caller.f_code.co_filename != file:
                    self.is_honest = False
                    return
                share = float(score) / float(weight) if weight else 0.0
                self.share = f"{min(max(share, 0.0), 1.0):.9f}" if share == share else "0.0"  # noqa: PLR0124 - NaN

            @functools.wraps(method)
            def run(*args: object, **keywords: object) -> object:
                return method(*args, **{**keywords, "set_score": set_score})

            return run

        return decorate


def _stand_in_for_gradescope() -> _Scores:
    """Put modules in the place of `gradescope_utils`, whether or not it is there, and return where scores are kept."""
    scores = _Scores()
    names = ["gradescope_utils", "gradescope_utils.autograder_utils"]
    names += [f"{names[1]}.decorators", f"{names[1]}.files"]
    package, utils, decorators, files = (types.ModuleType(name) for name in names)
    sys.modules.update(zip(names, (package, utils, decorators, files), strict=True))
    for module in (package, utils):
        module.__path__ = []
    vars(package)["autograder_utils"] = utils
    vars(utils).update(decorators=decorators, files=files)
    for name in ("weight", "number", "visibility", "hide_errors", "tags"):
        vars(decorators)[name] = lambda *_args, **_keywords: lambda method: method
    vars(decorators)["partial_credit"] = scores.partial_credit
    vars(decorators)["leaderboard"] = lambda *_args, **_keywords: _without_leaderboard
    vars(files)["check_submitted_files"] = lambda paths, _base="": [path for path in paths if not os.path.exists(path)]
    return scores


def _without_leaderboard(method: Callable[..., object]) -> Callable[..., object]:
    """Return a method that may set a value for a leaderboard, which is shown nowhere."""

    @functools.wraps(method)
    def run(*args: object, **keywords: object) -> object:
        return method(*args, **{**keywords, "set_leaderboard_value": lambda _value: None})

    return run


# ---------------------------------------------------------------- whether what tests is still what it was


def _functions(own: types.ModuleType) -> Iterator[tuple[Mapping[str, Any], str, object, object, str]]:
    """Yield every function and class of what tests: where it is, and what it is."""
    modules = {name: module for name, module in sys.modules.items() if name.partition(".")[0] in _WATCHED[:-1]}
    for name, module in {**modules, "builtins": builtins, "__main__": own}.items():
        for key, value in list(vars(module).items()):
            if callable(value) and f"{name}.{key}" not in _FREE:
                yield vars(module), key, value, _code(value), f"{name}.{key}"
            if isinstance(value, type) and value.__module__.partition(".")[0] in _WATCHED:
                for part, inner in list(vars(value).items()):
                    code = _code(inner)
                    if code or isinstance(inner, type):  # such as `failureException`
                        yield vars(value), part, inner, code, f"{name}.{key}.{part}"


def _code(value: object) -> object:
    inner = value.__func__ if isinstance(value, (classmethod, staticmethod)) else value
    return inner.__code__ if type(inner) is types.FunctionType else None


def _changed(originals: list[tuple[Any, str, Any, Any, str]]) -> str:
    """Return the name of a function that was replaced; "" when there is none."""
    for place, key, value, code, name in originals:
        now = place.get(key)
        if now is not value or _code(now) is not code:
            return name
    return ""


# ---------------------------------------------------------------- pytest


class _Plugin:
    """Hears from pytest what comes of each run of the method."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.record: Failure = {"runs": 0, "done": 0, "failures": []}
        self.compared: tuple[str, str, str] | None = None
        self.failed = False
        self.returned = 0
        self.stdout, sys.stdout = sys.stdout, open(os.devnull, "w")  # noqa: SIM115 - until the process ends

    def pytest_sessionstart(self) -> None:
        """From here on standard output is the student's: pytest writes where it was to be written when it began."""
        sys.stdout = self.stdout

    def pytest_sessionfinish(self) -> None:
        """Record a failure that no other hook recorded; then silence pytest."""
        if self.failed and not self.record["failures"]:
            self._add({"kind": "assertion", "message": "it failed"})
        if not self.record["failures"]:
            self.record["done"] = min(self.record["done"], self.returned)
        sys.stderr.flush()
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - until the process ends

    def pytest_collection_finish(self, session: Any) -> None:
        self.record["runs"] = len(session.items)

    def pytest_runtest_call(self, item: Any) -> None:
        """Count the runs of the method itself; a `TestCase` has it only since its set-up."""
        owner = getattr(item.obj, "__self__", None)
        item.obj = counted = self._counted(item.obj)
        counted.__dict__["__self__"] = owner  # where pytest looks for the object
        if isinstance(owner, unittest.TestCase):
            setattr(owner, item.name, counted)

    def _counted(self, method: Callable[..., object]) -> Callable[..., object]:
        """Return the method, of which it is then known whether it came to its own end."""
        if inspect.iscoroutinefunction(method):

            @functools.wraps(method)
            async def run_async(*args: object, **keywords: object) -> object:
                returned = await method(*args, **keywords)
                self.returned += 1
                return returned

            return run_async

        @functools.wraps(method)
        def run(*args: object, **keywords: object) -> object:
            returned = method(*args, **keywords)
            self.returned += 1
            return returned

        return run

    def pytest_assertrepr_compare(self, op: str, left: object, right: object) -> None:
        self.compared = (op, _written(left), _written(right))

    def pytest_exception_interact(self, node: Any, call: Any, report: Any) -> None:
        error = call.excinfo.value
        if report.when == "collect":
            self.record.setdefault("loading", _failure(error.__cause__ or error, self.file))
            return
        given = node.callspec.id if hasattr(node, "callspec") else ""
        self._add({**_failure(error, self.file, self.compared), "given": given[:_MAX_LENGTH]})

    def pytest_runtest_logreport(self, report: Any) -> None:
        given = report.nodeid.partition("[")[2].rstrip("]")[:_MAX_LENGTH]
        if report.skipped or hasattr(report, "wasxfail"):
            why = report.longrepr[2] if isinstance(report.longrepr, tuple) else getattr(report, "wasxfail", "")
            self._add({"kind": "skipped", "message": str(why).removeprefix("Skipped: ")[:_MAX_LENGTH], "given": given})
        self.failed = self.failed or report.failed
        if report.when == "teardown":
            self.record["done"] += 1
            self.compared = None

    def _add(self, failure: Failure) -> None:
        if len(self.record["failures"]) < _MAX_FAILURES:
            self.record["failures"].append(failure)


def _ready_pytest() -> _Run:
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    for name in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS"):
        os.environ.pop(name, None)
    pytest = importlib.import_module("pytest")
    pytest.hookimpl(tryfirst=True)(_Plugin.pytest_runtest_call)

    def run(file: str, method: str, _own: list[str]) -> Failure:
        plugin = _Plugin(file)
        pytest.main([*pytest_options(file), "::".join([file, *method.split(".")])], plugins=[plugin])
        return plugin.record

    return run


def pytest_options(file: str) -> list[str]:
    """Return the options by which pytest looks at nothing but the course's files."""
    folder = os.path.dirname(os.path.abspath(file))
    options = ["-c", os.devnull, "--rootdir", folder, "--import-mode=importlib", "-s", "-q"]
    # Only that of the course, which lies beside the test.
    has_own = any(isinstance(one, _Helpers) and "conftest" in one.names for one in sys.meta_path)
    options += ["--confcutdir", folder] if has_own else ["--noconftest"]
    return [*options, "-p", "no:cacheprovider", "-p", "no:faulthandler", "-p", "no:threadexception"]


# ---------------------------------------------------------------- unittest


class _Recorder(unittest.TestResult):
    """Keeps what came of each run, and its own exceptions."""

    def __init__(self, file: str) -> None:
        super().__init__()
        self.file = file
        self.found: list[Failure] = []
        self.done = self.passed = 0

    def addSuccess(self, test: Any) -> None:  # noqa: N802, ARG002 - as unittest calls it
        self.passed += 1

    def addError(self, test: Any, err: Any) -> None:  # noqa: N802, ARG002 - as unittest calls it
        self.found.append(_failure(err[1], self.file))

    addFailure = addError  # noqa: N815

    def addSubTest(self, test: Any, subtest: Any, err: Any) -> None:  # noqa: N802, ARG002
        if err is not None:
            given = ", ".join(f"{name}={_written(value)}" for name, value in subtest.params.items())
            self.found.append({**_failure(err[1], self.file), "given": given[:_MAX_LENGTH]})

    def addSkip(self, test: Any, reason: str) -> None:  # noqa: N802, ARG002
        self.found.append({"kind": "skipped", "message": str(reason)[:_MAX_LENGTH]})

    def addExpectedFailure(self, test: Any, err: Any) -> None:  # noqa: N802, ARG002
        self.found.append({"kind": "skipped", "message": "a failure is expected"})

    def addUnexpectedSuccess(self, test: Any) -> None:  # noqa: N802, ARG002
        self.found.append({"kind": "skipped", "message": "a failure is expected"})

    def stopTest(self, test: Any) -> None:  # noqa: N802, ARG002
        self.done += 1


def _ready_unittest() -> _Run:
    def run(file: str, method: str, own: list[str]) -> Failure:
        module = load_unittest(file, own)
        every = tests_in(unittest.defaultTestLoader.loadTestsFromModule(module))
        suite = unittest.TestSuite(test for test in every if name_in_suite(test, module) == method)
        recorder = _Recorder(file)
        suite.run(recorder)
        done = recorder.done if recorder.found else min(recorder.done, recorder.passed)
        return {"runs": suite.countTestCases(), "done": done, "failures": recorder.found[:_MAX_FAILURES]}

    return run


def load_unittest(file: str, own: list[str]) -> types.ModuleType:
    """Import the file of a test, whatever its name."""
    name = os.path.splitext(os.path.basename(file))[0]
    # A student's `bank` is tested too where the file of the test is called like it.
    name = name if name not in own else f"test of {name}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise ImportError(name)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def tests_in(suite: Any) -> Iterator[Any]:
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


_RUNNERS = {"pytest": _ready_pytest, "unittest": _ready_unittest}

# ---------------------------------------------------------------- recording failures


def _failure(error: BaseException, file: str, compared: tuple[str, str, str] | None = None) -> Failure:
    """Describe an exception and its place."""
    kinds = [kind.__name__ for kind in type(error).__mro__]
    is_assertion = "AssertionError" in kinds or "OutcomeException" in kinds
    test, own = _places(error, file)
    failure: Failure = {
        "kind": "assertion" if is_assertion and test and not own else "exception",
        "type": _full_name(type(error)),
        "message": _message(error),
        "place": own,
        "test_place": test,
    }
    if failure["kind"] == "assertion" and test:
        line = linecache.getline(file, int(test.rpartition(":")[2])).strip()
        failure["asserted"] = line[:_MAX_LENGTH]
        if compared and compared[1] and line.startswith("assert"):
            failure |= {"how": compared[0], "found": compared[1], "wanted": compared[2]}
            failure["message"] = failure["message"] if not failure["message"].startswith("assert ") else ""
    return failure


def _message(error: BaseException) -> str:
    try:
        text = str(error).partition("\n")[0]
        return text[:_MAX_LENGTH].encode(errors="backslashreplace").decode()
    except BaseException:  # noqa: BLE001 - the student's own
        return ""


def _written(value: object) -> str:
    try:
        return repr(value)[:_MAX_LENGTH].encode(errors="backslashreplace").decode()
    except BaseException:  # noqa: BLE001 - the student's own
        return ""


def _full_name(kind: type) -> str:
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def _places(error: BaseException, file: str) -> tuple[str, str]:
    """Return the innermost line in the test, and the innermost in the working folder; "" where there is none."""
    here, test_file = os.path.abspath(""), os.path.abspath(file)
    test = own = ""
    if isinstance(error, SyntaxError) and error.filename and os.path.abspath(error.filename) != test_file:
        return test, f"{os.path.basename(error.filename)}:{error.lineno}"
    for frame, line in traceback.walk_tb(error.__traceback__):
        path = os.path.abspath(frame.f_code.co_filename)
        if path == test_file:
            test = f"{os.path.basename(path)}:{line}"
        elif path.startswith(here + os.sep) and not frame.f_code.co_filename.startswith("<"):
            own = f"{os.path.relpath(path, here)}:{line}"
    return test, own


if __name__ == "__main__":
    answer_unit_request()
