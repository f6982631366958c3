"""Finds what pytest or unittest collects of a file, with mocks for what a student has. It comes behind `unit.py`."""

import fnmatch
import importlib.abc
from unittest.mock import MagicMock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from grader.kinds.harness.probes.base import *
    from grader.kinds.harness.probes.unit import *

_MAX_METHODS = 2000


def answer_suite_request() -> None:
    """Collect the file of the request, and record what was found."""
    request, record, _ = read_request()
    file, collected, groups = request["file"], Record(methods=[], loading=None), dict[str, list[Any]]()
    make_importable(file, request, request["within"], request["own"])
    sys.meta_path[1:] = [_Stubs(request["stubs"]), *sys.meta_path[1:], _Stubs(request["guesses"])]
    stand_in_for_gradescope()
    try:
        if request["framework"] == "pytest":
            collected["loading"] = _collect_pytest(file, request, groups)
        else:
            module = load_unittest(file, request["own"])
            for test in tests_in(unittest.TestLoader().loadTestsFromModule(module)):
                groups.setdefault(name_in_suite(test, module), []).append(test)
        collected["methods"] = [_merge(name, tests) for name, tests in [*groups.items()][:_MAX_METHODS]]
    except BaseException as error:  # noqa: BLE001 - of the course, such as SystemExit
        collected["loading"] = failure_record(error, file)
    collected["absent"] = [name for name in request["imports"] if not _is_there(name)]
    collected["guessed"] = bool(_STUB.mock_calls) or "_Stub" in (collected["loading"] or {}).get("message", "")
    record(collected)
    os._exit(0)


def _is_there(name: str) -> bool:
    with suppress(Exception):
        return name in sys.modules or importlib.util.find_spec(name) is not None
    return False


class _Stub(MagicMock):
    """Stands for anything of a student's; what is done with it is noted in its calls."""

    def __mro_entries__(self, _bases: tuple[object, ...]) -> tuple[type, ...]:
        self.derived()
        return ()


_STUB = _Stub()


class _Stubs(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds modules of stubs with these names, and all below them."""

    def __init__(self, names: list[str]) -> None:
        self.names = names

    def find_spec(self, name: str, path: object = None, target: object = None) -> Any:  # noqa: ARG002 - as it is called
        is_stub = any(fnmatch.fnmatchcase(name.partition(".")[0], pattern) for pattern in self.names)
        return importlib.machinery.ModuleSpec(name, self, is_package=True) if is_stub else None

    def exec_module(self, module: types.ModuleType) -> None:
        def find(name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            return getattr(_STUB, name)

        vars(module)["__getattr__"] = find


def _merge(name: str, tests: list[Any]) -> Record:
    """Describe a method by its runs: it is skipped only where all of them are; else those are named."""
    runs = [_describe(test) for test in tests]
    idle = [place for place, run in enumerate(runs) if run["skipped"] or run["expects_failure"]]
    return {
        "name": name,
        "runs": len(runs),
        "idle": idle,
        "skips": [runs[place]["given"] for place in idle],
        "skipped": runs[0]["skipped"] if all(run["skipped"] for run in runs) else "",
        "expects_failure": all(run["expects_failure"] for run in runs),
        "lacks": next((run["lacks"] for run in runs if run["lacks"]), ""),
        "weight": runs[0]["weight"],
        "is_nameless": "\n" in name or any(sign in part for part in _path_of(tests[0]) for sign in (".", "::", "[")),
    }


def _describe(test: Any) -> Record:
    """Describe a run of a method: an item of pytest, or a test of unittest."""
    name = getattr(test, "_testMethodName", "")
    owner, name = (type(test), name) if name else (getattr(test, "cls", None), test.name)
    weight = getattr(getattr(test, "function", None) or getattr(owner, name, None), "__grader_weight__", None)
    callspec = getattr(test, "callspec", None)
    record: Record = {"given": str(getattr(callspec, "id", "")), "skipped": "", "lacks": "", "expects_failure": False}
    record["weight"] = str(weight) if isinstance(weight, (int, float)) else None
    if isinstance(owner, type) and issubclass(owner, unittest.TestCase):
        marks = [getattr(owner, name, None), owner]
        skipped = (marked for marked in marks if getattr(marked, "__unittest_skip__", False))
        reasons = [getattr(marked, "__unittest_skip_why__", "") for marked in skipped]
        record["skipped"] = str(next(filter(None, reasons), "skipped")) if reasons else ""
        record["expects_failure"] = any(getattr(marked, "__unittest_expecting_failure__", False) for marked in marks)
    with suppress(Exception):
        skipping: Any = sys.modules["_pytest.skipping"]
        mark = skipping.evaluate_skip_marks(test)
        record["skipped"] = record["skipped"] or (str(mark.reason or "skipped") if mark else "")
        record["expects_failure"] = record["expects_failure"] or bool(skipping.evaluate_xfail_marks(test))
        info = test._fixtureinfo
        defined = {"request", *info.name2fixturedefs, *getattr(callspec, "params", ())}
        record["lacks"] = next((name for name in info.names_closure if name not in defined), "")
    return record


def _collect_pytest(file: str, request: Record, groups: dict[str, list[Any]]) -> Any:
    ready_pytest()
    pytest, suite = importlib.import_module("pytest"), _Collector(file)
    code = pytest.main([*pytest_options(file), file], plugins=[suite])
    for item in suite.items:
        groups.setdefault(".".join(_path_of(item)), []).append(item)
    if int(code) in (3, 4) and not groups and "conftest" in request["helpers"]:
        name = ".".join(filter(None, (package_of(file), "conftest")))
        sys.modules.pop(name, None)
        importlib.import_module(name)  # raises what pytest only writes
    return next(iter(suite.failures), None)


class _Collector:
    """Hears from pytest what it collects, and lets it run nothing."""

    def __init__(self, file: str) -> None:
        self.file, self.items, self.failures = file, list[Any](), list[Record]()

    def pytest_exception_interact(self, call: Any) -> None:
        error = call.excinfo.value
        self.failures.append(failure_record(error.__cause__ or error, self.file))

    def pytest_collectreport(self, report: Any) -> None:
        if report.skipped:
            why = report.longrepr[2] if isinstance(report.longrepr, tuple) else ""
            self.failures.append({"kind": "skipped", "message": str(why).removeprefix("Skipped: ")})

    def pytest_runtestloop(self, session: Any) -> bool:
        self.items = session.items
        return True


def _path_of(test: Any) -> list[str]:
    """Return the classes and the name of an item of pytest; nothing of a test of unittest."""
    if isinstance(test, unittest.TestCase):
        return []
    classes = [node.name for node in test.listchain() if type(node).__name__ in ("Class", "UnitTestCase")]
    return [*classes, getattr(test, "originalname", None) or test.name.partition("[")[0]]
