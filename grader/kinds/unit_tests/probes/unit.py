"""Runs a method of a unit test, or several that share a process, and records the results, with pytest or unittest.

Standard input begins with ten digits, the length of a request, and the request, whose fields are lines. It is read
before any of the student's code is loaded; the rest is the student's input. A file that the request names gets a line
when a method begins, and one when it is over: when another begins, or at the very end. Each is JSON after a digest of
it and of all before it, which cannot be made without the secret of the request. Only the state of a digest remains of
the secret. The first output on standard output shows that it started, or that there is no framework. What writes the
record is fetched before any of the student's code is loaded, and is in no module then.
"""

import builtins
import difflib  # noqa: F401 - whatever pytest loads late is loaded before a student's file of that name can be
import faulthandler
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
import signal
import sys
import time
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
_EXCHANGED = ("_getini_unknown_type",)
"""what pytest itself has something else in the place of while it runs"""
Failure = dict[str, Any]
_Run = Callable[[str, list[str], "_Progress"], None]


def answer_unit_request() -> None:
    """Do what the request asks for, and end the process whatever still runs in it."""
    fields = _read_exactly(int(_read_exactly(10))).decode().split("\n")
    mark, name, secret, framework, path, file, methods, seconds, helpers, *own = fields
    send_line = _make_reporter(name, hashlib.sha256(secret.encode()), hashlib.sha256())
    keep, sys.modules["__main__"] = sys.modules["__main__"], types.ModuleType("__main__")
    try:
        run = _RUNNERS[framework]()
    except ImportError:
        os.write(1, f"\x1e{mark} absent\n".encode())
        return
    os.write(1, f"\x1e{mark}\n".encode())
    sys.dont_write_bytecode = True
    sys.argv = [file]
    originals = list(_functions(keep))
    # What the course requires comes before what was handed in: the test itself compares with it.
    required = [one for one in sys.path if one.startswith(sys.prefix + os.sep)] if sys.prefix != sys.base_prefix else []
    sys.path[:0] = [*required, os.path.abspath(path)]
    for module in own:
        sys.modules.pop(module, None)
    sys.meta_path.insert(0, _Helpers(os.path.dirname(os.path.abspath(file)), helpers.split()))
    record = _make_recorder(send_line, originals, _stand_in_for_gradescope(), mark, [*map(float, seconds.split())])
    progress, end = _Progress(methods.split("\t"), *record), os._exit
    del fields, mark, name, secret, record, send_line
    try:
        run(file, own, progress)
    except BaseException as error:  # noqa: BLE001 - the student's, such as SystemExit
        progress.fail_loading(_failure(error, file))
    progress.end()
    end(0)


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
        if not (chunk := os.read(0, length - len(data))):
            raise EOFError
        data += chunk
    return data


def _make_reporter(name: str, seal: Any, content: Any) -> Callable[[Failure], None]:
    """Return what writes a line of the record; both digests exist before any of the student's code does."""
    write, opened, quoted, is_a, text = os.write, os.open, json.encoder.encode_basestring_ascii, type, str
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
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

    def send_line(record: Failure) -> None:
        payload = written(record).encode()
        content.update(payload)
        sealed = seal.copy()
        sealed.update(content.hexdigest().encode())
        line = sealed.hexdigest().encode() + payload + b"\n"
        file = opened(name, flags, 0o644)
        while line:
            line = line[write(file, line) :]
        closed(file)

    closed = os.close
    return send_line


def _make_recorder(
    send_line: Callable[[Failure], None], originals: list[Any], scores: "_Scores", mark: str, seconds: list[float]
) -> tuple[Callable[[str, int], None], Callable[[str, Failure], None]]:
    """Return what records that a method begins, and what came of it.

    Of several, each has so many seconds by the clock and of the processor before the process is ended.
    """
    write, changed, flush, clocks = os.write, _changed, _flush, _make_clocks()
    later, timer, of_processor = faulthandler.dump_traceback_later, signal.setitimer, signal.ITIMER_PROF
    nowhere = os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC)
    start = clocks()

    def watch() -> None:
        later(seconds[0], exit=True, file=nowhere)
        timer(of_processor, seconds[1])

    def begin(method: str, number: int) -> None:
        send_line({"event": "begin", "method": method})
        scores.share, scores.is_honest = "", True
        start[:] = clocks()
        if seconds:
            watch()
            for stream in (1, 2):
                with suppress(OSError):
                    write(stream, f"\x1e{mark} {number}\n".encode())

    def finish(method: str, record: Failure) -> None:
        flush()
        now = clocks()
        took = {"time": now[0] - start[0], "cpu": now[1] - start[1], "waited": now[2] - start[2]}
        outcome = {"changed": changed(originals) or ("" if scores.is_honest else "set_score"), "share": scores.share}
        send_line({"event": "over", "method": method, **record, **took, **outcome})

    if seconds:  # loading may last too long as well
        watch()
    return begin, finish


