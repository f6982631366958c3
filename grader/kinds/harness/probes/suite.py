"""Finds the tests that pytest or unittest collects from a file of the course. It is handed over behind `unit.py`.

Nothing that was handed in is there: mocks take the place of what only a student has. Where a reference has all of it,
each method is run with that, in a process of its own. The record has one line: what was found.
"""

import fnmatch
import importlib.abc
import multiprocessing
from unittest.mock import MagicMock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from grader.kinds.harness.probes.base import *
    from grader.kinds.harness.probes.unit import *
    from grader.kinds.harness.probes.unit import _ModuleFinder, _Progress, _PytestPlugin, _UnittestListener

_SECONDS_OF_A_METHOD, _SECONDS_OF_ALL = 10.0, 60.0
_MAX_METHODS = 2000
_Groups = dict[str, list[Any]]
_RunAll = Callable[[list[Any]], list[Record]]
_Finish = Callable[[_Groups, _RunAll], None]


def answer_suite_request() -> None:
    """Collect the file of the request, and record what was found."""
    request, record, _ = read_request()
    _open_input()
    file, stubs = request["file"], _ready(request)
    found: Record = {"methods": [], "loading": None}

    def finish(groups: _Groups, run: _RunAll) -> None:
        found["methods"] = [_merge(name, tests) for name, tests in groups.items()][:_MAX_METHODS]
        if request["has_reference"] and not stubs.made:
            _run_apart(groups, run, found["methods"])

    try:
        collect = _collect_pytest if request["framework"] == "pytest" else _collect_unittest
        found["loading"] = collect(file, request, finish)
    except BaseException as error:  # noqa: BLE001 - of the course, such as SystemExit
        found["loading"] = failure_record(error, file)
    found["absent"] = [name for name in request["imports"] if not _is_there(name)]
    found["guessed"] = bool(_STUB.mock_calls) or "_Stub" in (found["loading"] or {}).get("message", "")
    record(found)
    os._exit(0)


def _ready(request: Record) -> "_Stubs":
    """Let modules be found as they are when a method is run, and return what finds stubs for those of students."""
    file, stubs = request["file"], _Stubs(request["stubs"])
    sys.dont_write_bytecode = True
    sys.argv = [file]
    required = [one for one in sys.path if one.startswith(sys.prefix + os.sep)] if sys.prefix != sys.base_prefix else []
    sys.path[:0] = [*required, *map(os.path.abspath, request["within"])]
    for module in request["own"]:
        sys.modules.pop(module, None)
    finder: Any = _ModuleFinder(file, request["helpers"])
    sys.meta_path[:] = [finder, stubs, *sys.meta_path, _Stubs(request["guesses"])]
    stand_in_for_gradescope()
    decorators: Any = sys.modules["gradescope_utils.autograder_utils.decorators"]
    partial = decorators.partial_credit
    decorators.weight = lambda weight: lambda method: _mark(method, weight)
    decorators.partial_credit = lambda weight: lambda method: _mark(partial(weight)(method), weight)
    return stubs


def _open_input() -> None:
    """Let standard input be what the method finds there, from its beginning."""
    descriptor = os.open(os.path.abspath(".grader-suite/stdin"), os.O_RDONLY)
    os.dup2(descriptor, 0)
    os.close(descriptor)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 - until the process ends


def _is_there(name: str) -> bool:
    with suppress(Exception):
        return name in sys.modules or importlib.util.find_spec(name) is not None
    return False


def _mark(method: Any, weight: object) -> Any:
    method.__grader_weight__ = weight
    return method


# ---------------------------------------------------------------- what only a student has


class _Stub(MagicMock):
    """Stands for anything of a student's; what is done with it is noted in its calls."""

    def __mro_entries__(self, _bases: tuple[object, ...]) -> tuple[type, ...]:
        self.derived()
        return ()


_STUB = _Stub()


