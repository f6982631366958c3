"""Functions that an instructor wrote for a spec, `reference/checks.py:boards`: loaded by path.

They are trusted like the reference, and import modules in the folder of their file by plain names. Nothing stays in
`sys.path` or `sys.modules`, or one course would import the `queens.py` of another. So modules are imported at the top
of the file, when it is loaded, and not inside a function.

A check returns when the output is right and raises `Wrong` when it is not, or returns a share with a sentence. All else
is a fault of the check and never of a student. `serve_checks` runs checks in a process that `checks` starts and bounds;
a generator runs in our process, before anything of a student's is seen.
"""

import inspect
import json
import os
import pickle
import re
import resource
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from itertools import islice
from pathlib import Path
from random import Random
from threading import RLock
from types import ModuleType
from typing import Any

from grader.core.errors import HostError, Wrong

_Function = Callable[..., Any]

_LOADING = RLock()
_FAULTS = (Exception, SystemExit)
_SHARE = r"[0-9]{1,25}(?:/0*[1-9][0-9]{0,24}|(?:\.[0-9]{1,25})?(?:e-[0-9]{1,3})?)"
_MAX_SENTENCE_LENGTH = 2**16  # characters of a check's message: a drawing may be as long as the student's output
_SIMPLE_TYPES = (bool, int, float, str, type(None))


def serve_checks(root: Path, seconds: int) -> None:
    """Run checks of a course as standard input asks for them, each with `seconds` of processor time.

    A request names `function`, `options`, the facts that it `takes`, and those `facts` that it receives: without any,
    the check is only prepared. The answer is a line of JSON: empty when all is right; `wrong`, a sentence for the
    student, and perhaps the `share` that remains; `fault`, ours; `interrupted`; `exhausted`, when memory ran out.
    """
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)  # what a check prints is no answer
    loaded = cache(lambda name: _load_function(root, name))
    while size := sys.stdin.buffer.readline():
        used = resource.getrusage(resource.RUSAGE_SELF)
        resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + seconds, resource.RLIM_INFINITY))
        asked = pickle.loads(sys.stdin.buffer.read(int(size)))  # noqa: S301 - what our own process wrote
        answers.write(json.dumps(_answer(root, loaded, asked)) + "\n")
        answers.flush()


def _cut(text: str) -> str:
    more = len(text) - _MAX_SENTENCE_LENGTH
    return text if more <= 0 else f"{text[:_MAX_SENTENCE_LENGTH]}\n… {more} more characters"


def _answer(root: Path, loaded: Callable[[str], _Function], asked: Mapping[str, Any]) -> Mapping[str, object]:
    try:
        return _call_check(root, loaded(asked["function"]), asked)
    except Wrong as wrong:
        return {"wrong": _cut(str(wrong))}
    except HostError as error:
        return {"fault": str(error)}
    except KeyboardInterrupt:
        return {"interrupted": True}
    except MemoryError:
        return {"exhausted": True}


def _call_check(root: Path, function: _Function, asked: Mapping[str, Any]) -> Mapping[str, object]:
    name, facts = asked["function"], asked["facts"]
    named = {**asked["options"], **{fact: facts.get(fact) for fact in asked["takes"]}}
    try:
        signature = inspect.signature(function)
        is_named = next(iter(signature.parameters), "") in named
        first = () if asked["takes"] and is_named else (facts.get("output"),)
        signature.bind(*first, **named)
    except (TypeError, ValueError) as error:
        raise HostError(f"{_place_text(root, function, name)}: the spec cannot call {name}: {error}") from error
    if not facts:
        return {}
    try:
        returned = function(*first, **named)
    except (Wrong, MemoryError):
        raise
    except _FAULTS as error:
        raise _fault_inside(root, error, f"the check {name}") from error
    try:
        return _share_returned(returned)
    except ValueError as error:
        given = f"it returned a value of type {type(returned).__name__}"
        raise HostError(f"{_place_text(root, function, name)}: {given}; {error}") from error


def _share_returned(returned: object) -> Mapping[str, str]:
    """Return the answer that the value of a check is: empty for nothing, and for all. `0.1` is a tenth exactly."""
    match returned:
        case None:
            return {}
        case int() | float() | Decimal() | Fraction() | str() as share, str(sentence):
            written = str(share).strip()
        case _:
            raise ValueError("a check returns nothing, and raises Wrong, or it returns a share and a sentence")
    if not re.fullmatch(_SHARE, written) or not 0 <= (given := Fraction(written)) <= 1:
        raise ValueError("a share is a number from 0 to 1, of 25 digits at most")
    if given == 1:
        return {}
    if not sentence.strip():
        raise ValueError("a share that is not all needs a sentence that says what is missing")
    return {"wrong": _cut(sentence), **({"share": str(given)} if given else {})}


