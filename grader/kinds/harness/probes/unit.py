"""Runs methods of a unit test with pytest or unittest, and records the results. It comes behind `base.py`."""

import difflib  # with what pytest loads late, before a file of that name that was handed in can be
import importlib.util
import linecache
import pprint
import re
import time
import unittest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from grader.kinds.harness.probes.base import *

_MAX_LENGTH, _MAX_SHOWN, _MAX_FAILURES = 2000, 60, 20
_IMPORTED_LATE = {  # modules of Python that a framework imports while tests run
    *("dataclasses", "difflib", "encodings", "getpass", "inspect", "linecache", "pdb", "pprint", "shutil", "textwrap"),
    *("traceback", "unittest", "warnings"),
}
_START: list[str] = []  # the folder of the submission, once a request was read
_IN_TESTS = {"__builtins__": BUILTINS}  # what the modules of the course find: the builtins of before the program
_COMPARING: dict[str, tuple[str, Any]] = {
    **dict.fromkeys(("assertEqual", "assertAlmostEqual"), ("first", "second")),
    "assertTrue": ("expr", True),
    "assertFalse": ("expr", False),
}
"""assertions of `unittest` that compare two values: their names there, or the value itself"""
_NAMES = re.compile(r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|(?<![\w.])[A-Za-z_]\w*(?![\w.'"]|\s*[(=](?!=))""")
"""names that are neither called nor set, and the texts that may look like them"""
_BINDS = re.compile(r"\b(?:for|lambda)\b|:=|\*\*|#")  # where a name may mean another value, or a sign bind otherwise
_CLOCKS = (time.perf_counter, time.process_time)
_Run = Callable[[str, list[str], "_Progress"], None]


def load_framework(ready_framework: Callable[[], _Run], *modules: str) -> list[Any]:
    """Return the function that runs methods, or why there is none; the answer to a request then has the reason."""
    try:
        for name in modules:
            importlib.import_module(name)  # with what it imports: a student may hand in a `queue`
        return [ready_framework()]
    except BaseException as error:  # noqa: BLE001
        return [error]


def answer_unit_request(loaded: list[Any]) -> None:
    """Answer the request with the `loaded` framework, and end the process whatever still runs in it."""
    run = loaded.pop()
    request, record, mark = read_request()
    _START.append(os.getcwd())
    path, file, own = request["within"], os.path.abspath(request["file"]), request["own"]
    sys.modules["__main__"] = types.ModuleType("__main__")
    if isinstance(run, ImportError):
        mark(" absent")
        return
    if isinstance(run, BaseException):
        raise run
    mark()
    taken = [*own, *_students_modules(path, [name for name in request["imported"] if name not in own])]
    make_importable(file, request, [path], taken)
    progress, end = _Progress(request["methods"], record, mark, stand_in_for_gradescope()), os._exit
    del request, record, mark
    try:
        run(file, own, progress)
    except BaseException as error:  # noqa: BLE001 - the student's, such as SystemExit
        progress.fail_loading(failure_record(error, file))
    progress.end()
    end(0)


def make_importable(file: str, request: Record, folders: list[str], modules: list[str]) -> None:
    """Let the course's modules beside a test be found first, then those in `folders`, and these `modules` anew."""
    sys.dont_write_bytecode = True
    sys.argv = [file]
    sys.meta_path.insert(0, _ModuleFinder(file, request["helpers"]))
    if request["replaces_builtins"]:
        _IN_TESTS["__builtins__"] = vars(builtins)
    # What the course requires comes before what was handed in: the test itself compares with it.
    required = [path for path in sys.path if sys.prefix != sys.base_prefix and path.startswith(sys.prefix + os.sep)]
    sys.path[:0] = [*required, *map(os.path.abspath, folders)]
    for module in modules:
        sys.modules.pop(module, None)


def _students_modules(folder: str, imported: list[str]) -> list[str]:
    """Return what was handed in under names of Python's own modules, but for names that the tests import too."""
    paths = [os.path.join(folder, name) for name in os.listdir(folder)]
    importable = [path for path in paths if path.endswith(".py") or os.path.exists(os.path.join(path, "__init__.py"))]
    theirs = {os.path.splitext(os.path.basename(path))[0] for path in importable} & sys.stdlib_module_names
    for name in filter(sys.stdlib_module_names.__contains__, imported if theirs else ()):
        with suppress(Exception):
            importlib.import_module(name)  # with all that it imports in turn
    is_frozen = importlib.machinery.FrozenImporter.find_spec
    fixed = (*sys.builtin_module_names, *imported, *_IMPORTED_LATE)
    return [name for name in theirs if name not in fixed and is_frozen(name) is None]


class _ModuleFinder:
    """Finds the course's modules beside the test before any of the student's, also the package that the test is in."""

    def __init__(self, file: str, names: list[str]) -> None:
        self.folder, self.names, self.package = os.path.dirname(os.path.abspath(file)), names, package_of(file)

    def find_spec(self, name: str, path: object = None, target: object = None) -> Any:  # noqa: ARG002 - as it is called
        if path is not None or name not in (*self.names, self.package):
            return None
        folder = self.folder if name in self.names else os.path.dirname(self.folder)
        return importlib.machinery.PathFinder.find_spec(name, [folder])


def package_of(file: str) -> str:
    """Return the package in which the file of a test is; "" for none."""
    folder = os.path.dirname(os.path.abspath(file))
    name = os.path.basename(folder)
    return name if name.isidentifier() and os.path.exists(os.path.join(folder, "__init__.py")) else ""


class _Progress:
    """The results of the methods so far; each is recorded when it is over."""

    def __init__(self, methods: list[str], record: Recorder, mark: Callable[..., None], scores: "_Scores") -> None:
        self.records = dict[str, Record]()
        self.failed, self.over, self.begun = set[str](), set[str](), list[str]()
        self._record, self._mark, self._scores, self._start = record, mark, scores, [0.0, 0.0]
        for method in methods:
            more: Record = {"values": 0, "passed": [], "skipped": [], "failed_outside": False}
            self.records[method] = {"runs": 0, "done": 0, "failures": [], "loading": None, **more}

    def begin(self, method: str) -> None:
        """Record that a method begins, and the results of earlier methods whose runs are all done."""
        if method in self.begun[-1:]:
            return
        for earlier in self.begun:
            if self.records[earlier]["done"] >= self.records[earlier]["runs"]:
                self.finish(earlier)
        # Also one whose runs others come between: the process may end in any of them.
        self._record({"event": "begin", "method": method})
        self.begun = [*(earlier for earlier in self.begun if earlier != method), method]
        self._scores.share, self._start = "", [clock() for clock in _CLOCKS]
        if len(self.records) > 1:  # what divides the output of several
            self._mark(f" {[*self.records].index(method)}", (1, 2))

    def add(self, method: str, failure: Record) -> None:
        """Add a failure of a method."""
        self.failed.add(method)
        if len(self.records[method]["failures"]) < _MAX_FAILURES:
            self.records[method]["failures"].append(failure)

    def add_value(self, method: str, outcome: str) -> None:
        """Count a value with which a method was run: it passed, failed or was skipped."""
        record = self.records[method]
        if outcome != "failed":
            record[outcome].append(record["values"])
        record["values"] += 1

    def fail_loading(self, failure: Record) -> None:
        """Record the error that ended the run: for the method in which it occurred, or for all."""
        for method in self.begun[-1:]:
            self.add(method, failure)
            self.records[method]["failed_outside"] = True
        for record in () if self.begun else self.records.values():
            record["loading"] = record["loading"] or failure

    def finish(self, method: str) -> None:
        """Record the result of a method, unless it is recorded."""
        record = self.records[method]
        if method in self.failed and not record["failures"]:
            record["failures"].append({"kind": "assertion", "message": "it failed"})
        if method not in self.over:
            self.over.add(method)
            flush()
            spent = [int((clock() - start) * 1000) for clock, start in zip(_CLOCKS, self._start, strict=True)]
            took = {"time": spent[0], "cpu": spent[1], "share": self._scores.share}
            self._record({"event": "over", "method": method, **record, **took})

    def end(self) -> None:
        """Record the other methods' results; of several, those that did not begin only where the result is known."""
        for method, record in self.records.items():
            is_known = record["failures"] or record["loading"] or not record["runs"]
            if is_known or method in self.begun or len(self.records) == 1:
                self.finish(method)


class _Scores:
    """The share of its points that a method sets for itself."""

    share = ""

    def partial_credit(self, weight: float) -> Callable[[Any], Any]:
        """Return the decorator that gives a method `set_score`, which only the file of the test may call."""

        def decorate(method: Any) -> Any:
            def set_score(score: float) -> None:
                caller = sys._getframe(1)
                file = method.__code__.co_filename
                if caller.f_globals is not method.__globals__ or caller.f_code.co_filename != file:
                    return
                number = float(score)
                if number - number != 0:
                    self.share = "0.0"
                    raise ValueError(f"{number} is no score")
                share = number / float(weight) if weight else float(number >= 0)  # points off have no share
                self.share = f"{min(max(share, 0.0), 1.0):.9f}"

            return _note_weight(_give_arguments(set_score=set_score)(method), weight)

        return decorate


def _note_weight(method: Any, weight: object) -> Any:
    """Note how much a method counts, for the collector."""
    method.__grader_weight__ = weight
    return method


def _give_arguments(**more: object) -> Callable[[Any], Any]:
    """Return the decorator that gives a method further arguments."""
    return lambda method: functools.wraps(method)(lambda *args, **given: method(*args, **{**given, **more}))


def stand_in_for_gradescope() -> _Scores:
    """Put modules in the place of `gradescope_utils`, whether or not it is there, and return where scores are kept."""
    scores, utils = _Scores(), "gradescope_utils.autograder_utils"
    names = ("gradescope_utils", utils, f"{utils}.decorators", f"{utils}.files")
    modules = [types.ModuleType(name) for name in names]
    sys.modules.update(zip(names, modules, strict=True))
    package, inner, decorators, files = (vars(module) for module in modules)
    package.update(__path__=[], autograder_utils=modules[1])
    inner.update(__path__=[], decorators=modules[2], files=modules[3])
    for name in ("number", "visibility", "hide_errors", "tags"):
        decorators[name] = lambda *_args, **_keywords: lambda method: method
    decorators["weight"] = lambda weight: lambda method: _note_weight(method, weight)
    decorators["partial_credit"] = scores.partial_credit
    # It may set a value for a leaderboard, which is shown nowhere.
    decorators["leaderboard"] = lambda *_args, **_keywords: _give_arguments(set_leaderboard_value=lambda _value: None)
    files["check_submitted_files"] = lambda paths, _base="": [path for path in paths if not os.path.exists(path)]
    return scores


def failure_record(error: BaseException, file: str, compared: tuple[str, str, str] | None = None) -> Record:
    """Describe an exception and its place."""
    kinds = [kind.__name__ for kind in type(error).__mro__]
    is_assertion = "AssertionError" in kinds or "OutcomeException" in kinds
    test, own = _places(error, file)
    failure: Record = {
        "kind": "assertion" if is_assertion and test and not own else "exception",
        "type": f"{type(error).__module__}.{type(error).__qualname__}".removeprefix("builtins."),
        "message": _to_text(error, lambda raised: str(raised).partition("\n")[0]),
        "place": own,
        "test_place": test,
    }
    line, known = _line_of_test(file, int(test.rpartition(":")[2])) if test else "", _variables(error, file)
    failure["asserted"] = _with_values(line, known)[:_MAX_LENGTH]
    if failure["kind"] == "assertion":
        if not compared and failure["message"] in ("assert False", "assert None"):
            compared = ("==", failure["message"].removeprefix("assert "), "True")
        if compared and compared[1] and line.startswith("assert"):
            failure |= {"how": compared[0], "found": compared[1], "wanted": compared[2]}
            failure["message"] = failure["message"] if not failure["message"].startswith("assert ") else ""
        else:
            failure |= _compared_by_unittest(error)
        measured = line.partition("len(")[2].partition(")")[0]
        if measured in known and not failure["message"]:
            failure["message"] = f"{measured} is {_to_text(known[measured])}"
    return failure


def _line_of_test(file: str, number: int) -> str:
    """Return a line of a test; of a `with` of one line, that line."""
    line, *rest = (linecache.getline(file, number + after) for after in range(3))
    depths = [len(text) - len(text.lstrip()) for text in (line, *rest)]
    has_body = line.strip().startswith("with ") and depths[1] > depths[0]
    return (rest[0] if has_body and (not rest[1].strip() or depths[2] < depths[1]) else line).strip()


def _variables(error: BaseException, file: str) -> Record:
    """Return the variables of a test where an exception left it."""
    frames, path = traceback.walk_tb(error.__traceback__), os.path.abspath(file)
    return ([{}] + [frame.f_locals for frame, _ in frames if os.path.abspath(frame.f_code.co_filename) == path])[-1]


def _with_values(line: str, known: Record) -> str:
    """Return a line of a test in which arguments are the values that they had, where these cannot have changed."""
    texts = {name: _to_text(value) or name for name, value in known.items() if type(value) in (int, float, str, bool)}
    shown = {name: text for name, text in texts.items() if len(text) <= _MAX_SHOWN}
    *before, last = line.split("(", depth := 1 + line.startswith("self.assert"))
    is_plain = len(before) == depth and not _BINDS.search(last)
    return "(".join([*before, _NAMES.sub(lambda match: shown.get(match[0], match[0]), last) if is_plain else last])


def _compared_by_unittest(error: BaseException) -> Record:
    """Return the values that the assertion of `unittest` compared that failed; nothing of another one."""
    for frame, _ in traceback.walk_tb(error.__traceback__):
        names = _COMPARING.get(frame.f_code.co_name)
        if names and frame.f_globals.get("__name__") == "unittest.case" and names[0] in (given := frame.f_locals):
            found, wanted = (_to_text(given.get(name, name)) for name in names)
            return {"how": "==", "found": found, "wanted": wanted, "message": _to_text(given.get("msg") or "", str)}
    return {}


def _skipped(why: object, **more: object) -> Record:
    return {"kind": "skipped", "message": str(why).removeprefix("Skipped: ")[:_MAX_LENGTH], **more}


def _to_text(value: object, write: Callable[[object], str] = repr) -> str:
    try:
        return write(value)[:_MAX_LENGTH].encode(errors="backslashreplace").decode()
    except BaseException:  # noqa: BLE001 - the student's own
        return ""


def _places(error: BaseException, file: str) -> tuple[str, str]:
    """Return the innermost line in the test, and the innermost in the working folder; "" where there is none."""
    here, test_file = os.path.abspath("".join(_START)) + os.sep, os.path.abspath(file)
    beside = os.path.dirname(test_file) + os.sep  # where the course's modules are
    test = own = ""
    if isinstance(error, SyntaxError) and error.filename and os.path.abspath(error.filename) != test_file:
        return test, f"{os.path.basename(error.filename)}:{error.lineno}"
    for frame, line in traceback.walk_tb(error.__traceback__):
        name = frame.f_code.co_filename
        path = os.path.abspath(name)
        if path == test_file:
            test = f"{os.path.basename(path)}:{line}"
        elif path.startswith(here) and not path.startswith(beside) and not name.startswith("<"):
            own = f"{os.path.relpath(path, here)}:{line}"
    return test, own


class _PytestPlugin:
    """Receives the result of each run of the methods from pytest."""

    def __init__(self, file: str, progress: _Progress) -> None:
        self.file, self.progress = file, progress
        self.stdout, sys.stdout = sys.stdout, open(os.devnull, "w")  # noqa: SIM115 - until the process ends

    def pytest_sessionstart(self) -> None:
        """From here on standard output is the student's: pytest writes where it was to be written when it began."""
        sys.stdout = self.stdout

    def pytest_sessionfinish(self) -> None:
        """Silence pytest."""
        sys.stderr.flush()
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - until the process ends

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        items[:] = [item for item in items if method_of_item(item.nodeid) in self.progress.records]

    def pytest_collection_finish(self, session: Any) -> None:
        for item in session.items:
            self.progress.records[method_of_item(item.nodeid)]["runs"] += 1

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.compared: tuple[str, str, str] | None = None
        self.outcome, self.returned = "passed", False
        self.progress.begin(method_of_item(nodeid))

    def pytest_runtest_call(self, item: Any) -> None:
        """Note whether the method comes to its own end; a `TestCase` has it only since its set-up."""
        owner, method = getattr(item.obj, "__self__", None), item.obj

        def noted(returned: object) -> object:
            self.returned = True
            return returned

        @functools.wraps(method)
        async def run_later(*args: object, **keywords: object) -> object:
            return noted(await method(*args, **keywords))

        @functools.wraps(method)
        def run(*args: object, **keywords: object) -> object:
            return noted(method(*args, **keywords))

        is_later = importlib.import_module("inspect").iscoroutinefunction(method)
        item.obj = run_later if is_later else run
        item.obj.__dict__["__self__"] = owner  # where pytest looks for the object
        if isinstance(owner, unittest.TestCase):
            setattr(owner, item.name, item.obj)

    def pytest_assertrepr_compare(self, op: str, left: object, right: object) -> None:
        self.compared = (op, _to_text(left), _to_text(right))

    def pytest_exception_interact(self, node: Any, call: Any, report: Any) -> None:
        error = call.excinfo.value
        if report.when == "collect":
            self.progress.fail_loading(failure_record(error.__cause__ or error, self.file))
            return
        given = node.callspec.id if hasattr(node, "callspec") else ""
        failure = {**failure_record(error, self.file, self.compared), "given": given[:_MAX_LENGTH]}
        self.progress.add(method_of_item(node.nodeid), failure)

    def pytest_runtest_logreport(self, report: Any) -> None:
        method = method_of_item(report.nodeid)
        if report.skipped or hasattr(report, "wasxfail"):
            why = report.longrepr[2] if isinstance(report.longrepr, tuple) else getattr(report, "wasxfail", "")
            given = report.nodeid.partition("[")[2].rstrip("]")[:_MAX_LENGTH]
            self.progress.add(method, _skipped(why, given=given))
            self.outcome = "failed" if self.outcome == "failed" else "skipped"
        if report.failed:
            self.progress.failed.add(method)
            self.outcome = "failed"
        if report.when == "teardown":
            has_ended = self.returned or self.outcome != "passed"
            self.progress.records[method]["done"] += has_ended
            self.progress.add_value(method, self.outcome if has_ended else "failed")


def method_of_item(nodeid: str) -> str:
    """Return the method that a run is one of: `TestBank.test_deposit`."""
    return nodeid.partition("::")[2].partition("[")[0].replace("::", ".")


def ready_pytest() -> _Run:
    """Import pytest, and return the function that runs methods with it. Raises ImportError."""
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    for name in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS"):
        os.environ.pop(name, None)
    pytest = importlib.import_module("pytest")
    pytest.hookimpl(tryfirst=True)(_PytestPlugin.pytest_runtest_call)
    plugins = importlib.import_module("_pytest.config").default_plugins
    for name in ("pdb", *(f"_pytest.{plugin}" for plugin in plugins)):
        importlib.import_module(name)  # with all that it imports, before anything that was handed in
    loader = importlib.import_module("_pytest.assertion.rewrite").AssertionRewritingHook
    execute = loader.exec_module

    def execute_with_builtins(self: Any, module: Any) -> None:
        vars(module).update(_IN_TESTS)
        execute(self, module)

    loader.exec_module = execute_with_builtins

    def run(file: str, _own: list[str], progress: _Progress) -> None:
        plugin = _PytestPlugin(file, progress)
        # All of the file, in its order, where several are run.
        (method, *rest) = progress.records
        places = [file] if rest else ["::".join([file, *method.split(".")])]
        pytest.main([*pytest_options(file), *places], plugins=[plugin])

    return run


def pytest_options(file: str) -> list[str]:
    """Return the options with which pytest reads only the course's files."""
    folder = os.path.dirname(os.path.abspath(file))
    # Below it, the parts of a path are those of the name of a module.
    root = os.path.dirname(folder) if package_of(file) else folder
    options = ["-c", os.devnull, "--rootdir", root, "--import-mode=importlib", "-s", "-q", "--tb=no"]
    # Only that of the course, which lies beside the test.
    has_own = any(isinstance(finder, _ModuleFinder) and "conftest" in finder.names for finder in sys.meta_path)
    options += ["--confcutdir", folder] if has_own else ["--noconftest"]
    return [*options, "-p", "no:cacheprovider", "-p", "no:faulthandler", "-p", "no:threadexception"]


class _UnittestListener(unittest.TestResult):
    """Receives the result of each run from unittest."""

    def __init__(self, file: str, module: types.ModuleType, progress: _Progress) -> None:
        super().__init__()
        self.file, self.module, self.progress = file, module, progress

    def startTest(self, test: Any) -> None:  # noqa: N802 - as unittest calls it
        self.progress.begin(name_in_suite(test, self.module))
        # The outcome of the method itself, those of its subtests, and the subtests around others.
        self.own, self.values, self.around = "failed", list[str](), list[Any]()

    def addSuccess(self, test: Any) -> None:  # noqa: N802, ARG002
        self.own = "passed"

    def addError(self, test: Any, err: Any) -> None:  # noqa: N802
        self._add(test, failure_record(err[1], self.file), is_outside=True)

    addFailure = addError  # noqa: N815

    def addSubTest(self, test: Any, subtest: Any, err: Any) -> None:  # noqa: N802
        self._add_value(test, subtest, "passed" if err is None else "failed")
        if err is not None:
            given = ", ".join(f"{name}={_to_text(value)}" for name, value in subtest.params.items())
            self._add(test, {**failure_record(err[1], self.file), "given": given[:_MAX_LENGTH]})

    def _add_value(self, test: Any, subtest: Any, outcome: str) -> None:
        """Note the result of a subtest, unless it contains others: these are the values then."""
        own, *around = subtest.params.maps
        if any(outer is own for outer in self.around):
            self.progress.records[name_in_suite(test, self.module)]["failed_outside"] |= outcome == "failed"
            return
        self.around += around
        self.values.append(outcome)

    def addSkip(self, test: Any, reason: str) -> None:  # noqa: N802
        # A skipped subtest is an object of its own.
        if (whole := getattr(test, "test_case", test)) is not test:
            self._add_value(whole, test, "skipped")
        else:
            self.own = "skipped"
        self._add(whole, _skipped(reason))

    def addExpectedFailure(self, test: Any, err: Any = None) -> None:  # noqa: N802, ARG002
        self.own = "skipped"
        self._add(test, _skipped("a failure is expected"))

    addUnexpectedSuccess = addExpectedFailure  # noqa: N815

    def stopTest(self, test: Any) -> None:  # noqa: N802
        method = name_in_suite(test, self.module)
        self.progress.records[method]["done"] += 1
        if self.own == "failed":  # also by what unittest counts as no failure
            self.progress.failed.add(method)
        for outcome in self.values or [self.own]:
            self.progress.add_value(method, outcome)

    def _add(self, test: Any, failure: Record, *, is_outside: bool = False) -> None:
        for method in self._methods_of(test):
            self.progress.add(method, failure)
            self.progress.records[method]["failed_outside"] |= is_outside

    def _methods_of(self, test: Any) -> list[str]:
        """Return the method of a test; for a set-up of a class or module all that wait for it, for its end the last."""
        what, _, owner = str(getattr(test, "description", "")).partition(" (")
        if isinstance(test, unittest.TestCase) or not owner:
            return [name_in_suite(test, self.module)]
        if what.startswith("tearDown") and self.progress.begun:
            return self.progress.begun[-1:]
        name = owner.rstrip(")").removeprefix(self.module.__name__).lstrip(".")
        waiting = [method for method in self.progress.records if method not in self.progress.begun]
        return [method for method in waiting if not name or method.rpartition(".")[0] == name]


def ready_unittest() -> _Run:
    """Return the function that runs methods with unittest."""

    def run(file: str, own: list[str], progress: _Progress) -> None:
        module, suite = load_unittest(file, own), unittest.TestSuite()
        for test in tests_in(unittest.defaultTestLoader.loadTestsFromModule(module)):
            if record := progress.records.get(name_in_suite(test, module)):
                record["runs"] += 1
                suite.addTest(test)
        suite.run(_UnittestListener(file, module, progress))

    return run


def load_unittest(file: str, own: list[str]) -> types.ModuleType:
    """Import the file of a test, whatever its name."""
    name = os.path.splitext(os.path.basename(file))[0]
    # A student's `bank` is tested too where the file of the test is called like it.
    name = name if name not in own else f"test of {name}"
    if package := package_of(file):
        importlib.import_module(package)
        name = f"{package}.{name}"
    spec: Any = importlib.util.spec_from_file_location(name, file)
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    vars(module).update(_IN_TESTS)
    spec.loader.exec_module(module)
    return module


def tests_in(suite: Any) -> Iterator[Any]:
    """Yield the tests of a suite; raise what a `load_tests` did."""
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from tests_in(test)
        elif isinstance(getattr(test, "_exception", None), BaseException):
            raise test._exception
        else:
            yield test


def name_in_suite(test: Any, module: types.ModuleType) -> str:
    """Return the name of a test: `TestBank.test_deposit`."""
    return str(test.id()).removeprefix(f"{module.__name__}.")
