"""Functions that an instructor wrote for a spec, `reference/checks.py:boards`: loaded by path, and run in our process.

They are trusted as the reference is, and so is what lies in the folder of their file: they import it by its plain name.
None of that stays behind in `sys.path` or `sys.modules`, or the `queens.py` of one course would be met by another.
Modules are therefore imported when the file is loaded, at its top, and not inside a function.
"""

import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from threading import RLock
from types import ModuleType
from typing import Any

from grader.errors import HostError

Function = Callable[..., Any]

_LOADING = RLock()
_FAULTS = (Exception, SystemExit)


def load_function(root: Path, name: str) -> Function:
    """Load the file of `name` ("FILE.py:FUNCTION", below the course root) afresh and return the function in it.

    Raises HostError, with file and line, when the file cannot be run or has no such function.
    """
    file, _, function = name.rpartition(":")
    found = getattr(_module(root, file), function, None)
    if not callable(found):
        raise HostError(f"{file}: there is no function {function}; the spec names it as {name}")
    result: Function = found
    return result


def fault(root: Path, error: BaseException, inside: str) -> HostError:
    """Make our error of what an instructor's function raised: the line of the course where it came up, and what."""
    return HostError(f"{_place(root, error) or inside}: {type(error).__name__}: {error}; this is a fault of {inside}")


def _module(root: Path, file: str) -> ModuleType:
    path = root / file
    spec = spec_from_file_location(f"instructor_{path.stem}", path)
    if spec is None or spec.loader is None or not path.is_file():
        raise HostError(f"{file}: there is no such Python file in {root}")
    module = module_from_spec(spec)
    with _importable(path.parent, module):
        try:
            spec.loader.exec_module(module)
        except _FAULTS as error:
            raise fault(root, error, file) from error
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


def _place(root: Path, error: BaseException) -> str:
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