def _make_clocks() -> Callable[[], list[int]]:
    """Return what tells milliseconds: by the clock, of the processor, and for which there was no processor."""
    clock, used, read = time.perf_counter, time.process_time, os.pread
    stat = os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC)
    with suppress(OSError):  # at the level `container` it may not be read; then nothing is known of waiting
        stat = os.open("/proc/thread-self/schedstat", os.O_RDONLY | os.O_CLOEXEC)
    return lambda: [int(clock() * 1000), int(used() * 1000), int([*read(stat, 99, 0).split(), b"0", b"0"][1]) // 10**6]


class _Progress:
    """What came of the methods so far; each is recorded when it is over."""

    def __init__(
        self, methods: list[str], begin: Callable[[str, int], None], finish: Callable[[str, Failure], None]
    ) -> None:
        self.methods, self._begin, self._finish = methods, begin, finish
        self.records: dict[str, Failure] = {}
        self.returned: dict[str, int] = {}  # how often each came to its own end
        self.failed, self.over, self.begun = set[str](), set[str](), list[str]()
        for method in methods:
            self.expect(method)

    def expect(self, method: str) -> None:
        """Begin to count the runs of a method."""
        self.records[method], self.returned[method] = {"runs": 0, "done": 0, "failures": []}, 0

    def begin(self, method: str) -> None:
        """Record that a method begins, and what came of those before it of which no run is left."""
        if method in self.begun[-1:]:
            return
        for one in self.begun:
            if self.records[one]["done"] >= self.records[one]["runs"]:
                self.finish(one)
        if method not in self.begun:
            self._begin(method, [*self.records].index(method))
        self.begun = [*(one for one in self.begun if one != method), method]

    def add(self, method: str, failure: Failure) -> None:
        """Add a failure of a method."""
        self.failed.add(method)
        if len(self.records[method]["failures"]) < _MAX_FAILURES:
            self.records[method]["failures"].append(failure)

    def fail_loading(self, failure: Failure) -> None:
        """Record what ended the run: for the method in which it did, or for all."""
        for method in self.begun[-1:] or self.methods:
            self.records[method].setdefault("loading", failure)

    def finish(self, method: str) -> None:
        """Record what came of a method, unless that is recorded."""
        record = self.records[method]
        if method in self.failed and not record["failures"]:
            record["failures"].append({"kind": "assertion", "message": "it failed"})
        if not record["failures"]:
            record["done"] = min(record["done"], self.returned[method])
        if method not in self.over:
            self.over.add(method)
            self._finish(method, record)

    def end(self) -> None:
        """Record what came of the others; but of several that did not begin only those of which that is known."""
        for method in self.methods:
            record = self.records[method]
            is_known = record["failures"] or "loading" in record or not record["runs"]
            if is_known or method in self.begun or len(self.methods) == 1:
                self.finish(method)


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
                    if (code or isinstance(inner, type)) and part not in _EXCHANGED:  # such as `failureException`
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
    """Hears from pytest what comes of each run of the methods."""

    def __init__(self, file: str, progress: _Progress) -> None:
        self.file = file
        self.progress = progress
        self.compared: tuple[str, str, str] | None = None
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
                return returned

            return run_async

        @functools.wraps(method)
        def run(*args: object, **keywords: object) -> object:
            returned = method(*args, **keywords)
            returns[name] += 1
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
        if report.failed:
            self.progress.failed.add(method)
        if report.when == "teardown":
            self.progress.records[method]["done"] += 1
            self.compared = None


def _method_of(nodeid: str) -> str:
    """Return the method that a run is one of: `TestBank.test_deposit`."""
    return nodeid.partition("::")[2].partition("[")[0].replace("::", ".")


def _ready_pytest() -> _Run:
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    for name in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS"):
        os.environ.pop(name, None)
    pytest = importlib.import_module("pytest")
    pytest.hookimpl(tryfirst=True)(_Plugin.pytest_runtest_call)

    def run(file: str, _own: list[str], progress: _Progress) -> None:
        plugin = _Plugin(file, progress)
        # All of the file, in its order, where several are run.
        places = [file] if len(progress.methods) > 1 else ["::".join([file, *progress.methods[0].split(".")])]
        pytest.main([*pytest_options(file), *places], plugins=[plugin])

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


class _Listener(unittest.TestResult):
    """Hears from unittest what comes of each run."""

    def __init__(self, file: str, module: types.ModuleType, progress: _Progress) -> None:
        super().__init__()
        self.file, self.module, self.progress = file, module, progress

    def startTest(self, test: Any) -> None:  # noqa: N802 - as unittest calls it
        self.progress.begin(name_in_suite(test, self.module))

    def addSuccess(self, test: Any) -> None:  # noqa: N802 - as unittest calls it
        self.progress.returned[name_in_suite(test, self.module)] += 1

    def addError(self, test: Any, err: Any) -> None:  # noqa: N802 - as unittest calls it
        self._add(test, _failure(err[1], self.file))

    addFailure = addError  # noqa: N815

    def addSubTest(self, test: Any, subtest: Any, err: Any) -> None:  # noqa: N802
        if err is not None:
            given = ", ".join(f"{name}={_written(value)}" for name, value in subtest.params.items())
            self._add(test, {**_failure(err[1], self.file), "given": given[:_MAX_LENGTH]})

    def addSkip(self, test: Any, reason: str) -> None:  # noqa: N802
        # A skipped subtest is an object of its own.
        self._add(getattr(test, "test_case", test), {"kind": "skipped", "message": str(reason)[:_MAX_LENGTH]})

    def addExpectedFailure(self, test: Any, err: Any = None) -> None:  # noqa: N802, ARG002
        self._add(test, {"kind": "skipped", "message": "a failure is expected"})

    addUnexpectedSuccess = addExpectedFailure  # noqa: N815

    def stopTest(self, test: Any) -> None:  # noqa: N802
        self.progress.records[name_in_suite(test, self.module)]["done"] += 1

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


def _ready_unittest() -> _Run:
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
        "type": f"{type(error).__module__}.{type(error).__qualname__}".removeprefix("builtins."),
        "message": _written(error, lambda one: str(one).partition("\n")[0]),
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


def _written(value: object, write: Callable[[object], str] = repr) -> str:
    try:
        return write(value)[:_MAX_LENGTH].encode(errors="backslashreplace").decode()
    except BaseException:  # noqa: BLE001 - the student's own
        return ""


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
