"""Functions that an instructor wrote for a spec, `reference/checks.py:boards`: loaded by path.

They are trusted as the reference is, and so is what lies in the folder of their file: they import it by its plain name.
None of that stays behind in `sys.path` or `sys.modules`, or the `queens.py` of one course would be met by another.
Modules are therefore imported when the file is loaded, at its top, and not inside a function.

Two kinds of them there are. A check tells what is right where many answers are: `check(output: bytes, **options: str)
-> None` returns when the output is right and raises `Wrong` when it is not. All else is a fault of the check and never
of a student, also a value that is returned: `return False` would be full marks. A generator draws arguments:
`placements(random)` yields lists of them, one for each call; the random numbers are seeded with the assignment and the
function, so that every student gets the same.

Generators run in our process, before anything of a student's is seen. Checks do not: a student decides how long their
input is, so `serve_checks` runs them in another one, which `checks` starts and bounds.
"""

import inspect
import json
import os
import resource
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from itertools import islice
from pathlib import Path
from random import Random
from threading import RLock
from types import ModuleType
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from grader.errors import HostError, Wrong

if TYPE_CHECKING:  # the process that serves checks has no need of them, and is to be there at once
    from grader.model import Case, PlainValue, Spec

_Function = Callable[..., Any]

_LOADING = RLock()
_FAULTS = (Exception, SystemExit)
_MOST_SAID = 2**16
"""characters of what a check says"""
_SIMPLE_TYPES = (bool, int, float, str, type(None))


def serve_checks(root: Path, seconds: int, memory: int) -> None:
    """Run checks of a course as standard input asks for them, and answer on standard output, until the input ends.

    A line of JSON names `function` and `options`, and perhaps the `size` of an output that follows: without it, the
    check is only made ready. The answer is a line of JSON: empty when all is right; `wrong`, a sentence for the
    student; `fault`, ours; `interrupted`; `exhausted`, when the memory did not do. Each has `seconds` of processor
    time, and all of them together have `memory` bytes.
    """
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)  # what a check prints is no answer
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    loaded = cache(lambda name: _load_function(root, name))
    while line := sys.stdin.buffer.readline():
        used = resource.getrusage(resource.RUSAGE_SELF)
        resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + seconds, resource.RLIM_INFINITY))
        asked = json.loads(line)
        output = sys.stdin.buffer.read(asked["size"]) if "size" in asked else None
        answers.write(json.dumps(_answer(root, loaded, asked, output)) + "\n")
        answers.flush()


def _cut(said: str) -> str:
    """Cut what a check says of an output: a drawing may be as long as what a student wrote."""
    more = len(said) - _MOST_SAID
    return said if more <= 0 else f"{said[:_MOST_SAID]}\n… {more} more characters"


def _answer(
    root: Path, loaded: Callable[[str], _Function], asked: Mapping[str, Any], output: bytes | None
) -> Mapping[str, object]:
    try:
        _call_check(root, loaded(asked["function"]), asked, output)
    except Wrong as wrong:
        return {"wrong": _cut(str(wrong))}
    except HostError as error:
        return {"fault": str(error)}
    except KeyboardInterrupt:
        return {"interrupted": True}
    except MemoryError:
        return {"exhausted": True}
    return {}


def _call_check(root: Path, function: _Function, asked: Mapping[str, Any], output: bytes | None) -> None:
    name, options = asked["function"], asked["options"]
    try:
        inspect.signature(function).bind(b"", **options)
    except (TypeError, ValueError) as error:
        raise HostError(f"{_where(root, function, name)}: the spec cannot call {name}: {error}") from error
    if output is None:
        return
    try:
        returned = function(output, **options)
    except (Wrong, MemoryError):
        raise
    except _FAULTS as error:
        raise _fault_inside(root, error, f"the check {name}") from error
    if returned is not None:
        where = _where(root, function, name)
        raise HostError(f"{where}: it returned {returned!r:.80}; a check returns nothing, and raises Wrong")