def _place_text(root: Path, function: _Function, name: str) -> str:
    """Return "reference/checks.py:12", where a function starts."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    return f"{os.path.relpath(code.co_filename, root)}:{code.co_firstlineno}" if code else name


def make_values(
    root: Path, name: str, start: Callable[[int], Random], count: int, *, libraries: str = ""
) -> list[object]:
    """Return `count` values of a function: those that it yields, or what it returns, called for each of them.

    `start` makes the generator for a number, from 0; a function that yields goes on with the first one. `libraries` is
    a folder of further packages, which stay loaded: many cannot be loaded twice. Raises HostError.
    """
    if libraries and libraries not in sys.path:
        sys.path.append(libraries)
    function = _load_function(root, name)
    try:
        first = function(start(0))
        if hasattr(first, "__next__"):
            # Copied one by one: a generator may go on with the list that it has just handed over.
            values = [_freeze(value) for value in islice(first, count)]
        else:
            values = [_freeze(first), *(_freeze(function(start(number))) for number in range(1, count))]
    except _FAULTS as error:
        raise _fault_inside(root, error, f"the generator {name}") from error
    if len(values) < count:
        raise HostError(f"{name}: it draws {len(values)} of {count} that the spec asks for; let it yield as many")
    return values


def _freeze(value: object) -> object:
    if isinstance(value, list | tuple):
        return tuple(map(_freeze, value))
    if hasattr(value, "tolist") and not isinstance(value, _SIMPLE_TYPES):  # an array or a number of numpy
        return _freeze(value.tolist())
    if isinstance(value, (*_SIMPLE_TYPES, bytes)):
        return value
    raise TypeError(f"{value!r:.80} is no number, boolean, text or list of such")


def _load_function(root: Path, name: str) -> _Function:
    """Load the file of FILE.py:FUNCTION afresh and return the function in it; raises HostError, with file and line."""
    file, _, function = name.rpartition(":")
    loaded: _Function | None = getattr(_load_module(root, file), function, None)
    if not callable(loaded):
        raise HostError(f"{file}: there is no function {function}; the spec names it as {name}")
    return loaded


def _fault_inside(root: Path, error: BaseException, inside: str) -> HostError:
    """Turn an exception of an instructor's function into our error, with the course's line where it was raised."""
    place = _course_line(root, error) or inside
    return HostError(f"{place}: {type(error).__name__}: {error}; this is a fault of {inside}")


def _load_module(root: Path, file: str) -> ModuleType:
    path = root / file
    spec = spec_from_file_location(f"instructor_{path.stem}", path)
    if spec is None or spec.loader is None or not path.is_file():
        raise HostError(f"{file}: there is no such Python file in {root}")
    module = module_from_spec(spec)
    with _importable(path.parent, module):
        try:
            spec.loader.exec_module(module)
        except _FAULTS as error:
            raise _fault_inside(root, error, file) from error
    return module


@contextmanager
def _importable(folder: Path, module: ModuleType) -> Iterator[None]:
    """Let the modules in `folder` be imported by name, and forget them again."""
    own = {path.stem for path in folder.iterdir()} - sys.stdlib_module_names - {"grader"}
    with _LOADING:
        before = {name: sys.modules.pop(name) for name in list(sys.modules) if name.partition(".")[0] in own}
        writes_nothing, sys.dont_write_bytecode = sys.dont_write_bytecode, True
        sys.path.insert(0, str(folder))
        sys.modules[module.__name__] = module  # dataclasses look their module up
        try:
            yield
        finally:
            sys.path.remove(str(folder))
            sys.dont_write_bytecode = writes_nothing
            for name in [name for name in sys.modules if name.partition(".")[0] in {*own, module.__name__}]:
                del sys.modules[name]
            sys.modules.update(before)


def _course_line(root: Path, error: BaseException) -> str:
    """Return "reference/checks.py:12", the innermost line in the course; "" when none was reached."""
    frames = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    if isinstance(error, SyntaxError) and error.filename:
        frames.append((error.filename, error.lineno))
    inside = (f"{Path(file).relative_to(root)}:{line}" for file, line in frames if Path(file).is_relative_to(root))
    return "".join([*inside][-1:])
