"""Runs a method of a unit test, or several that share a process, and records the results, with pytest or unittest.

What runs a framework is in another file, which is handed over behind this one. Of Python's own modules only those are
imported that every run needs: each start of a process imports them anew.

Standard input begins with ten digits, the length of a request, and the request, whose fields are lines. It is read
before any of the student's code is loaded; the rest is the student's input. A file that the request names gets a line
when a method begins, and one when it is over. Each is JSON after a digest of it and of all before it, which cannot be
made without the secret of the request, of which only the state of a digest remains. The first output on standard output
shows that it started, or that there is no framework.
"""

import builtins
import difflib  # noqa: F401 - whatever pytest loads late is loaded before a student's file of that name can be
import functools
import importlib
import importlib.machinery
import linecache
import os
import pprint  # noqa: F401
import sys
import time
import traceback
import types
from _json import encode_basestring_ascii
from collections.abc import Callable
from contextlib import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any
else:
    Any = object

_BUILTINS = dict(vars(builtins))
# A test may forbid one by something else in its place, and is over when its result is written.
globals().update({name: value for name, value in _BUILTINS.items() if not name.startswith("_")})
_MAX_LENGTH, _MAX_FAILURES = 2000, 20
_IMPORTED_LATE = frozenset(
    {
        *("dataclasses", "difflib", "getpass", "inspect", "linecache", "pdb", "pprint", "shutil", "textwrap"),
        *("traceback", "unittest", "warnings"),
    }
)
"""modules of Python that a framework imports while tests run"""
_START: list[str] = []
"""the folder of what was handed in, where a request was answered"""
Failure = dict[str, Any]
_Run = Callable[[str, list[str], "_Progress"], None]


def load_framework(ready_framework: Callable[[], _Run], *further: str) -> list[Any]:
    """Return what runs methods, these modules loaded too, or why there is nothing."""
    try:
        run = ready_framework()
        for name in further:
            importlib.import_module(name)
    except BaseException as error:  # noqa: BLE001 - to be said where a request is answered
        return [error]
    return [run]


def answer_unit_request(loaded: list[Any]) -> None:
    """Do what the request asks for with what was `loaded`, and end the process whatever still runs in it."""
    run = loaded.pop()
    fields = _read_exactly(int(_read_exactly(10))).decode().split("\n")
    mark, name, secret, _, path, file, methods, helpers, imported, *own = fields
    _START.append(os.getcwd())
    name, file = os.path.abspath(name), os.path.abspath(file)  # a program may go to another folder
    digest = _find_digest()
    send_line = _make_reporter(name, digest(secret.encode()), digest())
    sys.modules["__main__"] = types.ModuleType("__main__")
    if isinstance(run, ImportError):
        os.write(1, f"\x1e{mark} absent\n".encode())
        return
    if isinstance(run, BaseException):
        raise run
    os.write(1, f"\x1e{mark}\n".encode())
    sys.dont_write_bytecode = True
    sys.argv = [file]
    taken = [*own, *_students_modules(path, [name for name in imported.split() if name not in own])]
    sys.meta_path.insert(0, _ModuleFinder(file, helpers.split()))
    # What the course requires comes before what was handed in: the test itself compares with it.
    required = [one for one in sys.path if one.startswith(sys.prefix + os.sep)] if sys.prefix != sys.base_prefix else []
    sys.path[:0] = [*required, os.path.abspath(path)]
    for module in taken:
        sys.modules.pop(module, None)
    record = _make_recorder(send_line, _stand_in_for_gradescope(), mark if "\t" in methods else "")
    progress, end = _Progress(methods.split("\t"), *record), os._exit
    del fields, mark, name, secret, record, send_line
    try:
        run(file, own, progress)
    except BaseException as error:  # noqa: BLE001 - the student's, such as SystemExit
        progress.fail_loading(_failure(error, file))
    progress.end()
    end(0)


def _students_modules(folder: str, imported: list[str]) -> list[str]:
    """Return what was handed in under names of Python's own modules, as far as a program of the student's finds it.

    Of a name that the tests import too, Python's is meant.
    """
    names = [os.path.splitext(name)[0] for name in os.listdir(folder) if _is_importable(os.path.join(folder, name))]
    for name in imported:
        if name in sys.stdlib_module_names:  # with all that it imports in turn
            with suppress(Exception):
                importlib.import_module(name)
    frozen = importlib.machinery.FrozenImporter
    fixed = {*sys.builtin_module_names, *imported, *_IMPORTED_LATE, "encodings"}
    theirs = sys.stdlib_module_names.intersection(names) - fixed
    return [name for name in theirs if frozen.find_spec(name) is None]


def _is_importable(path: str) -> bool:
    return path.endswith(".py") or os.path.exists(os.path.join(path, "__init__.py"))


class _ModuleFinder:
    """Finds the course's modules beside the test before any of the student's, also the package that the test is in."""

    def __init__(self, file: str, names: list[str]) -> None:
        self.folder, self.names, self.package = os.path.dirname(os.path.abspath(file)), names, package_of(file)

    def find_spec(self, name: str, path: object = None, target: object = None) -> Any:  # noqa: ARG002 - as it is called
        if path is None and name in self.names:
            return importlib.machinery.PathFinder.find_spec(name, [self.folder])
        if path is None and name and name == self.package:
            return importlib.machinery.PathFinder.find_spec(name, [os.path.dirname(self.folder)])
        return None