def _where(root: Path, function: _Function, asked: str) -> str:
    """Return "reference/checks.py:12", where the function starts."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    path = Path(code.co_filename) if code else root / asked.rpartition(":")[0]
    name = path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)
    return f"{name}:{code.co_firstlineno}" if code else name


def draw(spec: "Spec", fits: "Callable[[PlainValue, str], bool]") -> "Spec":
    """Return the spec with all arguments drawn; `fits` tells whether a value can be given for a type.

    Raises HostError when a function fails, or draws not enough, or something else than is asked for.
    """
    counts: dict[tuple[str, str], int] = {}
    for test in spec.tests:
        for case in test.cases:
            if case.functions and case.functions.draw:
                key = (case.functions.draw.function, case.functions.draw.seed)
                counts[key] = max(counts.get(key, 0), case.functions.draw.index + 1)
    if not counts:
        return spec
    drawn = {key: _draw_lists(spec.root, *key, count) for key, count in counts.items()}
    tests = (replace(test, cases=tuple(_with_drawn(case, drawn, fits) for case in test.cases)) for test in spec.tests)
    return replace(spec, tests=tuple(tests))


def _with_drawn(
    case: "Case",
    drawn: "Mapping[tuple[str, str], list[tuple[PlainValue, ...]]]",
    fits: "Callable[[PlainValue, str], bool]",
) -> "Case":
    function = case.functions
    if function is None or function.draw is None:
        return case
    args = drawn[function.draw.function, function.draw.seed][function.draw.index]
    asked = function.call.signature
    types = [parameter.type for parameter in asked.parameters]
    is_right = len(args) == len(types) and all(fits(arg, kind) for arg, kind in zip(args, types, strict=True) if kind)
    if not is_right:
        raise HostError(f"{function.draw.function}: it draws {args!r:.80}, which {asked.text} cannot be given")
    return replace(case, functions=replace(function, draw=None, call=replace(function.call, args=args)))


def _draw_lists(root: Path, name: str, seed: str, count: int) -> "list[tuple[PlainValue, ...]]":
    function = _load_function(root, name)
    try:
        # Frozen one by one: a generator may go on with the list that it has just handed over.
        lists = [_frozen(args) for args in islice(function(Random(seed)), count)]  # noqa: S311 - to be drawn again
    except _FAULTS as error:
        raise _fault_inside(root, error, f"the generator {name}") from error
    if len(lists) < count or not all(isinstance(args, tuple) for args in lists):
        raise HostError(f"{name}: it draws {len(lists)} of {count} lists of arguments; yield a list for each call")
    return lists


def _frozen(value: object) -> "PlainValue":
    if isinstance(value, list | tuple):
        return tuple(map(_frozen, value))
    if isinstance(value, _SIMPLE_TYPES):
        return value
    raise TypeError(f"{value!r:.80} is no number, boolean, text or list of such")


def _load_function(root: Path, name: str) -> _Function:
    """Load the file of `name` ("FILE.py:FUNCTION", below the course root) afresh and return the function in it.

    Raises HostError, with file and line, when the file cannot be run or has no such function.
    """
    file, _, function = name.rpartition(":")
    found = getattr(_load_module(root, file), function, None)
    if not callable(found):
        raise HostError(f"{file}: there is no function {function}; the spec names it as {name}")
    result: _Function = found
    return result


def _fault_inside(root: Path, error: BaseException, inside: str) -> HostError:
    """Make our error of what an instructor's function raised: the line of the course where it came up, and what."""
    return HostError(
        f"{_course_line(root, error) or inside}: {type(error).__name__}: {error}; this is a fault of {inside}"
    )


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
    if isinstance(error, SyntaxError) and error.filename:
        frames = [(error.filename, error.lineno)]
    else:
        frames = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    for filename, line in reversed(frames):
        path = Path(filename)
        if path.is_relative_to(root):
            return f"{path.relative_to(root)}:{line}"
    return ""