class _Stubs(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds modules of stubs with these names, and all below them."""

    def __init__(self, names: list[str]) -> None:
        self.names, self.made = names, set[str]()

    def find_spec(self, name: str, path: object = None, target: object = None) -> Any:  # noqa: ARG002 - as it is called
        if not any(fnmatch.fnmatchcase(name.partition(".")[0], one) for one in self.names):
            return None
        self.made.add(name)
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def exec_module(self, module: types.ModuleType) -> None:
        def find(name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            return getattr(_STUB, name)

        vars(module)["__getattr__"] = find


# ---------------------------------------------------------------- what is known of a method


def _run_apart(groups: _Groups, run: _RunAll, found: list[Record]) -> None:
    """Run each method in a process of its own, and add how it fails there."""

    def report() -> None:
        _open_input()
        there.send(run(tests)[:1])

    end, forking = time.monotonic() + _SECONDS_OF_ALL, multiprocessing.get_context("fork")
    for one in found:
        tests = groups[one["name"]]
        here, there = forking.Pipe(duplex=False)
        child = forking.Process(target=report)
        child.start()
        there.close()
        with suppress(EOFError):
            if here.poll(max(0.0, min(_SECONDS_OF_A_METHOD, end - time.monotonic()))):
                one["failure"] = next(iter(here.recv()), None)
        child.kill()
        child.join()


def _merge(name: str, tests: list[Any]) -> Record:
    """Describe a method by its runs: it is skipped only where all of them are; else those are named."""
    runs = [_describe(one) for one in tests]
    idle = [place for place, one in enumerate(runs) if one["skipped"] or one["expects_failure"]]
    return {
        "name": name,
        "runs": len(runs),
        "idle": idle,
        "skips": [runs[place]["given"] for place in idle],
        "skipped": runs[0]["skipped"] if all(one["skipped"] for one in runs) else "",
        "expects_failure": all(one["expects_failure"] for one in runs),
        "lacks": next((one["lacks"] for one in runs if one["lacks"]), ""),
        "weight": runs[0]["weight"],
        "is_nameless": "\n" in name or any(sign in part for part in _path_of(tests[0]) for sign in (".", "::", "[")),
    }


def _describe(test: Any) -> Record:
    """Describe a run of a method: an item of pytest, or a test of unittest."""
    name = getattr(test, "_testMethodName", "")
    owner, name = (type(test), name) if name else (getattr(test, "cls", None), test.name)
    weight = getattr(getattr(test, "function", None) or getattr(owner, name, None), "__grader_weight__", None)
    callspec = getattr(test, "callspec", None)
    found: Record = {"given": str(getattr(callspec, "id", "")), "skipped": "", "lacks": "", "expects_failure": False}
    found["weight"] = str(weight) if isinstance(weight, (int, float)) else None
    if isinstance(owner, type) and issubclass(owner, unittest.TestCase):
        marks = [getattr(owner, name, None), owner]
        if any(getattr(one, "__unittest_skip__", False) for one in marks):
            reasons = (getattr(one, "__unittest_skip_why__", "") for one in marks)
            found["skipped"] = str(next(filter(None, reasons), "skipped"))
        found["expects_failure"] = any(getattr(one, "__unittest_expecting_failure__", False) for one in marks)
    with suppress(Exception):
        skipping: Any = sys.modules["_pytest.skipping"]
        mark = skipping.evaluate_skip_marks(test)
        found["skipped"] = found["skipped"] or (str(mark.reason or "skipped") if mark else "")
        found["expects_failure"] = found["expects_failure"] or bool(skipping.evaluate_xfail_marks(test))
        info = test._fixtureinfo
        defined = {"request", *info.name2fixturedefs, *getattr(callspec, "params", ())}
        found["lacks"] = next((one for one in info.names_closure if one not in defined), "")
    return found


def _gathering() -> _Progress:
    """Return what gathers results and records none."""
    return _Progress([], lambda *_: None, lambda *_: None, stand_in_for_gradescope())


# ---------------------------------------------------------------- pytest and unittest


def _collect_unittest(file: str, request: Record, finish: _Finish) -> None:
    module = load_unittest(file, request["own"])
    groups: _Groups = {}
    for test in tests_in(unittest.TestLoader().loadTestsFromModule(module)):
        groups.setdefault(name_in_suite(test, module), []).append(test)

    def run(tests: list[Any]) -> list[Record]:
        progress, name = _gathering(), name_in_suite(tests[0], module)
        progress.expect(name)
        unittest.TestSuite(tests).run(_UnittestListener(file, module, progress))
        found: list[Record] = progress.records[name]["failures"]
        return found

    finish(groups, run)


def _collect_pytest(file: str, request: Record, finish: _Finish) -> Any:
    ready_pytest()
    pytest: Any = importlib.import_module("pytest")
    loading = list[Record]()
    suite: Any = type("Suite", (_SuiteHooks, _PytestPlugin), {"finish": staticmethod(finish)})(file, _gathering())
    suite.progress.fail_loading = loading.append
    pytest.hookimpl(tryfirst=True)(_SuiteHooks.pytest_runtestloop)
    code = pytest.main([*pytest_options(file), file], plugins=[suite])
    if int(code) in (3, 4) and not suite.is_collected and "conftest" in request["helpers"]:
        name = ".".join(filter(None, (package_of(file), "conftest")))
        sys.modules.pop(name, None)
        importlib.import_module(name)  # raises what pytest only writes
    return next(iter(loading), None)


class _SuiteHooks:
    """What a plugin adds to that which runs one method: it finishes with all that are collected."""

    progress: Any
    finish: _Finish
    is_collected = False

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        for item in items:
            self.progress.expect(method_of_item(item.nodeid))

    def pytest_collectreport(self, report: Any) -> None:
        if report.skipped:
            why = report.longrepr[2] if isinstance(report.longrepr, tuple) else ""
            self.progress.fail_loading({"kind": "skipped", "message": str(why).removeprefix("Skipped: ")})

    def pytest_runtestloop(self, session: Any) -> bool:
        groups: _Groups = {}
        for item in session.items:
            groups.setdefault(".".join(_path_of(item)), []).append(item)
        self.is_collected = bool(groups)
        self.finish(groups, self.run_items)
        return True

    def run_items(self, items: list[Any]) -> list[Record]:
        for item, following in zip(items, [*items[1:], None], strict=True):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        failures: list[Record] = self.progress.records[method_of_item(items[0].nodeid)]["failures"]
        if any(one["kind"] == "skipped" for one in failures) and len(failures) < len(items):
            return [one for one in failures if one["kind"] != "skipped"]
        return failures


def _path_of(test: Any) -> list[str]:
    """Return the classes and the name of an item of pytest; nothing of a test of unittest."""
    if isinstance(test, unittest.TestCase):
        return []
    classes = [node.name for node in test.listchain() if type(node).__name__ in ("Class", "UnitTestCase")]
    return [*classes, getattr(test, "originalname", None) or test.name.partition("[")[0]]