def package_of(file: str) -> str:
    """Return the package in which the file of a test is; "" for none."""
    folder = os.path.dirname(os.path.abspath(file))
    name = os.path.basename(folder)
    return name if name.isidentifier() and os.path.exists(os.path.join(folder, "__init__.py")) else ""


def import_package_of(file: str) -> str:
    """Import the package in which the file of a test is, and return its name; "" for none."""
    package = package_of(file)
    if package:
        importlib.import_module(package)
    return package


def builtins_for(file: str) -> dict[str, Any]:
    """Return the builtins that a test finds: those of before the program, unless a file of the course names any."""
    for folder, _, names in os.walk(os.path.dirname(os.path.abspath(file))):
        for name in names:
            if name.endswith(".py"):
                with open(os.path.join(folder, name), "rb") as text:
                    if b"builtins" in text.read():
                        return vars(builtins)
    return _BUILTINS


def _read_exactly(length: int) -> bytes:
    """Read exactly so much, and nothing of what belongs to the student."""
    data = b""
    while len(data) < length:
        if not (chunk := os.read(0, length - len(data))):
            raise EOFError
        data += chunk
    return data


def _find_digest() -> Any:
    """Return SHA-256. `hashlib` would load a library for it first."""
    for name in ("_sha256", "_sha2"):  # the second from Python 3.12 on
        with suppress(ImportError):
            return importlib.import_module(name).sha256
    return importlib.import_module("hashlib").sha256


def _make_reporter(name: str, seal: Any, content: Any) -> Callable[[Failure], None]:
    """Return what writes a line of the record; both digests exist before any of the student's code does."""
    write, opened, quoted, is_a, text = os.write, os.open, encode_basestring_ascii, type, str
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
    os.close(os.open(name, flags, 0o644))  # with these rights, whatever mask a program sets
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
    send_line: Callable[[Failure], None], scores: "_Scores", mark: str
) -> tuple[Callable[[str, int], None], Callable[[str, Failure], None]]:
    """Return what records that a method begins, and what came of it; a `mark` divides the output of several."""
    write, flush, clock, used = os.write, _flush, time.perf_counter, time.process_time
    start = [0.0, 0.0]

    def begin(method: str, number: int) -> None:
        send_line({"event": "begin", "method": method})
        scores.share, start[:] = "", (clock(), used())
        for stream in (1, 2) if mark else ():
            with suppress(OSError):
                write(stream, f"\x1e{mark} {number}\n".encode())

    def finish(method: str, record: Failure) -> None:
        flush()
        took = {"time": int((clock() - start[0]) * 1000), "cpu": int((used() - start[1]) * 1000)}
        send_line({"event": "over", "method": method, **record, **took, "share": scores.share})

    return begin, finish


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
        self.records[method].update(values=0, passed=[], skipped=[], failed_outside=False)

    def begin(self, method: str) -> None:
        """Record that a method begins, and what came of those before it of which no run is left."""
        if method in self.begun[-1:]:
            return
        for one in self.begun:
            if self.records[one]["done"] >= self.records[one]["runs"]:
                self.finish(one)
        # Also one whose runs others come between: the process may end in any of them.
        self._begin(method, [*self.records].index(method))
        self.begun = [*(one for one in self.begun if one != method), method]

    def add(self, method: str, failure: Failure) -> None:
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

    def fail_loading(self, failure: Failure) -> None:
        """Record what ended the run: for the method in which it did, or for all."""
        for method in self.begun[-1:]:
            self.add(method, failure)
            self.records[method]["failed_outside"] = True
        for method in () if self.begun else self.methods:
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
        self.share = ""

    def partial_credit(self, weight: float) -> Callable[[Callable[..., object]], Callable[..., object]]:
        """Return the decorator that gives a method `set_score`, which only the file of the test may call."""

        def decorate(method: Any) -> Callable[..., object]:
            def set_score(score: float) -> None:
                caller = sys._getframe(1)  # noqa: SLF001 - there is no other way to know who calls
                file = method.__code__.co_filename
                if caller.f_globals is not method.__globals__ or caller.f_code.co_filename != file:
                    return
                number = float(score)
                if number - number != 0:
                    self.share = "0.0"
                    raise ValueError(f"{number} is no score")
                share = number / float(weight) if weight else float(number >= 0)  # points off have no share
                self.share = f"{min(max(share, 0.0), 1.0):.9f}"

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
    here, test_file = os.path.abspath("".join(_START)), os.path.abspath(file)
    beside = os.path.dirname(test_file) + os.sep  # where the course's modules are
    test = own = ""
    if isinstance(error, SyntaxError) and error.filename and os.path.abspath(error.filename) != test_file:
        return test, f"{os.path.basename(error.filename)}:{error.lineno}"
    for frame, line in traceback.walk_tb(error.__traceback__):
        path = os.path.abspath(frame.f_code.co_filename)
        if path == test_file:
            test = f"{os.path.basename(path)}:{line}"
        elif (
            path.startswith(here + os.sep)
            and not path.startswith(beside)
            and not frame.f_code.co_filename.startswith("<")
        ):
            own = f"{os.path.relpath(path, here)}:{line}"
    return test, own
