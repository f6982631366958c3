"""Checks: what is right where many answers are, told by a function of the instructor.

`check(output: bytes, **options: str) -> None` returns when the output is right and raises `Wrong` when it is not. All
else is a fault of the check and never of a student, also a value that is returned: `return False` would be full marks.
"""

import inspect
from functools import cache
from pathlib import Path

from grader.errors import HostError, Wrong
from grader.model import Check, Checks, Expected
from grader.oracle.instructor import Function, fault, load_function


def checks(root: Path) -> Checks:
    """Return what makes the checks of a course ready; each file is loaded once."""
    loaded = cache(lambda name: load_function(root, name))
    return lambda asked: _check(root, loaded(asked.function), asked)


def _check(root: Path, function: Function, asked: Expected) -> Check:
    try:
        inspect.signature(function).bind(b"", **asked.options)
    except (TypeError, ValueError) as error:
        raise HostError(f"{_where(root, function, asked)}: the spec cannot call {asked.function}: {error}") from error

    def check(output: bytes) -> None:
        try:
            returned = function(output, **asked.options)
        except Wrong:
            raise
        except (Exception, SystemExit) as error:
            raise fault(root, error, f"the check {asked.function}") from error
        if returned is not None:
            where = _where(root, function, asked)
            raise HostError(f"{where}: it returned {returned!r:.80}; a check returns nothing, and raises Wrong")

    return check


def _where(root: Path, function: Function, asked: Expected) -> str:
    """Return "reference/checks.py:12", where the function starts."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    path = Path(code.co_filename) if code else root / asked.function.rpartition(":")[0]
    name = path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)
    return f"{name}:{code.co_firstlineno}" if code else name
