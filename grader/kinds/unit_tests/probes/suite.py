"""Finds the tests that pytest or unittest collects from a file of the course. It runs in the sandbox.

Standard input is a request in JSON. Nothing that was handed in is there: stubs take the place of what only a student
has. Where a reference has all of it, each method is run with that, in a process of its own. The answer is a file in
JSON whose name the request has.
"""

import fnmatch
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import select
import signal
import sys
import time
import types
import unittest
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

_SECONDS_OF_A_METHOD, _SECONDS_OF_ALL = 10.0, 60.0
_MAX_METHODS = 2000
_CONFTEST = "conftest"
_MAX_RECORD_BYTES = 2**16
_Record = dict[str, Any]


def answer_suite_request() -> None:
    """Collect the file of the request, and write what was found."""
    request = json.loads(sys.stdin.buffer.read())
    _open_input(request)
    unit: Any = types.ModuleType("grader_unit_probe")
    sys.modules["grader_unit_probe"] = unit
    with open(request["probe"], encoding="utf-8") as probe:  # its frames are none of the tests'
        exec(compile(probe.read(), "<probe>", "exec"), vars(unit))  # noqa: S102 - it is ours
    file, stubs = request["file"], _Stubs(request["stubs"])
    sys.dont_write_bytecode = True
    sys.argv = [file]
    required = [one for one in sys.path if one.startswith(sys.prefix + os.sep)] if sys.prefix != sys.base_prefix else []
    sys.path[:0] = [*required, *map(os.path.abspath, request["within"])]
    for module in request["own"]:
        sys.modules.pop(module, None)
    sys.meta_path.insert(0, stubs)
    sys.meta_path.append(guesses := _Stubs(request["guesses"]))
    sys.meta_path.insert(0, unit._ModuleFinder(file, request["helpers"]))  # noqa: SLF001
    unit._stand_in_for_gradescope()  # noqa: SLF001
    describe = unit._failure  # noqa: SLF001
    unit._failure = lambda error, *more: {**describe(error, *more), "missing": _missing(error)}  # noqa: SLF001
    _keep_weights()
    collect = {"pytest": _collect_pytest, "unittest": _collect_unittest}[request["framework"]]
    record: _Record = {"methods": [], "loading": None}
    try:
        record |= collect(unit, file, request, stubs)
    except BaseException as error:  # noqa: BLE001 - of the course, such as SystemExit
        record["loading"] = unit._failure(error, file)  # noqa: SLF001
    record["absent"] = [name for name in request["imports"] if not _is_there(name)]
    record["stubbed"], record["guessed"] = sorted(stubs.made | guesses.made), _Kind.used
    descriptor = os.open(request["answer"], os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    with open(descriptor, "w", encoding="utf-8", errors="backslashreplace") as answer:
        json.dump(record, answer)
    os._exit(0)


def _open_input(request: _Record) -> None:
    """Let standard input be what the method finds there, from its beginning."""
    descriptor = os.open(request["stdin"], os.O_RDONLY)
    os.dup2(descriptor, 0)
    os.close(descriptor)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 - until the process ends


def _is_there(name: str) -> bool:
    with suppress(Exception):
        return name in sys.modules or importlib.util.find_spec(name) is not None
    return False


def _keep_weights() -> None:
    """Let the decorators of `gradescope_utils` write down the weight of what they decorate."""
    decorators: Any = sys.modules["gradescope_utils.autograder_utils.decorators"]
    weight, partial_credit = decorators.weight, decorators.partial_credit

    def weighing(inner: Callable[..., Any]) -> Callable[..., Any]:
        def decorator(value: Any, *args: Any, **keywords: Any) -> Callable[..., Any]:
            def decorate(method: Any) -> Any:
                made = inner(value, *args, **keywords)(method)
                made.__grader_weight__ = value
                return made

            return decorate

        return decorator

    decorators.weight, decorators.partial_credit = weighing(weight), weighing(partial_credit)


def _missing(error: BaseException) -> str:
    """Return the module that is not there, where that is the error."""
    return error.name or "" if isinstance(error, ModuleNotFoundError) else ""


# ---------------------------------------------------------------- what only a student has


class _Kind(type):
    """The type of stubs: whatever is asked of one comes to another, and is noted."""

    used = False

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return _stub(name)

    def __call__(cls, *_args: Any, **_keywords: Any) -> Any:
        _Kind.used = True
        return type.__call__(cls)


def _answering(name: str) -> Callable[..., Any]:
    values: dict[str, Callable[[], Any]] = {
        "__len__": lambda: 0,
        "__bool__": lambda: True,
        "__iter__": lambda: iter(()),
        "__contains__": lambda: False,
        "__int__": lambda: 0,
        "__index__": lambda: 0,
        "__float__": lambda: 0.0,
        "__hash__": lambda: 0,
        "__str__": lambda: "stub",
        "__repr__": lambda: "stub",
        "__exit__": lambda: None,
    }

    def answer(*_args: Any, **_keywords: Any) -> Any:
        _Kind.used = True
        return values[name]() if name in values else _stub(name)

    return answer


_OPERATORS = (
    *("__len__", "__iter__", "__contains__", "__getitem__", "__setitem__", "__delitem__", "__enter__", "__exit__"),
    *("__add__", "__radd__", "__sub__", "__rsub__", "__mul__", "__rmul__", "__truediv__", "__mod__", "__floordiv__"),
    *("__lt__", "__le__", "__gt__", "__ge__", "__int__", "__index__", "__float__", "__or__", "__ror__", "__and__"),
)
for _name in _OPERATORS:
    setattr(_Kind, _name, _answering(_name))


class _Stub(metaclass=_Kind):
    """Stands for anything of a student's."""

    def __init_subclass__(cls, **_keywords: Any) -> None:
        _Kind.used = _Kind.used or cls.__module__ != __name__

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        _Kind.used = True
        return _stub(name)

    def __call__(self, *args: Any, **_keywords: Any) -> Any:
        _Kind.used = True
        return args[0] if len(args) == 1 and callable(args[0]) else _stub("result")()


for _name in _OPERATORS:
    setattr(_Stub, _name, _answering(_name))


def _stub(name: str) -> Any:
    return _Kind(name, (_Stub,), {"__module__": __name__})


class _StubModule(types.ModuleType):
    """A module of a student's, which has whatever is asked of it."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _stub(name)


class _Stubs(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds stubs for the modules with these names, and all below them."""

    def __init__(self, names: list[str]) -> None:
        self.names = names
        self.made: set[str] = set()

    def find_spec(self, name: str, path: object = None, target: object = None) -> Any:  # noqa: ARG002 - as it is called
        if not any(fnmatch.fnmatchcase(name.partition(".")[0], one) for one in self.names):
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: Any) -> types.ModuleType:
        self.made.add(spec.name)
        return _StubModule(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        module.__path__ = []


# ---------------------------------------------------------------- running each method apart


def _run_apart(
    groups: dict[str, list[Any]], run: Callable[[list[Any]], list[_Record]], request: _Record
) -> Iterator[tuple[str, Any]]:
    """Run each group in a process of its own; yield its name and its first failure, None where that is unknown."""
    end = time.monotonic() + _SECONDS_OF_ALL
    for name, tests in groups.items():
        reading, writing = os.pipe()
        sys.stdout.flush()
        child = os.fork()
        if not child:
            with suppress(BaseException):
                _open_input(request)
                os.write(writing, json.dumps(run(tests)[:1]).encode()[:_MAX_RECORD_BYTES])
            os._exit(0)
        os.close(writing)
        written = _read_until(reading, min(end, time.monotonic() + _SECONDS_OF_A_METHOD))
        os.close(reading)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        with suppress(ValueError):
            found = json.loads(written)
            yield name, found[0] if found else None


def _read_until(descriptor: int, end: float) -> bytes:
    data = b""
    while select.select([descriptor], [], [], max(0.0, end - time.monotonic()))[0]:
        chunk = os.read(descriptor, _MAX_RECORD_BYTES)
        if not chunk:
            break
        data += chunk
    return data


def _describe(name: str, **known: Any) -> _Record:
    return {
        "name": name,
        "skipped": "",
        "expects_failure": False,
        "weight": None,
        "lacks": "",
        "is_nameless": False,
        "failure": None,
        **known,
    }


def _merge(runs: list[_Record]) -> list[_Record]:
    """Return the methods, each once: it is skipped only where all of its runs are; else those are named."""
    found: dict[str, _Record] = {}
    for one in runs:
        given = one.pop("given", "")
        before = found.setdefault(one["name"], one)
        before["runs"] = before.get("runs", 0) + 1
        if one["skipped"] or one["expects_failure"]:
            before.setdefault("skips", []).append(given)
            before.setdefault("idle", []).append(before["runs"] - 1)
        if before is not one:
            before["skipped"] = before["skipped"] and one["skipped"]
            before["expects_failure"] = before["expects_failure"] and one["expects_failure"]
            before["lacks"] = before["lacks"] or one["lacks"]
    return list(found.values())[:_MAX_METHODS]


def _weight_of(function: Any) -> Any:
    weight = getattr(function, "__grader_weight__", None)
    return str(weight) if isinstance(weight, (int, float)) else None


def _is_marked(test: Any, name: str, attribute: str) -> Any:
    """Return what a decorator of unittest says of a method, or of its class."""
    method = getattr(type(test) if isinstance(test, unittest.TestCase) else test, name, None)
    return getattr(method, attribute, None) or getattr(test, attribute, None)


def _progress(unit: Any) -> Any:
    """Return what gathers results and records none."""

    class Gathered(unit._Progress):  # type: ignore[misc] # noqa: SLF001 - the probe is ours
        loading: _Record | None = None

        def fail_loading(self, failure: _Record) -> None:
            self.loading = self.loading or failure

    return Gathered([], lambda *_: None, lambda *_: None)


# ---------------------------------------------------------------- pytest


class _SuiteHooks:
    """What a plugin adds to that which runs one method: it describes all, and runs each with a reference."""

    progress: Any
    request: _Record
    stubs: "_Stubs"
    found: _Record

    def pytest_sessionfinish(self) -> None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - until the process ends

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        for item in items:
            self.progress.expect(_method_of_item(item))

    def pytest_collectreport(self, report: Any) -> None:
        if report.skipped:
            why = report.longrepr[2] if isinstance(report.longrepr, tuple) else ""
            self.found["loading"] = {"kind": "skipped", "message": str(why).removeprefix("Skipped: ")}

    def pytest_runtestloop(self, session: Any) -> bool:
        if self.progress.loading:
            self.found["loading"] = self.progress.loading
        self.found["methods"] = _merge([_describe_item(one) for one in session.items])
        groups: dict[str, list[Any]] = {}
        for item in session.items if self.request["has_reference"] and not self.stubs.made else ():
            groups.setdefault(_name_of_item(item), []).append(item)
        failures = dict(_run_apart(groups, self.run_items, self.request))
        for one in self.found["methods"]:
            one["failure"] = failures.get(one["name"])
        return True

    def run_items(self, items: list[Any]) -> list[_Record]:
        for place, item in enumerate(items):
            following = items[place + 1] if place + 1 < len(items) else None
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        failures: list[_Record] = self.progress.records[_method_of_item(items[0])]["failures"]
        if any(one["kind"] == "skipped" for one in failures) and len(failures) < len(items):
            return [one for one in failures if one["kind"] != "skipped"]
        return failures


def _collect_pytest(unit: Any, file: str, request: _Record, stubs: _Stubs) -> _Record:
    unit.ready_pytest()
    pytest: Any = importlib.import_module("pytest")
    suite = type("Suite", (_SuiteHooks, unit._Plugin), {})(file, _progress(unit))  # noqa: SLF001
    pytest.hookimpl(tryfirst=True)(_SuiteHooks.pytest_runtestloop)
    suite.request, suite.stubs, suite.found = request, stubs, {"methods": [], "loading": None}
    code = pytest.main([*unit.pytest_options(file), file], plugins=[suite])
    if int(code) in (3, 4) and not suite.found["methods"] and _CONFTEST in request["helpers"]:
        name = ".".join(filter(None, (unit.package_of(file), _CONFTEST)))
        sys.modules.pop(name, None)
        importlib.import_module(name)  # raises what pytest only writes
    found: _Record = suite.found
    return found


def _method_of_item(item: Any) -> str:
    """Return what the probe calls the method of an item."""
    return str(item.nodeid.partition("::")[2].partition("[")[0].replace("::", "."))


def _path_of_item(item: Any) -> list[str]:
    classes = [node.name for node in item.listchain() if type(node).__name__ in ("Class", "UnitTestCase")]
    return [*classes, getattr(item, "originalname", None) or item.name.partition("[")[0]]


def _name_of_item(item: Any) -> str:
    return ".".join(_path_of_item(item))


def _describe_item(item: Any) -> _Record:
    skipped, expects = "", False
    with suppress(Exception):
        skipping: Any = sys.modules["_pytest.skipping"]
        mark = skipping.evaluate_skip_marks(item)
        skipped = (mark.reason or "skipped") if mark else ""
        expects = bool(skipping.evaluate_xfail_marks(item))
    owner = getattr(item, "cls", None)
    if owner is not None and issubclass(owner, unittest.TestCase):
        if _is_marked(owner, item.name, "__unittest_skip__"):
            skipped = str(_is_marked(owner, item.name, "__unittest_skip_why__") or "skipped")
        expects = expects or bool(_is_marked(owner, item.name, "__unittest_expecting_failure__"))
    lacks = ""
    with suppress(Exception):
        info = item._fixtureinfo  # noqa: SLF001 - there is no public way
        defined = {"request", *info.name2fixturedefs, *getattr(getattr(item, "callspec", None), "params", ())}
        lacks = next((name for name in info.names_closure if name not in defined), "")
    weight = _weight_of(getattr(item, "function", None))
    given = getattr(getattr(item, "callspec", None), "id", "")
    is_nameless = any(sign in name for name in _path_of_item(item) for sign in (".", "::", "[", "\n"))
    return _describe(
        _name_of_item(item),
        given=given,
        is_nameless=is_nameless,
        skipped=skipped,
        expects_failure=expects,
        lacks=lacks,
        weight=weight,
    )


# ---------------------------------------------------------------- unittest


def _collect_unittest(unit: Any, file: str, request: _Record, stubs: _Stubs) -> _Record:
    module = unit.load_unittest(file, request["own"])
    loader = unittest.TestLoader()
    suite = loader.loadTestsFromModule(module)
    groups: dict[str, list[Any]] = {}
    for test in unit.tests_in(suite):
        groups.setdefault(unit.name_in_suite(test, module), []).append(test)
    methods = _merge([_describe_test(name, test) for name, tests in groups.items() for test in tests])

    def run(tests: list[Any]) -> list[_Record]:
        progress, name = _progress(unit), unit.name_in_suite(tests[0], module)
        progress.expect(name)
        unittest.TestSuite(tests).run(unit._Listener(file, module, progress))  # noqa: SLF001
        found: list[_Record] = progress.records[name]["failures"]
        return found

    failures = dict(_run_apart(groups, run, request)) if request["has_reference"] and not stubs.made else {}
    for one in methods:
        one["failure"] = failures.get(one["name"])
    return {"methods": methods}


def _describe_test(name: str, test: Any) -> _Record:
    method = getattr(test, "_testMethodName", "")
    skipped = _is_marked(test, method, "__unittest_skip__")
    why = str(_is_marked(test, method, "__unittest_skip_why__") or "skipped") if skipped else ""
    expects = bool(_is_marked(test, method, "__unittest_expecting_failure__"))
    return _describe(
        name,
        is_nameless="\n" in name,
        skipped=why,
        expects_failure=expects,
        weight=_weight_of(getattr(type(test), method, None)),
    )


if __name__ == "__main__":
    answer_suite_request()
